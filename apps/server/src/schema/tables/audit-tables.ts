import { bigint, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type {
  AuditAction,
  AuditActorKind,
  AuditSubjectKind,
  AuditValues,
} from '../../platform/audit/audit-entry.ts';
import { bytea, instant } from './table-columns.ts';

/** Append-only: the database refuses every other change. See `record-audit.ts`. */
export const auditEntries = pgTable('audit_entries', {
  id: uuid('id').primaryKey(),
  occurredAt: instant('occurred_at').notNull(),
  actorKind: text('actor_kind').$type<AuditActorKind>().notNull(),
  actorId: text('actor_id'),
  actorName: text('actor_name').notNull(),
  action: text('action').$type<AuditAction>().notNull(),
  subjectKind: text('subject_kind').$type<AuditSubjectKind>().notNull(),
  subjectId: text('subject_id'),
  address: text('address'),
  before: jsonb('before').$type<AuditValues>(),
  after: jsonb('after').$type<AuditValues>(),
  contentHash: bytea('content_hash').notNull(),
});

/** The order of the audit entries. A trigger writes it at commit. */
export const auditLinks = pgTable('audit_links', {
  position: bigint('position', { mode: 'number' }).primaryKey(),
  entryId: uuid('entry_id').notNull(),
  hash: bytea('hash').notNull(),
});

/** Entries whose names were removed when their client was erased. */
export const auditRedactions = pgTable('audit_redactions', {
  entryId: uuid('entry_id').primaryKey(),
  erasureId: bigint('erasure_id', { mode: 'number' }).notNull(),
  remainingHash: bytea('remaining_hash').notNull(),
});

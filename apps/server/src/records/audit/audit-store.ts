import { and, asc, desc, eq, gt, gte, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import type { AuditAction, AuditEntry } from '../../platform/audit/audit-entry.ts';
import { toAuditEntry } from '../../platform/audit/to-audit-entry.ts';
import type { Connection } from '../../platform/database.ts';
import { auditEntries, auditLinks, auditRedactions } from '../../schema/tables/audit-tables.ts';

/** An entry with its place in the chain. */
export interface LinkedEntry {
  /** From 1, without gaps. */
  position: number;
  entry: AuditEntry;
  contentHash: Buffer;
  hash: Buffer;
  /** The erasure that removed the client's name from the entry; null if none did. */
  redaction: { erasureId: number; remainingHash: Buffer } | null;
}

export interface AuditFilter {
  /** Id or name. */
  actor?: string | undefined;
  action?: AuditAction | undefined;
  /** Id or reference. */
  subject?: string | undefined;
  /** A query for the kinds and ids of several subjects. */
  subjects?: SQL | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** Entries after one position, up to and including another. */
  positions?: { after: number; until: number } | undefined;
}

const conditionsOf = ({
  actor,
  action,
  subject,
  subjects,
  since,
  until,
  positions,
}: AuditFilter): (SQL | undefined)[] => [
  actor === undefined ? undefined : or(eq(auditEntries.actorId, actor), eq(auditEntries.actorName, actor)),
  action === undefined ? undefined : eq(auditEntries.action, action),
  subject === undefined ? undefined : eq(auditEntries.subjectId, subject),
  subjects && sql`(${auditEntries.subjectKind}, ${auditEntries.subjectId}) in (${subjects})`,
  since === undefined ? undefined : gte(auditEntries.occurredAt, since),
  until === undefined ? undefined : lt(auditEntries.occurredAt, until),
  positions && gt(auditLinks.position, positions.after),
  positions && lte(auditLinks.position, positions.until),
];

/**
 * Finds entries, newest first.
 * @param page.before finds entries before this position; null for the newest entries
 */
export async function findNewestEntries(
  connection: Connection,
  filter: AuditFilter,
  { before, limit }: { before: number | null; limit: number },
): Promise<LinkedEntry[]> {
  const rows = await connection
    .select()
    .from(auditLinks)
    .innerJoin(auditEntries, eq(auditEntries.id, auditLinks.entryId))
    .leftJoin(auditRedactions, eq(auditRedactions.entryId, auditLinks.entryId))
    .where(and(...conditionsOf(filter), before === null ? undefined : lt(auditLinks.position, before)))
    .orderBy(desc(auditLinks.position))
    .limit(limit);
  return rows.map(toLinkedEntry);
}

/** Reads entries in their order, in pages, so that memory does not depend on how many there are. */
export async function* readEntries(
  connection: Connection,
  filter: AuditFilter = {},
): AsyncGenerator<LinkedEntry> {
  let after = 0;
  for (;;) {
    const rows = await connection
      .select()
      .from(auditLinks)
      .innerJoin(auditEntries, eq(auditEntries.id, auditLinks.entryId))
      .leftJoin(auditRedactions, eq(auditRedactions.entryId, auditLinks.entryId))
      .where(and(...conditionsOf(filter), gt(auditLinks.position, after)))
      .orderBy(asc(auditLinks.position))
      .limit(pageSize);
    yield* rows.map(toLinkedEntry);
    const last = rows.at(-1);
    if (!last) return;
    after = last.audit_links.position;
  }
}

const pageSize = 1_000;

/** @returns the id of an entry that is not in the chain; null if there is none */
export async function findUnlinkedEntry(connection: Connection): Promise<string | null> {
  const [row] = await connection
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .leftJoin(auditLinks, eq(auditLinks.entryId, auditEntries.id))
    .where(isNull(auditLinks.entryId))
    .limit(1);
  return row?.id ?? null;
}

const toLinkedEntry = (row: {
  audit_links: typeof auditLinks.$inferSelect;
  audit_entries: typeof auditEntries.$inferSelect;
  audit_redactions: typeof auditRedactions.$inferSelect | null;
}): LinkedEntry => ({
  position: row.audit_links.position,
  entry: toAuditEntry(row.audit_entries),
  contentHash: row.audit_entries.contentHash,
  hash: row.audit_links.hash,
  redaction: row.audit_redactions,
});

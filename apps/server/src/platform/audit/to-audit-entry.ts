import type { auditEntries } from '../../schema/tables/audit-tables.ts';
import type { AuditEntry } from './audit-entry.ts';

/** Returns a stored row as an entry. */
export function toAuditEntry(row: typeof auditEntries.$inferSelect): AuditEntry {
  const { actorKind, actorId, actorName, subjectKind, subjectId, contentHash: _, ...rest } = row;
  return {
    ...rest,
    actor: { kind: actorKind, id: actorId, name: actorName },
    subject: { kind: subjectKind, id: subjectId },
  };
}

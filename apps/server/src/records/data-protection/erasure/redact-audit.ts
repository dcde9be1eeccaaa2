import { and, asc, eq, sql } from 'drizzle-orm';
import type { AuditEntry } from '../../../platform/audit/audit-entry.ts';
import { digestRedactions, hashRedactedEntry, type Redaction } from '../../../platform/audit/redactions.ts';
import { toAuditEntry } from '../../../platform/audit/to-audit-entry.ts';
import type { Transaction } from '../../../platform/database.ts';
import { auditEntries } from '../../../schema/tables/audit-tables.ts';

/**
 * Removes the name and the IP addresses of a client from the audit entries about their actions. Each entry keeps its
 * hash and its place in the chain, so that the log still verifies.
 * @returns the facts for the entry of the erasure, with which the verification compares the redacted entries
 */
export async function redactAudit(
  transaction: Transaction,
  { clientId, erasure }: { clientId: string; erasure: number },
): Promise<{ redacted_entries: number; redactions_sha256: string }> {
  const rows = await transaction
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.actorKind, 'client'), eq(auditEntries.actorId, clientId)))
    .orderBy(asc(auditEntries.id));
  const redactions = rows.map((row) => redactionOf(toAuditEntry(row)));
  if (redactions.length > 0)
    await transaction.execute(sql`
      insert into audit_redactions (entry_id, erasure_id, remaining_hash)
      select "entryId", ${erasure}, decode("remainingHash", 'hex')
      from json_to_recordset(${JSON.stringify(redactions)}::json) as sent ("entryId" uuid, "remainingHash" text)`);
  return { redacted_entries: redactions.length, redactions_sha256: digestRedactions(redactions) };
}

const redactionOf = (entry: AuditEntry): Redaction => ({
  entryId: entry.id,
  remainingHash: hashRedactedEntry(entry).toString('hex'),
});

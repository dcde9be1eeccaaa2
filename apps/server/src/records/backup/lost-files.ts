import { sql } from 'drizzle-orm';
import { commandLineActor, recordAudits } from '../../platform/audit/record-audit.ts';
import type { Database } from '../../platform/database.ts';
import { runTransaction } from '../../platform/run-transaction.ts';

/** A record whose file could not be restored. */
export interface LostFile extends Record<string, unknown> {
  sha256: string;
  subject: 'document' | 'payment';
  id: string;
  /** What people call it, for example “Contract”. */
  name: string;
  /** The firm’s reference of the case; null for an upload that no document has. */
  case: string | null;
}

/** Finds the records whose files were not restored, and adds each to the audit log. */
export async function recordLostFiles(
  database: Database,
  sha256s: readonly string[],
  at: Date,
): Promise<LostFile[]> {
  if (sha256s.length === 0) return [];
  return runTransaction(database, async (transaction) => {
    const hashes = sql`array[${sql.join(
      sha256s.map((sha256) => sql`${sha256}`),
      sql`, `,
    )}]::text[]`;
    const { rows } = await transaction.execute<LostFile>(sql`
      with document as (
        select d.id, d.title, d.sha256, c.reference from documents d
          join matters m on m.id = d.matter_id join conveyancing_cases c on c.id = m.case_id)
      select sha256, 'document' as subject, id::text, title as name, reference as "case" from document
        where sha256 = any(${hashes})
      union all select f.sha256, 'document', d.id::text, 'the signed copy of ' || d.title, d.reference
        from signed_files f join document_signatures s on s.id = f.signature_id join document d on d.id = s.document_id
        where f.sha256 = any(${hashes})
      union all select f.sha256, 'payment', p.id::text, 'the receipt ' || p.receipt_number, c.reference
        from receipt_files f join payments p on p.id = f.payment_id join conveyancing_cases c on c.id = p.case_id
        where f.sha256 = any(${hashes})
      union all select sha256, 'document', reference, 'the upload ' || reference, null from feed_files
        where sha256 = any(${hashes})
      order by "case", name`);
    await recordAudits(
      transaction,
      rows.map(({ subject, id, sha256 }) => ({
        occurredAt: at,
        actor: commandLineActor(),
        action: 'document.file_lost',
        subject: { kind: subject, id },
        after: { sha256 },
      })),
    );
    return rows;
  });
}

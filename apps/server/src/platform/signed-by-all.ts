import { sql } from 'drizzle-orm';
import type { Transaction } from './database.ts';

/**
 * Finds the documents that every client of their case has signed. The caller has locked the documents' rows.
 * @returns their ids
 */
export async function findSignedByAll(
  transaction: Transaction,
  documents: readonly { documentId: string; caseId: string }[],
): Promise<Set<string>> {
  const { rows } = await transaction.execute<{ id: string }>(sql`
    select asked.document_id as id
    from unnest(${sql.param(documents.map(({ documentId }) => documentId))}::uuid[],
      ${sql.param(documents.map(({ caseId }) => caseId))}::uuid[]) as asked (document_id, case_id)
    where not exists (
      select from case_clients where case_clients.case_id = asked.case_id and not exists (
        select from document_signatures
        where document_signatures.document_id = asked.document_id
          and document_signatures.client_id = case_clients.client_id))`);
  return new Set(rows.map(({ id }) => id));
}

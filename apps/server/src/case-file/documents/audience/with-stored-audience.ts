import type { FeedRecord } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';

type DocumentRecord = FeedRecord<'documents'>;

/**
 * Adds the audience to documents that a feed sends without `for_client`: one that is for one client stays theirs, and so do
 * its new versions, because a system that does not send the field must not show them to the others.
 */
export async function withStoredAudience(
  connection: Connection,
  documents: readonly DocumentRecord[],
): Promise<DocumentRecord[]> {
  const references = documents.flatMap(({ reference, supersedes, for_client }) =>
    for_client === undefined ? [reference, supersedes ?? reference] : [],
  );
  if (references.length === 0) return [...documents];
  const { rows } = await connection.execute<{ reference: string; client: string | null }>(sql`
    select d.reference, c.reference as client from documents d left join clients c on c.id = d.for_client_id
    where d.reference = any(${sql.param(references)}::text[])`);
  const audiences = new Map(rows.map(({ reference, client }) => [reference, client ?? undefined]));
  return documents.map((document) => {
    const { reference, supersedes = '' } = document;
    const stored = audiences.has(reference) ? audiences.get(reference) : audiences.get(supersedes);
    const for_client = document.for_client ?? stored;
    // A later document of the feed may be its new version.
    audiences.set(reference, for_client);
    return for_client === undefined ? document : { ...document, for_client };
  });
}

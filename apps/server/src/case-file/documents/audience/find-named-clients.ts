import type { FeedRecord } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database.ts';

/** A client whom a document can name, or has named since before they left the case. */
export interface NamedClient extends Record<string, unknown> {
  caseId: string;
  id: string;
  reference: string;
  isOnCase: boolean;
}

/**
 * Finds the clients whom records of documents with originals or an audience can name, by case.
 * @param ids of the stored documents among them
 */
export async function findNamedClients(
  transaction: Transaction,
  records: readonly FeedRecord<'documents'>[],
  ids: readonly string[],
): Promise<Map<string, NamedClient[]>> {
  const matters = records.flatMap(({ originals = [], for_client, matter }) =>
    originals.length > 0 || for_client !== undefined ? matter : [],
  );
  if (matters.length === 0) return new Map();
  const { rows } = await transaction.execute<NamedClient>(sql`
    select m.case_id as "caseId", c.id, c.reference, true as "isOnCase"
    from matters m join case_clients membership on membership.case_id = m.case_id
    join clients c on c.id = membership.client_id
    where m.reference = any(${sql.param(matters)}::text[])
    union
    select m.case_id, c.id, c.reference, false
    from documents d join matters m on m.id = d.matter_id
    cross join lateral (
      select original ->> 'client_id' as id from jsonb_array_elements(d.originals) original
      union select d.for_client_id::text) named
    join clients c on c.id = named.id::uuid
    where d.id = any(${sql.param(ids)}::uuid[]) and not exists (
      select from case_clients where case_id = m.case_id and client_id = c.id)`);
  const byCase = new Map<string, NamedClient[]>();
  for (const client of rows) byCase.set(client.caseId, [...(byCase.get(client.caseId) ?? []), client]);
  return byCase;
}

import type { ListedClient } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';
import { jsonList } from '../../../platform/reads/contract-json.ts';

const maxClients = 50;

/**
 * Finds the clients whose name, email address or reference contains each word of a search, ignoring case, accents and
 * apostrophes. Without a search, lists the clients without a case, who are on no other page of the desk.
 */
export async function listClients(
  connection: Connection,
  search: string | undefined,
): Promise<{ clients: ListedClient[]; has_more: boolean }> {
  const isWanted = search?.trim()
    ? sql`cardinality(words) > 0 and not exists (select from unnest(words) as word where position(word in searched) = 0)`
    : sql`not exists (select from case_clients where client_id = c.id)`;
  const { rows } = await connection.execute<ListedClient>(sql`
    select c.id, c.reference, c.first_name || ' ' || c.last_name as name, c.email, ${jsonList(
      sql`found.reference`,
      {
        query: sql`from case_clients join conveyancing_cases found on found.id = case_id where client_id = c.id`,
        order: sql`found.reference`,
      },
    )} as case_references
    from clients c
      cross join (select comparable_words(${search ?? ''}) as words) sent
      cross join lateral (select array_to_string(comparable_words(
        concat_ws(' ', c.first_name, c.last_name, c.email, c.reference)), ' ') as searched) compared
    where c.erased_at is null and ${isWanted}
    order by c.last_name, c.first_name, c.id limit ${maxClients + 1}`);
  return { clients: rows.slice(0, maxClients), has_more: rows.length > maxClients };
}

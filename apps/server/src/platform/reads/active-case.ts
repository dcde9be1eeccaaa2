import { type SQL, sql } from 'drizzle-orm';
import type { Connection } from '../database.ts';
import { prepareSql } from '../prepared-statement.ts';

export type ActiveCase = {
  id: string;
  reference: string;
};

/**
 * Writes the subquery for the case that a client sees: the one they chose if they still belong to it, otherwise the
 * newest active one, otherwise the newest. It has no row for a client without cases.
 */
export const activeCaseOf = (client: SQL): SQL => sql`(
  select shown.* from case_clients own
  join clients reader on reader.id = own.client_id
  join conveyancing_cases shown on shown.id = own.case_id
  where own.client_id = ${client}
  order by coalesce(shown.id = reader.active_case_id, false) desc, (shown.status = 'active') desc,
    shown.created_at desc, shown.reference desc
  limit 1)`;

/**
 * Finds the case that a client sees.
 * @returns null for a client without cases
 */
export async function findActiveCase(connection: Connection, clientId: string): Promise<ActiveCase | null> {
  const { rows } = await selectActiveCase(connection, { clientId });
  return rows[0] ?? null;
}

const selectActiveCase = prepareSql<ActiveCase, { clientId: string }>(
  'find_active_case',
  () => sql`
    select active_case.id, active_case.reference
    from ${activeCaseOf(sql`${sql.placeholder('clientId')}`)} active_case`,
);

import { desc, eq, sql } from 'drizzle-orm';
import type { Connection } from './database.ts';
import { caseClients, clients, conveyancingCases } from './tables/tables.ts';

export interface ActiveCase {
  id: string;
  reference: string;
}

/**
 * Finds the case that a client sees: the one they chose if they still belong to it, otherwise the newest active one,
 * otherwise the newest.
 * @returns null for a client without cases
 */
export async function findActiveCase(connection: Connection, clientId: string): Promise<ActiveCase | null> {
  const rows = await connection
    .select({ id: conveyancingCases.id, reference: conveyancingCases.reference })
    .from(caseClients)
    .innerJoin(clients, eq(clients.id, caseClients.clientId))
    .innerJoin(conveyancingCases, eq(conveyancingCases.id, caseClients.caseId))
    .where(eq(caseClients.clientId, clientId))
    .orderBy(
      sql`coalesce(${conveyancingCases.id} = ${clients.activeCaseId}, false) desc`,
      sql`(${conveyancingCases.status} = 'active') desc`,
      desc(conveyancingCases.createdAt),
      desc(conveyancingCases.reference),
    )
    .limit(1);
  return rows[0] ?? null;
}

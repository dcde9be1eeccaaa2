import { and, eq } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { caseClients } from '../../platform/tables/tables.ts';

/** A case and the client it must belong to. */
export interface OwnCase {
  caseId: string;
  clientId: string;
}

/**
 * A subquery for the case's id if the client is on the case, and for no row otherwise. Every statement about a case is
 * restricted by it, so that no statement can return data of another client's case.
 */
export const ownCase = (connection: Connection, { caseId, clientId }: OwnCase) =>
  connection
    .select({ id: caseClients.caseId })
    .from(caseClients)
    .where(and(eq(caseClients.caseId, caseId), eq(caseClients.clientId, clientId)));

import { and, eq } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { caseClients } from '../../platform/tables.ts';

/** Which case, and for which of its clients. */
export interface OwnCase {
  caseId: string;
  clientId: string;
}

/**
 * The case's id where it is this client's, and nothing where it is not: every statement about a case is limited
 * by it, so that none can show what another's case holds.
 */
export const ownCase = (connection: Connection, { caseId, clientId }: OwnCase) =>
  connection
    .select({ id: caseClients.caseId })
    .from(caseClients)
    .where(and(eq(caseClients.caseId, caseId), eq(caseClients.clientId, clientId)));

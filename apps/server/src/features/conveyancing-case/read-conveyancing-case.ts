import type { CaseClient, ConveyancingCase } from '@keyturn/contract';
import { eq, inArray, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { isId } from '../../platform/ids.ts';
import { caseClients, clients, conveyancingCases, installation } from '../../platform/tables/tables.ts';
import { type OwnCase, ownCase } from './own-case.ts';
import { readMatters } from './read-matters.ts';
import { readSums } from './read-sums.ts';
import { readTasks } from './read-tasks.ts';

/**
 * Reads a whole case as one of its clients sees it, in four statements however large it is.
 * @returns null when the client is not on the case
 */
export async function readConveyancingCase(
  connection: Connection,
  query: OwnCase,
): Promise<ConveyancingCase | null> {
  if (!isId(query.caseId)) return null;
  const [[found], matters, tasks, sums] = await Promise.all([
    connection
      .select({
        conveyancingCase: conveyancingCases,
        firm: installation.firm,
        clients: clientsOfCase(connection),
      })
      .from(conveyancingCases)
      .crossJoin(installation)
      .where(inArray(conveyancingCases.id, ownCase(connection, query))),
    readMatters(connection, query),
    readTasks(connection, query),
    readSums(connection, query),
  ]);
  // The feed imports the firm before any case, so a case without a firm cannot be shown.
  if (!found?.firm) return null;
  const { conveyancingCase, firm, clients } = found;
  return {
    id: conveyancingCase.id,
    created_at: conveyancingCase.createdAt.toISOString(),
    updated_at: conveyancingCase.updatedAt.toISOString(),
    reference: conveyancingCase.reference,
    title: conveyancingCase.title,
    status: conveyancingCase.status,
    clients,
    matters,
    handlers: conveyancingCase.handlers,
    firm,
    tasks,
    unread_documents: sums.unreadDocuments,
    amount_due: conveyancingCase.status === 'active' ? sums.searchesDue + sums.tasksDue : 0,
    // Bills are added by payments.
    amount_due_later: 0,
    amount_paid: sums.paidHere + sums.paidElsewhere,
  };
}

/** The clients of the case as JSON, in the firm's order: a part of the one statement. */
const clientsOfCase = (connection: Connection) =>
  sql<CaseClient[]>`(${connection
    .select({
      people: sql`json_agg(json_build_object('id', ${clients.id}, 'first_name', ${clients.firstName}) order by ${clients.reference})`,
    })
    .from(caseClients)
    .innerJoin(clients, eq(clients.id, caseClients.clientId))
    .where(eq(caseClients.caseId, conveyancingCases.id))})`;

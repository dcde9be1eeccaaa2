import { and, eq, exists } from 'drizzle-orm';
import type { Database } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { isId } from '../../../platform/ids.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { caseClients, clients } from '../../../schema/tables/tables.ts';

/**
 * Sets which of the client's cases the dashboard shows.
 * @throws DomainError `not_found` for an unknown case and for another client's
 */
export async function changeActiveCase(database: Database, clientId: string, caseId: string): Promise<void> {
  if (!isId(caseId)) throw new DomainError('not_found');
  const changed = await runTransaction(database, (transaction) =>
    transaction
      .update(clients)
      .set({ activeCaseId: caseId })
      .where(
        and(
          eq(clients.id, clientId),
          exists(
            transaction
              .select({ id: caseClients.caseId })
              .from(caseClients)
              .where(and(eq(caseClients.caseId, caseId), eq(caseClients.clientId, clientId))),
          ),
        ),
      )
      .returning({ id: clients.id }),
  );
  if (changed.length === 0) throw new DomainError('not_found');
}

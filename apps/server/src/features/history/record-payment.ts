import { eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import { clients, historyEntries } from '../../platform/tables.ts';

/** What payments needs of the history; `compose.ts` hands it over. */
export const paymentHistory = {
  record: async (
    transaction: Transaction,
    entry: { caseId: string; occurredAt: Date; clientId: string; summary: string },
  ) => {
    const [client] = await transaction
      .select({ firstName: clients.firstName, lastName: clients.lastName })
      .from(clients)
      .where(eq(clients.id, entry.clientId));
    await transaction.insert(historyEntries).values({
      id: newId(),
      caseId: entry.caseId,
      occurredAt: entry.occurredAt,
      category: 'payment',
      actor: client ? `${client.firstName} ${client.lastName}` : 'A client',
      summary: entry.summary,
    });
  },
};

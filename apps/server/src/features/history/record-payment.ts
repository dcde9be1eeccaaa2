import { eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import { clients, historyEntries, installation } from '../../platform/tables/tables.ts';

/** Implements the `PaymentHistory` port of payments; wired in `composition/`. */
export const paymentHistory = {
  record: async (
    transaction: Transaction,
    entry: { caseId: string; occurredAt: Date; clientId: string | null; summary: string },
  ) => {
    const { clientId, ...recorded } = entry;
    await transaction.insert(historyEntries).values({
      id: newId(),
      ...recorded,
      category: 'payment',
      actor: clientId === null ? await findFirmName(transaction) : await findName(transaction, clientId),
    });
  },
};

async function findName(transaction: Transaction, clientId: string): Promise<string> {
  const [client] = await transaction
    .select({ firstName: clients.firstName, lastName: clients.lastName })
    .from(clients)
    .where(eq(clients.id, clientId));
  return client ? `${client.firstName} ${client.lastName}` : 'A client';
}

async function findFirmName(transaction: Transaction): Promise<string> {
  const [held] = await transaction.select({ firm: installation.firm }).from(installation);
  return held?.firm?.name ?? 'Your conveyancer';
}

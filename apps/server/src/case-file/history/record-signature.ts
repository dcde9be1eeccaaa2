import { eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import { clients, historyEntries } from '../../schema/tables/tables.ts';

/** Implements the `DocumentHistory` port of documents; wired in `composition/`. */
export const documentHistory = {
  recordSigned: async (
    transaction: Transaction,
    signed: { caseId: string; documentId: string; title: string; clientId: string; signedAt: Date },
  ) => {
    const [client] = await transaction
      .select({ firstName: clients.firstName, lastName: clients.lastName })
      .from(clients)
      .where(eq(clients.id, signed.clientId));
    const actor = client ? `${client.firstName} ${client.lastName}` : 'A client';
    await transaction.insert(historyEntries).values({
      id: newId(),
      caseId: signed.caseId,
      occurredAt: signed.signedAt,
      category: 'document',
      actor,
      summary: `${actor} signed “${signed.title}”`,
      link: `/documents/${signed.documentId}`,
    });
  },
};

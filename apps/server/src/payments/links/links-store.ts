import { and, count, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import { bills, paymentLinks, payments } from '../../schema/tables/payment-tables.ts';
import {
  caseClients,
  caseSearches,
  clients,
  conveyancingCases,
  matters,
} from '../../schema/tables/tables.ts';

/** The SQL of payment links. */

export type PaymentLinkRow = typeof paymentLinks.$inferSelect;

/** @returns false if this client was sent the same request before */
export async function insertLink(
  transaction: Transaction,
  link: typeof paymentLinks.$inferInsert,
): Promise<boolean> {
  const { rowCount } = await transaction.insert(paymentLinks).values(link).onConflictDoNothing();
  return rowCount === 1;
}

export async function findLink(connection: Connection, id: string): Promise<PaymentLinkRow | undefined> {
  const [row] = await connection.select().from(paymentLinks).where(eq(paymentLinks.id, id));
  return row;
}

/** Finds a link that was sent to this client, who is still on its case. */
export async function findLinkOfClient(connection: Connection, query: { clientId: string; linkId: string }) {
  const [row] = await connection
    .select({ link: paymentLinks, caseReference: conveyancingCases.reference })
    .from(paymentLinks)
    .innerJoin(conveyancingCases, eq(conveyancingCases.id, paymentLinks.caseId))
    .innerJoin(
      caseClients,
      and(eq(caseClients.caseId, paymentLinks.caseId), eq(caseClients.clientId, paymentLinks.clientId)),
    )
    .where(and(eq(paymentLinks.id, query.linkId), eq(paymentLinks.clientId, query.clientId)));
  return row;
}

/** Counts the links that a client was sent since then. Locks the client, so that concurrent commands count each other’s. */
export async function countLinks(
  transaction: Transaction,
  query: { clientId: string; since: Date },
): Promise<number> {
  await transaction
    .select({ id: clients.id })
    .from(clients)
    .where(eq(clients.id, query.clientId))
    .for('update');
  const [row] = await transaction
    .select({ links: count() })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.clientId, query.clientId), gt(paymentLinks.createdAt, query.since)));
  return row?.links ?? 0;
}

export async function markLinkSent(
  connection: Connection,
  id: string,
  { at, messageId }: { at: Date; messageId: string },
): Promise<void> {
  await connection
    .update(paymentLinks)
    .set({ sentAt: at, messageId })
    .where(and(eq(paymentLinks.id, id), isNull(paymentLinks.sentAt)));
}

/** Records when the client first opened a link. */
export async function markLinkOpened(connection: Connection, id: string, at: Date): Promise<void> {
  await connection
    .update(paymentLinks)
    .set({ openedAt: at })
    .where(and(eq(paymentLinks.id, id), isNull(paymentLinks.openedAt)));
}

/** Finds the newest links of a case, with their clients. */
export async function findLinksOfCase(connection: Connection, caseId: string, limit: number) {
  return connection
    .select({
      link: paymentLinks,
      client: { id: clients.id, firstName: clients.firstName, lastName: clients.lastName },
    })
    .from(paymentLinks)
    .innerJoin(clients, eq(clients.id, paymentLinks.clientId))
    .where(eq(paymentLinks.caseId, caseId))
    .orderBy(desc(paymentLinks.createdAt), paymentLinks.id)
    .limit(limit);
}

/** Finds a link with the references of its case and of its search or bill, and locks it. */
export async function lockLink(transaction: Transaction, id: string) {
  const [row] = await transaction
    .select({
      link: paymentLinks,
      caseReference: conveyancingCases.reference,
      searchReference: caseSearches.reference,
      billReference: bills.reference,
    })
    .from(paymentLinks)
    .innerJoin(conveyancingCases, eq(conveyancingCases.id, paymentLinks.caseId))
    .leftJoin(caseSearches, eq(caseSearches.id, paymentLinks.caseSearchId))
    .leftJoin(bills, eq(bills.id, paymentLinks.billId))
    .where(eq(paymentLinks.id, id))
    .for('update', { of: paymentLinks });
  return row;
}

/** Records that the firm has withdrawn a link. */
export async function markLinkWithdrawn(transaction: Transaction, id: string, at: Date): Promise<void> {
  await transaction.update(paymentLinks).set({ withdrawnAt: at }).where(eq(paymentLinks.id, id));
}

const searchFields = {
  id: caseSearches.id,
  caseId: matters.caseId,
  matterId: caseSearches.matterId,
  name: caseSearches.name,
  gross: caseSearches.priceGross,
  status: caseSearches.status,
};

const selectSearches = (connection: Connection) =>
  connection
    .select(searchFields)
    .from(caseSearches)
    .innerJoin(matters, eq(matters.id, caseSearches.matterId));

/** @param reference the firm's own key of the search */
export async function findSearchByReference(connection: Connection, reference: string) {
  const [row] = await selectSearches(connection).where(eq(caseSearches.reference, reference));
  return row;
}

export async function findSearchById(connection: Connection, id: string) {
  const [row] = await selectSearches(connection).where(eq(caseSearches.id, id));
  return row;
}

/** @param reference the firm's own key of the bill */
export async function findBillByReference(connection: Connection, reference: string) {
  const [row] = await connection.select().from(bills).where(eq(bills.reference, reference));
  return row;
}

export async function findCaseStatus(connection: Connection, id: string) {
  const [row] = await connection
    .select({ status: conveyancingCases.status })
    .from(conveyancingCases)
    .where(eq(conveyancingCases.id, id));
  return row?.status;
}

export async function findCaseByReference(connection: Connection, reference: string) {
  const [row] = await connection
    .select({ id: conveyancingCases.id })
    .from(conveyancingCases)
    .where(eq(conveyancingCases.reference, reference));
  return row;
}

export async function findClientsOfCase(connection: Connection, caseId: string) {
  return connection
    .select({
      id: clients.id,
      reference: clients.reference,
      firstName: clients.firstName,
      lastName: clients.lastName,
      email: clients.email,
    })
    .from(caseClients)
    .innerJoin(clients, eq(clients.id, caseClients.clientId))
    .where(eq(caseClients.caseId, caseId))
    .orderBy(clients.reference);
}

/** The status of each payment of this category and amount on the case that was started after the link was sent. */
export async function findPaymentsSinceLink(connection: Connection, link: PaymentLinkRow) {
  return connection
    .select({ paidAt: payments.paidAt, status: payments.status, reviewReason: payments.reviewReason })
    .from(payments)
    .where(
      and(
        eq(payments.caseId, link.caseId),
        eq(payments.category, sql`${link.category}`),
        eq(payments.amount, link.amount),
        or(gt(payments.createdAt, link.createdAt), gt(payments.paidAt, link.createdAt)),
      ),
    );
}

import { openPaymentStatuses } from '@keyturn/contract';
import { and, asc, eq, inArray, isNotNull, isNull, notInArray, or, type Placeholder, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import { payments } from '../../schema/tables/payment-tables.ts';
import { caseClients, clients } from '../../schema/tables/tables.ts';
import type { NewPayment, PaymentChange, PaymentRow } from './rows.ts';

/** SQL for the payments themselves. */

/** Finds a payment on any case of this client. */
export async function findPaymentOfClient(
  connection: Connection,
  query: { clientId: string; paymentId: string },
): Promise<PaymentRow | undefined> {
  const [row] = await connection
    .select({ payment: payments })
    .from(payments)
    .innerJoin(
      caseClients,
      and(eq(caseClients.caseId, payments.caseId), eq(caseClients.clientId, query.clientId)),
    )
    .where(eq(payments.id, query.paymentId));
  return row?.payment;
}

export async function findPayment(connection: Connection, id: string): Promise<PaymentRow | undefined> {
  const [row] = await connection.select().from(payments).where(eq(payments.id, id));
  return row;
}

/** Sums what was received online for the matter of a payment, less refunds; for its case, if no matter is named. In pence. */
export async function sumReceived(
  connection: Connection,
  { caseId, matterId }: Pick<PaymentRow, 'caseId' | 'matterId'>,
): Promise<number> {
  const [row] = await connection
    .select({ sum: sql<number>`coalesce(sum(${payments.amount} - ${payments.refundedAmount}), 0)::int` })
    .from(payments)
    .where(
      and(
        eq(payments.caseId, caseId),
        isNotNull(payments.paidAt),
        matterId === null ? undefined : eq(payments.matterId, matterId),
      ),
    );
  return row?.sum ?? 0;
}

/** Locks a payment until the end of the transaction. */
export async function lockPayment(transaction: Transaction, id: string): Promise<PaymentRow | undefined> {
  const [row] = await transaction.select().from(payments).where(eq(payments.id, id)).for('update');
  return row;
}

/** Finds the payment that reserves a search: one under review first, otherwise the open or paid one. */
export async function findPaymentForSearch(
  connection: Connection,
  caseSearchId: string,
): Promise<PaymentRow | undefined> {
  const [row] = await connection
    .select()
    .from(payments)
    .where(occupiesSearch(caseSearchId))
    .orderBy(sql`${payments.reviewReason} is null`)
    .limit(1);
  return row;
}

/**
 * Condition for a payment that reserves this search. The status is not a parameter, so that a prepared statement uses
 * the index.
 */
export const occupiesSearch = (caseSearchId: string | Placeholder) =>
  and(
    eq(payments.caseSearchId, caseSearchId),
    or(
      and(sql`${payments.status} <> 'cancelled'`, isNull(payments.searchReleasedAt)),
      isNotNull(payments.reviewReason),
    ),
  );

export async function insertPayment(transaction: Transaction, payment: NewPayment): Promise<PaymentRow> {
  const [row] = await transaction.insert(payments).values(payment).returning();
  if (!row) throw new Error('the payment was not stored');
  return row;
}

/** Changes a payment; the database writes the change to the record. */
export async function updatePayment(
  connection: Connection,
  id: string,
  change: PaymentChange,
): Promise<PaymentRow> {
  const [row] = await connection
    .update(payments)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(payments.id, id))
    .returning();
  if (!row) throw new Error(`payment ${id} does not exist`);
  return row;
}

/**
 * Finds the open payments of a client in cases that they may no longer open, unless they are under review.
 * @param query.hasAccess whether to find those in all cases, although the client may open them
 */
export async function findPaymentsOfLostAccess(
  connection: Connection,
  { clientId, hasAccess }: { clientId: string; hasAccess: boolean },
): Promise<PaymentRow[]> {
  return connection
    .select()
    .from(payments)
    .where(
      and(
        sql`${clientId}::uuid in (coalesce(${payments.confirmedBy}, ${payments.clientId}), ${payments.lastPayerId})`,
        inArray(payments.status, ['requires_payment_method', 'requires_action']),
        isNull(payments.reviewReason),
        hasAccess
          ? undefined
          : sql`not exists (
              select from ${caseClients} join ${clients} on ${clients.id} = ${caseClients.clientId}
              where ${caseClients.caseId} = ${payments.caseId} and ${clients.id} = ${clientId}
                and ${clients.disabledAt} is null)`,
      ),
    );
}

/** Records which client asked to cancel an open payment; null clears it after a failed cancellation. */
export async function setCancellationRequester(
  connection: Connection,
  { id, clientId }: { id: string; clientId: string | null },
): Promise<void> {
  await connection
    .update(payments)
    .set({ cancelRequestedBy: clientId })
    .where(and(eq(payments.id, id), inArray(payments.status, openPaymentStatuses)));
}

/** Counts the open and the paid payments of every provider except these. */
export async function countOtherProvidersPayments(
  connection: Connection,
  providers: PaymentRow['provider'][],
) {
  const isOpen = inArray(payments.status, openPaymentStatuses);
  return connection
    .select({
      name: payments.provider,
      open: sql<number>`(count(*) filter (where ${isOpen}))::int`,
      paid: sql<number>`(count(*) filter (where ${payments.paidAt} is not null))::int`,
    })
    .from(payments)
    .where(notInArray(payments.provider, providers))
    .groupBy(payments.provider);
}

/**
 * Releases a search from its payment, so that another payment can pay for it. Without effect on a payment that is not
 * fully refunded. The search is locked.
 */
export async function releaseSearch(
  transaction: Transaction,
  { paymentId, at }: { paymentId: string; at: Date },
): Promise<void> {
  await transaction
    .update(payments)
    .set({ searchReleasedAt: at, updatedAt: sql`now()`, lastCause: 'search_offered_again' })
    .where(and(eq(payments.id, paymentId), eq(payments.status, 'refunded')));
}

/** Returns when the first payment of a provider was created; null if it has none. */
export async function findFirstPaymentDate(
  connection: Connection,
  provider: PaymentRow['provider'],
): Promise<Date | null> {
  const [row] = await connection
    .select({ createdAt: payments.createdAt })
    .from(payments)
    .where(eq(payments.provider, provider))
    .orderBy(asc(payments.createdAt))
    .limit(1);
  return row?.createdAt ?? null;
}

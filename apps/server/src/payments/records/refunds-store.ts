import { and, asc, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import { payments, refundChecks, refunds } from '../../schema/tables/payment-tables.ts';
import type { RefundStep } from './refund-states.ts';
import { hasRefundFailed } from './refund-states.ts';
import type { PaymentRow, RefundRow } from './rows.ts';

/** The SQL of refunds. Rows are only written under the lock of their payment. */

export type NewRefund = typeof refunds.$inferInsert;

/** Finds every refund of these payments, requests included, oldest first. */
export async function findRefunds(connection: Connection, paymentIds: string[]): Promise<RefundRow[]> {
  if (paymentIds.length === 0) return [];
  return connection
    .select()
    .from(refunds)
    .where(isOfPayments(paymentIds))
    .orderBy(asc(refunds.createdAt), asc(refunds.id));
}

/** Finds the refunds of these payments that the provider has, oldest first. */
export async function findProviderRefunds(
  connection: Connection,
  paymentIds: string[],
): Promise<RefundRow[]> {
  if (paymentIds.length === 0) return [];
  return connection
    .select()
    .from(refunds)
    .where(and(isOfPayments(paymentIds), isNotNull(refunds.providerRefundId)))
    .orderBy(asc(refunds.createdAt), asc(refunds.id));
}

/** Passed as an array, because a statement can have at most 65,535 parameters. */
const isOfPayments = (paymentIds: string[]) =>
  sql`${refunds.paymentId} = any(${sql.param(paymentIds)}::uuid[])`;

export async function findRefund(connection: Connection, id: string): Promise<RefundRow | undefined> {
  const [row] = await connection.select().from(refunds).where(eq(refunds.id, id));
  return row;
}

export async function insertRefund(transaction: Transaction, refund: NewRefund): Promise<RefundRow> {
  const [row] = await transaction.insert(refunds).values(refund).returning();
  if (!row) throw new Error('the refund was not stored');
  return row;
}

/** Changes a refund; the database writes a change of its status to the payment's record. */
export async function updateRefund(
  transaction: Transaction,
  id: string,
  change: Partial<NewRefund> & { lastCause: string },
): Promise<RefundRow> {
  const [row] = await transaction
    .update(refunds)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(refunds.id, id))
    .returning();
  if (!row) throw new Error(`refund ${id} does not exist`);
  return row;
}

/** Writes the rows of the planned steps. */
export async function storeRefundSteps(
  transaction: Transaction,
  { paymentId, steps, now }: { paymentId: string; steps: readonly RefundStep[]; now: Date },
  cause: { name: string; eventId?: string },
): Promise<void> {
  for (const { id, isNew, refund } of steps) {
    const facts = {
      providerRefundId: refund.refundId,
      status: refund.status,
      failureReason: refund.failureReason,
      failedAt: hasRefundFailed(refund.status) ? now : null,
      lastCause: cause.name,
      lastProviderEventId: cause.eventId ?? null,
    };
    if (!isNew) {
      await updateRefund(transaction, id, facts);
      continue;
    }
    const { amount, reason, createdAt } = refund;
    await insertRefund(transaction, { ...facts, id, paymentId, amount, reason, createdAt, updatedAt: now });
  }
}

/** Finds the paid payments of these intents that are not under review. */
export async function findPaidPaymentsOfIntents(
  connection: Connection,
  { provider, intentIds }: { provider: PaymentRow['provider']; intentIds: string[] },
): Promise<{ id: string; intentId: string | null }[]> {
  return connection
    .select({ id: payments.id, intentId: payments.providerIntentId })
    .from(payments)
    .where(
      and(
        eq(payments.provider, provider),
        sql`${payments.providerIntentId} = any(${sql.param(intentIds)}::text[])`,
        isNotNull(payments.paidAt),
        isNull(payments.reviewReason),
      ),
    );
}

/** Finds the refunds that the provider has not made yet, and that were created before a time, with their intents. */
export async function findOldPendingRefunds(
  connection: Connection,
  { provider, before }: { provider: PaymentRow['provider']; before: Date },
): Promise<{ intentId: string | null }[]> {
  return connection
    .selectDistinct({ intentId: payments.providerIntentId })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(
      and(
        eq(payments.provider, provider),
        inArray(refunds.status, ['pending', 'requires_action']),
        lt(refunds.createdAt, before),
      ),
    );
}

/** Finds the approved requests that have not reached the provider since `before`. */
export async function findRefundsToSubmit(
  connection: Connection,
  { provider, before }: { provider: PaymentRow['provider']; before: Date },
): Promise<RefundRow[]> {
  const rows = await connection
    .select({ refund: refunds })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(
      and(eq(payments.provider, provider), eq(refunds.status, 'approved'), lt(refunds.updatedAt, before)),
    );
  return rows.map(({ refund }) => refund);
}

/** Finds the requests that wait for approval, oldest first. */
export async function findRefundsToApprove(connection: Connection): Promise<RefundRow[]> {
  return connection
    .select()
    .from(refunds)
    .where(eq(refunds.status, 'awaiting_approval'))
    .orderBy(asc(refunds.createdAt), asc(refunds.id));
}

/** Replaces the key of a request, unless a concurrent call has replaced it. */
export async function replaceRefundKey(
  connection: Connection,
  { id, providerIdempotencyKey: key }: RefundRow,
): Promise<void> {
  const attempt = Number(/:(\d+)$/.exec(key ?? '')?.[1] ?? 1);
  await connection
    .update(refunds)
    .set({ providerIdempotencyKey: refundKey(id, attempt + 1) })
    .where(and(eq(refunds.id, id), eq(refunds.providerIdempotencyKey, key ?? '')));
}

/** The idempotency key for the provider. */
export const refundKey = (id: string, attempt = 1): string => `create-refund:${id}:${attempt}`;

/** Reads the time up to which the refunds at a provider were listed; null before the first time. */
export async function readListedUntil(
  connection: Connection,
  provider: PaymentRow['provider'],
): Promise<Date | null> {
  const [row] = await connection.select().from(refundChecks).where(eq(refundChecks.provider, provider));
  return row?.listedUntil ?? null;
}

export async function storeListedUntil(
  connection: Connection,
  provider: PaymentRow['provider'],
  listedUntil: Date,
): Promise<void> {
  await connection
    .insert(refundChecks)
    .values({ provider, listedUntil })
    .onConflictDoUpdate({ target: refundChecks.provider, set: { listedUntil } });
}

export interface RefundTotalMismatch {
  id: string;
  provider: PaymentRow['provider'];
  intentId: string | null;
  /** Pence, according to the payment's row. */
  refunded: number;
  failed: number;
  /** Pence, according to its refunds. */
  refundedRows: number;
  failedRows: number;
}

/** Finds the payments whose totals are not the sums of their refunds. */
export async function findRefundTotalMismatches(connection: Connection): Promise<RefundTotalMismatch[]> {
  const sumOf = (statuses: (typeof refunds.$inferSelect)['status'][]) =>
    sql<number>`coalesce(sum(${refunds.amount}) filter (where ${inArray(refunds.status, statuses)}), 0)::int`;
  const refundedRows = sumOf(['pending', 'requires_action', 'succeeded']);
  const failedRows = sumOf(['failed', 'cancelled']);
  return connection
    .select({
      id: payments.id,
      provider: payments.provider,
      intentId: payments.providerIntentId,
      refunded: payments.refundedAmount,
      failed: payments.failedRefundAmount,
      refundedRows,
      failedRows,
    })
    .from(payments)
    .leftJoin(refunds, eq(refunds.paymentId, payments.id))
    .where(isNotNull(payments.paidAt))
    .groupBy(payments.id)
    .having(
      or(
        sql`${payments.refundedAmount} <> ${refundedRows}`,
        sql`${payments.failedRefundAmount} <> ${failedRows}`,
      ),
    )
    .orderBy(asc(payments.createdAt));
}

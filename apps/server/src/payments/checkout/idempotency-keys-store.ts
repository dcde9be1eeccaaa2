import { and, eq, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import { paymentIdempotencyKeys } from '../../schema/tables/payment-tables.ts';
import { findPayment } from '../records/payments-store.ts';
import type { PaymentRow } from '../records/rows.ts';

/** Finds the payment for which a client has used an idempotency key. */
export async function findIdempotencyKey(connection: Connection, query: { clientId: string; key: string }) {
  const [row] = await connection
    .select()
    .from(paymentIdempotencyKeys)
    .where(
      and(eq(paymentIdempotencyKeys.clientId, query.clientId), eq(paymentIdempotencyKeys.key, query.key)),
    );
  return row;
}

/**
 * Locks an idempotency key of a client until the end of the transaction, and finds the payment that it started.
 */
export async function findPaymentOfKey(
  transaction: Transaction,
  query: { clientId: string; key: string },
): Promise<PaymentRow | undefined> {
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('payment key ' || ${query.clientId} || ' ' || ${query.key}, 0))`,
  );
  const used = await findIdempotencyKey(transaction, query);
  return used && findPayment(transaction, used.paymentId);
}

/** Stores an idempotency key. @returns false if a concurrent request has stored the same key */
export async function storeIdempotencyKey(
  transaction: Transaction,
  key: typeof paymentIdempotencyKeys.$inferInsert,
): Promise<boolean> {
  const { rowCount } = await transaction.insert(paymentIdempotencyKeys).values(key).onConflictDoNothing();
  return rowCount === 1;
}

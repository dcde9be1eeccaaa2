import { and, eq, isNull, or, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { isId } from '../../../platform/ids.ts';
import { payments } from '../../../platform/tables/payment-tables.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import { findPayment } from '../records/payments-store.ts';

/**
 * Stores the intent of a payment that has none.
 * @returns the payment's intent, another one if a concurrent request was first; and whether this call stored it
 */
export async function storeIntentId(
  connection: Connection,
  paymentId: string,
  { intentId, accountId }: { intentId: string; accountId: string | null },
): Promise<{ intentId: string; isNew: boolean }> {
  const { rowCount } = await connection
    .update(payments)
    .set({
      providerIntentId: intentId,
      providerAccountId: accountId,
      lastCause: 'intent_created',
      updatedAt: sql`now()`,
    })
    .where(and(eq(payments.id, paymentId), isNull(payments.providerIntentId)));
  if (rowCount === 1) return { intentId, isNew: true };
  return {
    intentId: (await findPayment(connection, paymentId))?.providerIntentId ?? intentId,
    isNew: false,
  };
}

/**
 * Replaces the key that creates a payment's intent, once the old key is of no use any more. Concurrent requests get
 * the same new key.
 * @param payment as it was when the old key was found to be useless
 */
export async function replaceProviderKey(connection: Connection, payment: PaymentRow): Promise<string> {
  const key = payment.providerIdempotencyKey;
  const attempt = Number(/:(\d+)$/.exec(key)?.[1] ?? 1);
  const next = `create-intent:${payment.id}:${attempt + 1}`;
  await connection
    .update(payments)
    .set({ providerIdempotencyKey: next, lastCause: 'another_attempt', updatedAt: sql`now()` })
    .where(and(eq(payments.id, payment.id), eq(payments.providerIdempotencyKey, key)));
  return (await findPayment(connection, payment.id))?.providerIdempotencyKey ?? next;
}

/** An intent, and the payment that its metadata names: the provider's data, which may be wrong. */
export interface NamedIntent {
  provider: PaymentRow['provider'];
  intentId: string;
  paymentId: string | null;
}

/** Finds the payment of an intent: by the intent's id, or by the payment's own id if it has no intent yet. */
export async function findPaymentOfIntent(
  connection: Connection,
  intent: NamedIntent,
): Promise<PaymentRow | undefined> {
  const [row] = await connection
    .select()
    .from(payments)
    .where(isOfIntent(intent))
    .orderBy(withIntentFirst)
    .limit(1);
  return row;
}

/** Finds the payment of an intent as `findPaymentOfIntent` does, and locks it until the end of the transaction. */
export async function lockPaymentOfIntent(
  transaction: Transaction,
  intent: NamedIntent,
): Promise<PaymentRow | undefined> {
  const [row] = await transaction
    .select()
    .from(payments)
    .where(isOfIntent(intent))
    .orderBy(withIntentFirst)
    .limit(1)
    .for('update');
  return row;
}

/** The payment that has the intent takes precedence over one that the intent's metadata names. */
const withIntentFirst = sql`${payments.providerIntentId} is null`;

const isOfIntent = ({ provider, intentId, paymentId }: NamedIntent) =>
  and(
    eq(payments.provider, provider),
    or(
      eq(payments.providerIntentId, intentId),
      // Metadata can contain any text, which PostgreSQL would reject as an id.
      paymentId && isId(paymentId)
        ? and(eq(payments.id, paymentId), isNull(payments.providerIntentId))
        : undefined,
    ),
  );

import { and, desc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Connection, Database, Transaction } from '../../platform/database.ts';
import { isId } from '../../platform/ids.ts';
import { prepareStatement } from '../../platform/prepared-statement.ts';
import { currentSocketId } from '../../platform/request-socket.ts';
import { payments } from '../../schema/tables/payment-tables.ts';
import { findPayment } from './payments-store.ts';
import type { PaymentRow } from './rows.ts';

/**
 * Stores the intent of a payment that has none.
 * @param created.payer the client whose request resets the expiry of the payment; null to leave the expiry as it is
 * @returns the payment's intent, another one if a concurrent request was first; and, if this call stored it, what the
 *   payment is after that
 */
export async function storeIntentId(
  connection: Connection,
  paymentId: string,
  created: {
    intentId: string;
    accountId: string | null;
    revision: number | null;
    payer: { clientId: string; address: string | undefined; at: Date } | null;
  },
): Promise<{ intentId: string; stored: StoredIntent | null }> {
  const { intentId, accountId, revision, payer } = created;
  const [stored] = await updateIntentId(connection, {
    paymentId,
    intentId,
    accountId,
    revision,
    payerId: payer?.clientId ?? null,
    payerAddress: payer?.address ?? null,
    nextCheckAt: payer?.at ?? null,
    socketId: currentSocketId() ?? '',
  });
  if (stored) return { intentId, stored };
  return {
    intentId: (await findPayment(connection, paymentId))?.providerIntentId ?? intentId,
    stored: null,
  };
}

export type StoredIntent = Pick<PaymentRow, 'status' | 'reviewReason'>;

/** A condition that is always true, and sets a parameter of PostgreSQL until the end of the statement's transaction. */
const setForTransaction = (name: string, value: SQL) =>
  sql`(select set_config(${sql.raw(`'${name}'`)}, ${value}, true)) is not null`;

const updateIntentId = prepareStatement('store_intent_id', (builder) => {
  const payerId = sql`${sql.placeholder('payerId')}::uuid`;
  return builder
    .update(payments)
    .set({
      providerIntentId: sql`${sql.placeholder('intentId')}`,
      providerAccountId: sql`${sql.placeholder('accountId')}`,
      providerRevision: sql`${sql.placeholder('revision')}`,
      lastCause: 'intent_created',
      updatedAt: sql`now()`,
      nextCheckAt: sql`coalesce(${sql.placeholder('nextCheckAt')}, ${payments.nextCheckAt})`,
      lastPayerId: sql`coalesce(${payerId}, ${payments.lastPayerId})`,
      lastPayerAddress: sql`case when ${payerId} is null then ${payments.lastPayerAddress}
        else ${sql.placeholder('payerAddress')} end`,
    })
    .where(
      and(
        eq(payments.id, sql.placeholder('paymentId')),
        isNull(payments.providerIntentId),
        // A lost intent can be found again by the payment's key, so the commit need not wait for the disk.
        setForTransaction('synchronous_commit', sql`'off'`),
        // For the database function `broadcast`.
        setForTransaction('keyturn.socket_id', sql`${sql.placeholder('socketId')}::text`),
      ),
    )
    .returning({ status: payments.status, reviewReason: payments.reviewReason });
});

/**
 * Replaces a key for creating a payment's intent that no longer works. Concurrent requests get the same new key.
 * @param payment its state when the old key failed
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

/** An intent with the payment that its metadata names, which may be wrong. */
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
  const [row] = await selectPaymentOfIntent(connection, valuesOf(intent));
  return row;
}

/** Finds the payment of an intent as `findPaymentOfIntent` does, and locks it until the end of the transaction. */
export async function lockPaymentOfIntent(
  transaction: Transaction,
  intent: NamedIntent,
): Promise<PaymentRow | undefined> {
  const [row] = await selectPaymentToLock(transaction, valuesOf(intent));
  return row;
}

/** The payment that has the intent takes precedence over one that the intent's metadata names. */
const withIntentFirst = sql`${payments.providerIntentId} is null`;

const selectByIntent = (builder: Database) =>
  builder
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.provider, sql.placeholder('provider')),
        or(
          eq(payments.providerIntentId, sql.placeholder('intentId')),
          and(sql`${payments.id} = ${sql.placeholder('paymentId')}::uuid`, isNull(payments.providerIntentId)),
        ),
      ),
    )
    .orderBy(withIntentFirst)
    .limit(1);

const selectPaymentOfIntent = prepareStatement('find_payment_of_intent', selectByIntent);
const selectPaymentToLock = prepareStatement('lock_payment_of_intent', (builder) =>
  selectByIntent(builder).for('update'),
);

/** Metadata can contain any text, which PostgreSQL would reject as an id. */
const valuesOf = ({ provider, intentId, paymentId }: NamedIntent) => ({
  provider,
  intentId,
  paymentId: paymentId && isId(paymentId) ? paymentId : null,
});

/** Finds the account of the latest payment that was started with a provider. */
export async function findLastAccount(
  connection: Connection,
  provider: PaymentRow['provider'],
): Promise<string | undefined> {
  const [row] = await connection
    .select({ accountId: payments.providerAccountId })
    .from(payments)
    .where(and(eq(payments.provider, provider), isNotNull(payments.providerAccountId)))
    .orderBy(desc(payments.createdAt))
    .limit(1);
  return row?.accountId ?? undefined;
}

import { and, desc, eq, exists, inArray, isNotNull, isNull, lte, ne, notInArray, or, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { isId } from '../../../platform/ids.ts';
import {
  paymentChanges,
  paymentIdempotencyKeys,
  payments,
  providerEvents,
  receiptCounters,
} from '../../../platform/payment-tables.ts';
import { caseClients } from '../../../platform/tables.ts';
import { isOpenEvent } from '../webhooks/events-store.ts';

/** The SQL of the tables of payments. */

export type PaymentRow = typeof payments.$inferSelect;
export type NewPayment = typeof payments.$inferInsert;
export type PaymentChange = Partial<NewPayment> & { lastCause: string };

/** A payment on any case of this client. */
export async function findPaymentOfClient(
  connection: Connection,
  of: { clientId: string; paymentId: string },
): Promise<PaymentRow | undefined> {
  const [row] = await connection
    .select({ payment: payments })
    .from(payments)
    .innerJoin(
      caseClients,
      and(eq(caseClients.caseId, payments.caseId), eq(caseClients.clientId, of.clientId)),
    )
    .where(eq(payments.id, of.paymentId));
  return row?.payment;
}

export async function findPayment(connection: Connection, id: string): Promise<PaymentRow | undefined> {
  const [row] = await connection.select().from(payments).where(eq(payments.id, id));
  return row;
}

/** The payment that holds a search: one that a person has to look at before any other, else open, or taken. */
export async function findPaymentForSearch(connection: Connection, caseSearchId: string) {
  const [row] = await connection
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.caseSearchId, caseSearchId),
        or(ne(payments.status, 'cancelled'), isNotNull(payments.reviewReason)),
      ),
    )
    .orderBy(sql`${payments.reviewReason} is null`)
    .limit(1);
  return row;
}

/**
 * Every payment of a case, the newest first, save those that were given up before any card was tried.
 * The record knows: a payment that was tried failed, or went on.
 */
export async function findPaymentsOfCase(connection: Connection, caseId: string): Promise<PaymentRow[]> {
  const tried = connection
    .select({ id: paymentChanges.id })
    .from(paymentChanges)
    .where(
      and(
        eq(paymentChanges.paymentId, payments.id),
        or(
          isNotNull(paymentChanges.failureCode),
          notInArray(paymentChanges.toStatus, ['requires_payment_method', 'cancelled']),
        ),
      ),
    );
  return connection
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.caseId, caseId),
        or(ne(payments.status, 'cancelled'), isNotNull(payments.reviewReason), exists(tried)),
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.id));
}

/** The other payments of a case come one after the other, from here to the end of the transaction. */
export async function lockOtherPaymentsOfCase(transaction: Transaction, caseId: string): Promise<void> {
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('other payments of ' || ${caseId}, 0))`,
  );
}

/**
 * Pence of the other payments of a case that count for the day in London on which `now` is: paid on it, or open
 * whenever they were begun, since they can still be paid on it.
 */
export async function sumOtherPaymentsOfDay(
  transaction: Transaction,
  of: { caseId: string; now: Date },
): Promise<number> {
  const [row] = await transaction
    .select({ sum: sql<number>`coalesce(sum(${payments.amount}), 0)`.mapWith(Number) })
    .from(payments)
    .where(
      and(
        eq(payments.caseId, of.caseId),
        eq(payments.kind, 'other'),
        or(
          inArray(payments.status, openStatuses),
          sql`(${payments.paidAt} at time zone 'Europe/London')::date
            = (${of.now.toISOString()}::timestamptz at time zone 'Europe/London')::date`,
        ),
      ),
    );
  return row?.sum ?? 0;
}

export async function insertPayment(transaction: Transaction, payment: NewPayment): Promise<PaymentRow> {
  const [row] = await transaction.insert(payments).values(payment).returning();
  if (!row) throw new Error('the payment was not stored');
  return row;
}

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
  if (!row) throw new Error(`payment ${id} is not there`);
  return row;
}

/** `payer` goes on with an open payment: it is young again, and the catch-up asks about it at `at`. */
export async function resetExpiry(
  connection: Connection,
  of: { id: string; at: Date; payer: { clientId: string; address: string | undefined } },
): Promise<void> {
  await connection
    .update(payments)
    .set({
      updatedAt: sql`now()`,
      nextCheckAt: of.at,
      lastPayerId: of.payer.clientId,
      lastPayerAddress: of.payer.address ?? null,
    })
    .where(and(eq(payments.id, of.id), inArray(payments.status, openStatuses)));
}

/**
 * Stores the intent of a payment that has none.
 * @returns the payment's intent, another one where somebody came first; and whether it was stored by this call
 */
export async function storeIntentId(
  connection: Connection,
  id: string,
  intentId: string,
): Promise<{ intentId: string; isNew: boolean }> {
  const { rowCount } = await connection
    .update(payments)
    .set({ providerIntentId: intentId, lastCause: 'intent_created', updatedAt: sql`now()` })
    .where(and(eq(payments.id, id), isNull(payments.providerIntentId)));
  if (rowCount === 1) return { intentId, isNew: true };
  return { intentId: (await findPayment(connection, id))?.providerIntentId ?? intentId, isNew: false };
}

/**
 * Begins another attempt to make the intent of a payment, with a key of its own. Two at once begin the same one.
 * @returns the key, stored
 */
export async function startNewIdempotencyKey(connection: Connection, payment: PaymentRow): Promise<string> {
  const key = payment.providerIdempotencyKey;
  const attempt = Number(/:(\d+)$/.exec(key)?.[1] ?? 1);
  const next = `create-intent:${payment.id}:${attempt + 1}`;
  await connection
    .update(payments)
    .set({ providerIdempotencyKey: next, lastCause: 'another_attempt', updatedAt: sql`now()` })
    .where(and(eq(payments.id, payment.id), eq(payments.providerIdempotencyKey, key)));
  return (await findPayment(connection, payment.id))?.providerIdempotencyKey ?? next;
}

/** An intent, and the payment that it names; a provider's words, not ours. */
export interface NamedIntent {
  provider: PaymentRow['provider'];
  intentId: string;
  paymentId: string | null;
}

/** The payment of an intent: by the intent's id, or by the payment's own where no intent is stored yet. */
export async function findPaymentOfIntent(
  connection: Connection,
  of: NamedIntent,
): Promise<PaymentRow | undefined> {
  const [row] = await connection.select().from(payments).where(isOfIntent(of)).orderBy(itsOwnFirst).limit(1);
  return row;
}

/** The same, locked to the end of the transaction. */
export async function lockPaymentOfIntent(
  transaction: Transaction,
  of: NamedIntent,
): Promise<PaymentRow | undefined> {
  const [row] = await transaction
    .select()
    .from(payments)
    .where(isOfIntent(of))
    .orderBy(itsOwnFirst)
    .limit(1)
    .for('update');
  return row;
}

/** The payment that has the intent comes before one that the intent's metadata has come to name. */
const itsOwnFirst = sql`${payments.providerIntentId} is null`;

const isOfIntent = ({ provider, intentId, paymentId }: NamedIntent) =>
  and(
    eq(payments.provider, provider),
    or(
      eq(payments.providerIntentId, intentId),
      // The provider's word may be anything.
      paymentId && isId(paymentId)
        ? and(eq(payments.id, paymentId), isNull(payments.providerIntentId))
        : undefined,
    ),
  );

/**
 * The next receipt number of a year: no number is given twice, and none is left out, since a transaction that
 * fails gives its number back. The next one waits for this one's end: ask for it last.
 */
export async function nextReceiptNumber(transaction: Transaction, year: number): Promise<string> {
  const [counter] = await transaction
    .insert(receiptCounters)
    .values({ year, last: 1 })
    .onConflictDoUpdate({
      target: receiptCounters.year,
      set: { last: sql`${receiptCounters.last} + 1` },
    })
    .returning();
  if (!counter) throw new Error('no receipt number was given');
  return `R-${year}-${String(counter.last).padStart(6, '0')}`;
}

/** What an Idempotency-Key of this client stands for, if it was used. */
export async function findIdempotencyKey(connection: Connection, of: { clientId: string; key: string }) {
  const [row] = await connection
    .select()
    .from(paymentIdempotencyKeys)
    .where(and(eq(paymentIdempotencyKeys.clientId, of.clientId), eq(paymentIdempotencyKeys.key, of.key)));
  return row;
}

/**
 * The payment that an Idempotency-Key of this client began, if it did. The same key comes one after the other, from
 * here to the end of the transaction.
 */
export async function findPaymentOfKey(
  transaction: Transaction,
  of: { clientId: string; key: string },
): Promise<PaymentRow | undefined> {
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('payment key ' || ${of.clientId} || ' ' || ${of.key}, 0))`,
  );
  const used = await findIdempotencyKey(transaction, of);
  return used && findPayment(transaction, used.paymentId);
}

/** Keeps an Idempotency-Key. @returns false where the same key was kept meanwhile */
export async function storeIdempotencyKey(
  transaction: Transaction,
  kept: typeof paymentIdempotencyKeys.$inferInsert,
): Promise<boolean> {
  const { rowCount } = await transaction.insert(paymentIdempotencyKeys).values(kept).onConflictDoNothing();
  return rowCount === 1;
}

/** How many payments of other providers are open, and how many were made. */
export async function countOtherProvidersPayments(connection: Connection, provider: PaymentRow['provider']) {
  const isOpen = inArray(payments.status, openStatuses);
  return connection
    .select({
      name: payments.provider,
      open: sql<number>`(count(*) filter (where ${isOpen}))::int`,
      paid: sql<number>`(count(*) filter (where ${payments.paidAt} is not null))::int`,
    })
    .from(payments)
    .where(ne(payments.provider, provider))
    .groupBy(payments.provider);
}

/** An intent about which something is still to be learned, and since when nothing was. */
export interface IntentToCheck {
  intentId: string;
  quietSince: Date;
}

/** The intents of a provider that it is time to ask about, the longest due first: open payments, and open events. */
export async function findIntentsToCheck(
  connection: Connection,
  of: { provider: PaymentRow['provider']; now: Date; limit: number },
): Promise<IntentToCheck[]> {
  const { rows } = await connection.execute<{ intent_id: string; quiet_since: string }>(sql`
    select intent_id, max(quiet_since) as quiet_since
    from (
      select provider_intent_id as intent_id, updated_at as quiet_since, next_check_at from ${payments}
      where ${eq(payments.provider, of.provider)} and ${isNotNull(payments.providerIntentId)}
        and ${inArray(payments.status, openStatuses)} and ${lte(payments.nextCheckAt, of.now)}
      union all
      select intent_id, received_at, next_check_at from ${providerEvents}
      where ${eq(providerEvents.provider, of.provider)} and ${isNotNull(providerEvents.intentId)}
        and ${isOpenEvent()} and ${lte(providerEvents.nextCheckAt, of.now)}
    ) as open
    group by intent_id order by min(next_check_at) limit ${of.limit}`);
  return rows.map((row) => ({ intentId: row.intent_id, quietSince: new Date(row.quiet_since) }));
}

/**
 * The payments of a provider that wait for a payer of whom nothing was heard since `quietBefore`, with or without an
 * intent, and that it is time to look at: the longest due first.
 */
export async function findPaymentsToExpire(
  connection: Connection,
  of: { provider: PaymentRow['provider']; now: Date; quietBefore: Date; limit: number },
): Promise<PaymentRow[]> {
  return connection
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.provider, of.provider),
        inArray(payments.status, ['requires_payment_method', 'requires_action']),
        lte(payments.updatedAt, of.quietBefore),
        lte(payments.nextCheckAt, of.now),
      ),
    )
    .orderBy(payments.nextCheckAt)
    .limit(of.limit);
}

/** An open payment is looked at again at `at`. */
export async function scheduleNextCheck(connection: Connection, of: { id: string; at: Date }): Promise<void> {
  await connection
    .update(payments)
    .set({ nextCheckAt: of.at })
    .where(and(eq(payments.id, of.id), inArray(payments.status, openStatuses)));
}

const openStatuses: PaymentRow['status'][] = ['requires_payment_method', 'requires_action', 'processing'];

/** The catch-up asks about an intent at `at` next. */
export async function scheduleNextIntentCheck(
  connection: Connection,
  of: { provider: PaymentRow['provider']; intentId: string; at: Date },
): Promise<void> {
  await connection
    .update(payments)
    .set({ nextCheckAt: of.at })
    .where(and(eq(payments.provider, of.provider), eq(payments.providerIntentId, of.intentId)));
  await connection
    .update(providerEvents)
    .set({ nextCheckAt: of.at })
    .where(
      and(eq(providerEvents.provider, of.provider), eq(providerEvents.intentId, of.intentId), isOpenEvent()),
    );
}

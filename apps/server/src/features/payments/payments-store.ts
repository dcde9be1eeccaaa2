import { and, eq, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import { caseClients, paymentIdempotencyKeys, payments, providerEvents } from '../../platform/tables.ts';
import type { ProviderEvent } from './ports.ts';

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

/** The one payment that holds a search: open, or taken. */
export async function findPaymentForSearch(connection: Connection, caseSearchId: string) {
  const [row] = await connection
    .select()
    .from(payments)
    .where(and(eq(payments.caseSearchId, caseSearchId), ne(payments.status, 'canceled')));
  return row;
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

/** Stores the intent of a payment that has none. Whoever comes second changes nothing. */
export async function storeIntentId(connection: Connection, id: string, intentId: string): Promise<void> {
  await connection
    .update(payments)
    .set({ providerIntentId: intentId, lastCause: 'intent_created', updatedAt: sql`now()` })
    .where(and(eq(payments.id, id), isNull(payments.providerIntentId)));
}

/** The payment of an intent, locked: by the intent's id, or by the payment's own where no intent is stored yet. */
export async function lockPaymentOfIntent(
  transaction: Transaction,
  of: { provider: PaymentRow['provider']; intentId: string; paymentId: string | null },
): Promise<PaymentRow | undefined> {
  const [row] = await transaction
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.provider, of.provider),
        or(
          eq(payments.providerIntentId, of.intentId),
          of.paymentId ? and(eq(payments.id, of.paymentId), isNull(payments.providerIntentId)) : undefined,
        ),
      ),
    )
    .for('update');
  return row;
}

export async function nextReceiptNumber(transaction: Transaction): Promise<string> {
  const { rows } = await transaction.execute<{ number: string }>(
    sql`select nextval('receipt_numbers') as number`,
  );
  return `R-${String(rows[0]?.number).padStart(6, '0')}`;
}

/** What an Idempotency-Key of this client stands for, if it was used. */
export async function findIdempotencyKey(connection: Connection, of: { clientId: string; key: string }) {
  const [row] = await connection
    .select()
    .from(paymentIdempotencyKeys)
    .where(and(eq(paymentIdempotencyKeys.clientId, of.clientId), eq(paymentIdempotencyKeys.key, of.key)));
  return row;
}

/** Keeps an Idempotency-Key. @returns false where the same key was kept meanwhile */
export async function keepIdempotencyKey(
  transaction: Transaction,
  kept: typeof paymentIdempotencyKeys.$inferInsert,
): Promise<boolean> {
  const { rowCount } = await transaction.insert(paymentIdempotencyKeys).values(kept).onConflictDoNothing();
  return rowCount === 1;
}

/** Stores what a provider said, once. @returns how an earlier copy of it ended; undefined where it is not yet done */
export async function storeEvent(
  connection: Connection,
  provider: PaymentRow['provider'],
  event: ProviderEvent,
  receivedAt: Date,
) {
  await connection
    .insert(providerEvents)
    .values({
      provider,
      eventId: event.id,
      type: event.type,
      intentId: event.intentId,
      body: event.body,
      receivedAt,
    })
    .onConflictDoNothing();
  const [row] = await connection
    .select({ outcome: providerEvents.outcome })
    .from(providerEvents)
    .where(and(eq(providerEvents.provider, provider), eq(providerEvents.eventId, event.id)));
  return row?.outcome ?? undefined;
}

/** Closes every open event of an intent: the state that was just applied is newer than all of them. */
export async function closeEvents(
  connection: Connection,
  of: { provider: PaymentRow['provider']; intentId: string; receivedUntil: Date },
  outcome: NonNullable<(typeof providerEvents.$inferSelect)['outcome']>,
): Promise<void> {
  await connection
    .update(providerEvents)
    .set({ outcome, appliedAt: sql`now()` })
    .where(
      and(
        eq(providerEvents.provider, of.provider),
        eq(providerEvents.intentId, of.intentId),
        lte(providerEvents.receivedAt, of.receivedUntil),
        or(isNull(providerEvents.outcome), eq(providerEvents.outcome, 'unmatched')),
      ),
    );
}

export async function ignoreEvent(connection: Connection, provider: PaymentRow['provider'], eventId: string) {
  await connection
    .update(providerEvents)
    .set({ outcome: 'ignored', appliedAt: sql`now()` })
    .where(and(eq(providerEvents.provider, provider), eq(providerEvents.eventId, eventId)));
}

/** Intents about which something is still to be learned: open payments, and events not yet acted on. */
export async function findOpenIntents(connection: Connection, limit: number): Promise<string[]> {
  const { rows } = await connection.execute<{ intent_id: string }>(sql`
    select provider_intent_id as intent_id from ${payments}
    where ${isNotNull(payments.providerIntentId)}
      and ${inArray(payments.status, ['requires_payment_method', 'requires_action', 'processing'])}
      and ${payments.updatedAt} > now() - interval '2 days'
    union
    select intent_id from ${providerEvents}
    where ${isNotNull(providerEvents.intentId)} and ${or(isNull(providerEvents.outcome), eq(providerEvents.outcome, 'unmatched'))}
      and ${providerEvents.receivedAt} > now() - interval '2 days'
    limit ${limit}`);
  return rows.map((row) => row.intent_id);
}

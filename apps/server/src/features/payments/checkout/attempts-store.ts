import { createHash } from 'node:crypto';
import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { paymentAttempts, payments, providerEvents } from '../../../platform/payment-tables.ts';
import { throttledAddress } from '../../../platform/throttled-address.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import { isOpenEvent } from '../webhooks/events-store.ts';

/** The SQL of what is counted against card testing. */

export type AttemptKind = (typeof paymentAttempts.$inferSelect)['kind'];

/** Whose attempts are counted: the client's, and those from the address, which is null where none is known. */
export interface AttemptSubjects {
  clientId: string;
  address: Buffer | null;
}

export const subjectsOf = (clientId: string, address: string | null | undefined): AttemptSubjects => ({
  clientId,
  address: address
    ? createHash('sha256')
        .update(`address ${throttledAddress(address)}`)
        .digest()
    : null,
});

/** Whoever counts for these comes one after the other, on every server, to the end of the transaction. */
export async function lockSubjects(transaction: Transaction, { clientId, address }: AttemptSubjects) {
  const names = [clientId, ...(address ? [address.toString('hex')] : [])];
  // The client before the address, everywhere: two who lock in another order wait for each other.
  for (const name of names) {
    await transaction.execute(
      sql`select pg_advisory_xact_lock(hashtextextended('payment attempts ' || ${name}, 0))`,
    );
  }
}

/** A subject that has had all its attempts, and when the one was made that has to be over before there is room. */
export interface ThrottledSubject {
  subject: 'client' | 'address';
  decisiveAt: Date;
}

/** @param most that each may have had since `since` */
export async function findThrottledSubjects(
  connection: Connection,
  subjects: AttemptSubjects,
  of: { kind: AttemptKind; most: { client: number; address: number }; since: Date },
): Promise<ThrottledSubject[]> {
  const decisive = (subject: ThrottledSubject['subject'], isOfIt: SQL) => sql`
    (select ${subject}::text as subject, extract(epoch from happened_at) * 1000 as decisive_at
      from payment_attempts
      where ${isOfIt} and kind = ${of.kind} and happened_at > ${of.since.toISOString()}
      order by happened_at desc offset ${of.most[subject] - 1} limit 1)`;
  const { rows } = await connection.execute<{ subject: ThrottledSubject['subject']; decisive_at: string }>(
    sql`${decisive('client', sql`client_id = ${subjects.clientId}`)}
      union all ${decisive('address', sql`address = ${subjects.address}`)}`,
  );
  return rows.map((row) => ({ subject: row.subject, decisiveAt: new Date(Number(row.decisive_at)) }));
}

export async function insertAttempt(
  connection: Connection,
  attempt: typeof paymentAttempts.$inferInsert,
): Promise<boolean> {
  const { rowCount } = await connection.insert(paymentAttempts).values(attempt).onConflictDoNothing();
  return rowCount === 1;
}

/**
 * Gives an event to a decline of its payment that was counted before the event came.
 * @returns whether there was one
 */
export async function assignEventToDecline(
  connection: Connection,
  of: { paymentId: string; eventId: string },
): Promise<boolean> {
  const { rowCount } = await connection.execute(sql`
    update ${paymentAttempts} set provider_event_id = ${of.eventId}
    where id = (
      select id from ${paymentAttempts}
      where payment_id = ${of.paymentId} and kind = 'decline' and provider_event_id is null
      order by id limit 1 for update)`);
  return rowCount === 1;
}

/** Whether a decline of this payment was counted with an event that is not acted on yet. */
export async function hasOpenDecline(
  connection: Connection,
  of: { provider: PaymentRow['provider']; paymentId: string },
): Promise<boolean> {
  const found = await connection
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .innerJoin(
      providerEvents,
      and(
        eq(providerEvents.provider, of.provider),
        eq(providerEvents.eventId, paymentAttempts.providerEventId),
        isOpenEvent(),
      ),
    )
    .where(and(eq(paymentAttempts.paymentId, of.paymentId), eq(paymentAttempts.kind, 'decline')))
    .limit(1);
  return found.length > 0;
}

/** What a card can still be tried on: the open payments that this client asked for last, and one more. */
export async function findPaymentsToCancel(
  connection: Connection,
  of: { clientId: string | null; paymentId: string },
): Promise<PaymentRow[]> {
  return connection
    .select()
    .from(payments)
    .where(
      and(
        inArray(payments.status, ['requires_payment_method', 'requires_action']),
        isNotNull(payments.providerIntentId),
        // Whose intent that is, a person has to find out; nobody is given its secret.
        isNull(payments.reviewReason),
        or(eq(payments.id, of.paymentId), of.clientId ? eq(payments.lastPayerId, of.clientId) : undefined),
      ),
    );
}

/** The oldest first and not too many at once. */
export async function deleteAttempts(connection: Connection, before: Date): Promise<void> {
  await connection.execute(sql`
    delete from ${paymentAttempts} where id in (
      select id from ${paymentAttempts} where happened_at <= ${before.toISOString()}
      order by id limit 1000 for update skip locked)`);
}

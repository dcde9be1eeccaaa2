import { createHash } from 'node:crypto';
import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { paymentAttempts, payments, providerEvents } from '../../../platform/tables/payment-tables.ts';
import { throttledAddress } from '../../../platform/throttled-address.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import { isOpenEvent } from '../webhooks/events-store.ts';

/** SQL for the attempts that are counted against card testing. */

export type AttemptKind = (typeof paymentAttempts.$inferSelect)['kind'];

/** What attempts are counted for: the client, and the hash of the address, which is null if unknown. */
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

/** Locks the counts of these subjects until the end of the transaction, on all servers. */
export async function lockSubjects(transaction: Transaction, { clientId, address }: AttemptSubjects) {
  const names = [clientId, ...(address ? [address.toString('hex')] : [])];
  // Always the client before the address: another order could deadlock.
  for (const name of names) {
    await transaction.execute(
      sql`select pg_advisory_xact_lock(hashtextextended('payment attempts ' || ${name}, 0))`,
    );
  }
}

/** A subject that has reached its limit, and the attempt that has to become too old before another is allowed. */
export interface ThrottledSubject {
  subject: 'client' | 'address';
  decisiveAt: Date;
}

/** @param query.max the limit of each subject since `since` */
export async function findThrottledSubjects(
  connection: Connection,
  subjects: AttemptSubjects,
  query: { kind: AttemptKind; max: { client: number; address: number }; since: Date },
): Promise<ThrottledSubject[]> {
  const decisive = (subject: ThrottledSubject['subject'], isSubject: SQL) => sql`
    (select ${subject}::text as subject, extract(epoch from happened_at) * 1000 as decisive_at
      from payment_attempts
      where ${isSubject} and kind = ${query.kind} and happened_at > ${query.since.toISOString()}
      order by happened_at desc offset ${query.max[subject] - 1} limit 1)`;
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
 * Assigns an event to a decline of its payment that was counted before the event came.
 * @returns whether there was such a decline
 */
export async function assignEventToDecline(
  connection: Connection,
  query: { paymentId: string; eventId: string },
): Promise<boolean> {
  const { rowCount } = await connection.execute(sql`
    update ${paymentAttempts} set provider_event_id = ${query.eventId}
    where id = (
      select id from ${paymentAttempts}
      where payment_id = ${query.paymentId} and kind = 'decline' and provider_event_id is null
      order by id limit 1 for update)`);
  return rowCount === 1;
}

/** Whether a decline of this payment was already counted with an event that is not processed yet. */
export async function hasOpenDecline(
  connection: Connection,
  query: { provider: PaymentRow['provider']; paymentId: string },
): Promise<boolean> {
  const found = await connection
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .innerJoin(
      providerEvents,
      and(
        eq(providerEvents.provider, query.provider),
        eq(providerEvents.eventId, paymentAttempts.providerEventId),
        isOpenEvent(),
      ),
    )
    .where(and(eq(paymentAttempts.paymentId, query.paymentId), eq(paymentAttempts.kind, 'decline')))
    .limit(1);
  return found.length > 0;
}

/** Finds the open payments that this client continued last, and the given payment. */
export async function findPaymentsToCancel(
  connection: Connection,
  query: { clientId: string | null; paymentId: string },
): Promise<PaymentRow[]> {
  return connection
    .select()
    .from(payments)
    .where(
      and(
        inArray(payments.status, ['requires_payment_method', 'requires_action']),
        isNotNull(payments.providerIntentId),
        // Payments under review are left to the firm; their secrets are given to no one.
        isNull(payments.reviewReason),
        or(
          eq(payments.id, query.paymentId),
          query.clientId ? eq(payments.lastPayerId, query.clientId) : undefined,
        ),
      ),
    );
}

/** Deletes old attempts, the oldest first, a thousand at a time. */
export async function deleteAttempts(connection: Connection, before: Date): Promise<void> {
  await connection.execute(sql`
    delete from ${paymentAttempts} where id in (
      select id from ${paymentAttempts} where happened_at <= ${before.toISOString()}
      order by id limit 1000 for update skip locked)`);
}

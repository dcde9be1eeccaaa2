import { createHash } from 'node:crypto';
import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import { prepareSql } from '../../platform/prepared-statement.ts';
import { throttledAddress } from '../../platform/requests/throttled-address.ts';
import { deleteExpiredRows } from '../../schema/tables/delete-expired-rows.ts';
import {
  paymentAttempts,
  paymentIdempotencyKeys,
  payments,
  providerEvents,
} from '../../schema/tables/payment-tables.ts';
import { isOpenEvent } from '../records/events-store.ts';
import type { PaymentRow } from '../records/rows.ts';

/** SQL for the attempts that are counted against card testing. */

export type AttemptKind = (typeof paymentAttempts.$inferSelect)['kind'];

/** The subjects of counts: the client, and the hash of the address, which is null if unknown. */
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

/** Names the advisory locks of the counts of these subjects. Always the client first: another order could deadlock. */
export const locksOf = ({ clientId, address }: AttemptSubjects): string[] =>
  [clientId, ...(address ? [address.toString('hex')] : [])].map((name) => `payment attempts ${name}`);

/** Acquires advisory locks until the end of the transaction, in this order, on all servers. */
export async function acquireLocks(transaction: Transaction, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
  }
}

/** A subject that has reached its limit, and the attempt that must expire before another is allowed. */
export interface ThrottledSubject {
  kind: AttemptKind;
  subject: 'client' | 'address';
  decisiveAt: Date;
}

/** The subjects, the number of allowed attempts, and the start of the time windows. */
export interface AttemptWindows extends AttemptSubjects, Record<string, unknown> {
  startsOfClient: number;
  startsOfAddress: number;
  startsSince: Date;
  declinesOfClient: number;
  declinesOfAddress: number;
  declinesSince: Date;
}

export async function findThrottledSubjects(
  connection: Connection,
  windows: AttemptWindows,
): Promise<ThrottledSubject[]> {
  const { rows } = await selectThrottled(connection, windows);
  return rows.map(toThrottledSubject);
}

export interface ThrottledRow extends Record<string, unknown> {
  kind: AttemptKind;
  subject: ThrottledSubject['subject'];
  /** Milliseconds since 1970. */
  decisive_at: string | number;
}

export const toThrottledSubject = ({ kind, subject, decisive_at }: ThrottledRow): ThrottledSubject => ({
  kind,
  subject,
  decisiveAt: new Date(Number(decisive_at)),
});

/** Selects rows of `ThrottledRow`; its placeholders are the fields of `AttemptWindows`. */
export const throttledSubjects = (): SQL =>
  sql.join(
    [
      decisiveAttempt('start', 'client', { max: 'startsOfClient', since: 'startsSince' }),
      decisiveAttempt('start', 'address', { max: 'startsOfAddress', since: 'startsSince' }),
      decisiveAttempt('decline', 'client', { max: 'declinesOfClient', since: 'declinesSince' }),
      decisiveAttempt('decline', 'address', { max: 'declinesOfAddress', since: 'declinesSince' }),
    ],
    sql` union all `,
  );

const decisiveAttempt = (
  kind: AttemptKind,
  subject: ThrottledSubject['subject'],
  names: { max: string; since: string },
) => sql`
  (select ${sql.raw(`'${kind}' as kind, '${subject}' as subject`)},
      extract(epoch from happened_at) * 1000 as decisive_at
    from payment_attempts
    where ${isOf[subject]()} and kind = ${sql.raw(`'${kind}'`)}
      and happened_at > ${sql.placeholder(names.since)}::timestamptz
    order by happened_at desc offset ${sql.placeholder(names.max)}::int - 1 limit 1)`;

const isOf = {
  client: () => sql`client_id = ${sql.placeholder('clientId')}::uuid`,
  address: () => sql`address = ${sql.placeholder('address')}::bytea`,
};

const selectThrottled = prepareSql<ThrottledRow, AttemptWindows>(
  'find_throttled_subjects',
  throttledSubjects,
);

export async function insertAttempt(
  connection: Connection,
  attempt: typeof paymentAttempts.$inferInsert,
): Promise<boolean> {
  const { rowCount } = await connection.insert(paymentAttempts).values(attempt).onConflictDoNothing();
  return rowCount === 1;
}

/**
 * Assigns an event to a decline of its payment that was counted before the event arrived.
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

/** Finds the open payments of which this client was the last payer, and the given payment. */
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
        // Payments under review are left to the firm; no client gets their secrets.
        isNull(payments.reviewReason),
        or(
          eq(payments.id, query.paymentId),
          query.clientId ? eq(payments.lastPayerId, query.clientId) : undefined,
        ),
      ),
    );
}

/** Deletes old attempts, in batches. */
export const deleteAttempts = (connection: Connection, before: Date): Promise<number> =>
  deleteExpiredRows(connection, { table: paymentAttempts, age: paymentAttempts.happenedAt }, before);

/** Deletes old idempotency keys, in batches. */
export const deleteIdempotencyKeys = (connection: Connection, before: Date): Promise<number> =>
  deleteExpiredRows(
    connection,
    { table: paymentIdempotencyKeys, age: paymentIdempotencyKeys.createdAt },
    before,
  );

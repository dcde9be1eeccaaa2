import { getTableColumns, sql } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database.ts';
import { prepareSql, prepareStatement } from '../../../platform/prepared-statement.ts';
import { payments } from '../../../platform/tables/payment-tables.ts';
import type { NewPayment, PaymentRow } from '../records/payment-row.ts';
import { occupiesSearch } from '../records/payments-store.ts';
import {
  type AttemptSubjects,
  type AttemptWindows,
  type ThrottledRow,
  type ThrottledSubject,
  throttledSubjects,
  toThrottledSubject,
} from './attempts-store.ts';

/** The two statements of starting a payment: everything that decides about it, and everything that it stores. */

/** What decides whether a client may start a payment, next to what it is for. */
export interface StartFacts {
  /** What the client has used the idempotency key for. */
  usedKey: { paymentId: string; contentHash: Buffer } | null;
  /** The subjects of the payer that have reached a limit of attempts. */
  throttled: ThrottledSubject[];
  /** Whether a payment occupies the search. */
  isOccupied: boolean;
}

/** Reads the facts. Call it with everything locked: what a concurrent request has stored is then seen. */
export async function findStartFacts(
  transaction: Transaction,
  query: { windows: AttemptWindows; key: string | undefined; caseSearchId: string | null },
): Promise<StartFacts> {
  const { windows, key = null, caseSearchId } = query;
  const { rows } = await selectStartFacts(transaction, { ...windows, key, caseSearchId });
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL returned no facts');
  const { is_occupied, used_for, content_hash, throttled } = row;
  return {
    usedKey: used_for && content_hash ? { paymentId: used_for, contentHash: content_hash } : null,
    throttled: (throttled ?? []).map(toThrottledSubject),
    isOccupied: is_occupied,
  };
}

const selectStartFacts = prepareSql<
  {
    is_occupied: boolean;
    used_for: string | null;
    content_hash: Buffer | null;
    throttled: ThrottledRow[] | null;
  },
  AttemptWindows & { key: string | null; caseSearchId: string | null }
>(
  'find_start_facts',
  () => sql`
    select exists (select from ${payments} where ${occupiesSearch(sql.placeholder('caseSearchId'))}) as is_occupied,
      used_key.payment_id as used_for, used_key.content_hash,
      (select json_agg(throttled) from (${throttledSubjects()}) as throttled) as throttled
    from (values (true)) as always
    left join payment_idempotency_keys as used_key
      on used_key.client_id = ${sql.placeholder('clientId')}::uuid and used_key.key = ${sql.placeholder('key')}`,
);

/**
 * Stores a started payment, counts the start, and stores the idempotency key.
 * @param started.key null to store none
 * @returns the payment, and whether a concurrent request has used the key
 */
export async function insertStartedPayment(
  transaction: Transaction,
  started: {
    payment: NewPayment & Pick<PaymentRow, 'createdAt'>;
    subjects: AttemptSubjects;
    key: { key: string; contentHash: Buffer } | null;
  },
): Promise<{ payment: PaymentRow; isKeyConflict: boolean }> {
  const { payment, subjects, key } = started;
  const [row] = await insertStart(transaction, {
    payment: toRecord(payment),
    clientId: subjects.clientId,
    address: subjects.address,
    key: key?.key ?? null,
    contentHash: key?.contentHash ?? null,
  });
  if (!row) throw new Error('the payment was not stored');
  return { payment: row.payment, isKeyConflict: key !== null && row.storedKeys === 0 };
}

const columns = getTableColumns(payments);

/** A new payment as JSON with the names of the database's columns. */
const toRecord = (payment: NewPayment): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries({ ...defaults, ...payment }).map(([name, value]) => [
        columns[name as keyof NewPayment].name,
        value,
      ]),
    ),
  );

/** The columns that must have a value, and that a payment is started without. */
const defaults = { currency: 'gbp', refundedAmount: 0, failedRefundAmount: 0 };

const insertStart = prepareStatement('insert_started_payment', (builder) => {
  const payment = builder.$with('payment', columns).as(sql`
    insert into ${payments}
    select started.* from jsonb_populate_record(null::payments, ${sql.placeholder('payment')}::jsonb) as started
    returning *`);
  const attempt = builder.$with('attempt', {}).as(sql`
    insert into payment_attempts (kind, payment_id, client_id, address, happened_at)
    select 'start', id, ${sql.placeholder('clientId')}::uuid, ${sql.placeholder('address')}::bytea, created_at
    from payment`);
  const storedKey = builder.$with('stored_key', {}).as(sql`
    insert into payment_idempotency_keys (client_id, key, content_hash, payment_id)
    select ${sql.placeholder('clientId')}::uuid, ${sql.placeholder('key')}::text,
      ${sql.placeholder('contentHash')}::bytea, id
    from payment where ${sql.placeholder('key')}::text is not null
    on conflict do nothing returning key`);
  return builder
    .with(payment, attempt, storedKey)
    .select({
      payment: allOf(payment as object),
      storedKeys: sql<number>`(select count(*)::int from stored_key)`,
    })
    .from(payment);
});

/** All columns of a query of payments, as a part of a selection. */
const allOf = (query: Partial<typeof columns>) =>
  Object.fromEntries(
    Object.keys(columns).map((name) => [name, query[name as keyof typeof columns]]),
  ) as typeof columns;

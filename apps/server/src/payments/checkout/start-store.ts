import { getTableColumns, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { prepareSql } from '../../platform/prepared-statement.ts';
import { commitWith } from '../../platform/run-transaction.ts';
import { payments } from '../../schema/tables/payment-tables.ts';
import {
  type AttemptSubjects,
  type AttemptWindows,
  type ThrottledRow,
  type ThrottledSubject,
  throttledSubjects,
  toThrottledSubject,
} from '../attempts/attempts-store.ts';
import { occupiesSearch } from '../records/payments-store.ts';
import type { NewPayment, PaymentRow } from '../records/rows.ts';

/** The two statements that start a payment: one reads the facts, and one stores the payment. */

/** The facts that determine whether a client may start a payment, apart from its search, bill or purpose. */
export interface StartFacts {
  /** The payment for which the client has used the idempotency key. */
  usedKey: { paymentId: string; contentHash: Buffer } | null;
  /** The subjects of the payer that have reached a limit of attempts. */
  throttled: ThrottledSubject[];
  /** Whether a payment occupies the search. */
  isOccupied: boolean;
}

/** Reads the facts. Call it with everything locked, so that it sees what concurrent requests have stored. */
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
 * Stores a started payment, counts the start, stores the idempotency key, and commits the transaction.
 * @param started.key null to store none
 * @returns the payment
 * @throws DomainError `idempotency_key_reused` if a concurrent request has used the key to pay for something else
 */
export async function commitStartedPayment(
  transaction: Transaction,
  started: {
    payment: StartedPayment;
    subjects: AttemptSubjects;
    key: { key: string; contentHash: Buffer } | null;
  },
): Promise<PaymentRow> {
  const { subjects, key } = started;
  const payment = toRow(started.payment);
  const insert = insertStart(transaction, {
    ...payment,
    lines: JSON.stringify(payment.lines),
    address: subjects.address,
    key: key?.key ?? null,
    contentHash: key?.contentHash ?? null,
  });
  await commitWith(transaction, insert).catch((error: unknown) => {
    throw isKeyConflict(error) ? new DomainError('idempotency_key_reused') : error;
  });
  return payment;
}

const isKeyConflict = (error: unknown): boolean =>
  error instanceof Error &&
  (error.cause as { constraint?: unknown } | undefined)?.constraint === 'payment_idempotency_keys_pkey';

const columns = getTableColumns(payments);

/** The row of a new payment, so that PostgreSQL need not return it. */
const toRow = (payment: StartedPayment): PaymentRow => ({ ...emptyRow, ...payment }) as PaymentRow;

const emptyRow = {
  ...Object.fromEntries(Object.keys(columns).map((name) => [name, null])),
  currency: 'gbp',
  refundedAmount: 0,
  failedRefundAmount: 0,
};

/** The columns that a payment can have when it is started. */
const startColumns = [
  'id',
  'caseId',
  'clientId',
  'kind',
  'method',
  'status',
  'amount',
  'description',
  'category',
  'reference',
  'matterId',
  'caseSearchId',
  'billId',
  'lines',
  'provider',
  'providerIdempotencyKey',
  'orderNow',
  'orderNowAt',
  'ownCard',
  'payerName',
  'receiptEmail',
  'confirmedBy',
  'wording',
  'orderWording',
  'orderWords',
  'lastPayerId',
  'lastPayerAddress',
  'lastCause',
  'nextCheckAt',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof NewPayment)[];

export type StartedPayment = Pick<NewPayment, (typeof startColumns)[number]>;

const insertStart = prepareSql<Record<string, never>, Record<string, unknown>>(
  'insert_started_payment',
  () => sql`
    with payment as (
      insert into ${payments} (${sql.join(
        startColumns.map((name) => sql.identifier(columns[name].name)),
        sql`, `,
      )})
      values (${sql.join(
        startColumns.map((name) => sql.placeholder(name)),
        sql`, `,
      )})
    ), attempt as (
      insert into payment_attempts (kind, payment_id, client_id, address, happened_at)
      values ('start', ${sql.placeholder('id')}, ${sql.placeholder('clientId')}, ${sql.placeholder('address')},
        ${sql.placeholder('createdAt')})
    )
    insert into payment_idempotency_keys (client_id, key, content_hash, payment_id)
    select ${sql.placeholder('clientId')}::uuid, ${sql.placeholder('key')}::text,
      ${sql.placeholder('contentHash')}::bytea, ${sql.placeholder('id')}::uuid
    where ${sql.placeholder('key')}::text is not null`,
);

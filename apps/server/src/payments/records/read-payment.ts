import type { Payment } from '@keyturn/contract';
import {
  bankPaymentState,
  PaymentLine,
  PaymentSupplier,
  paymentFailureMessage,
  type RefundStatus,
} from '@keyturn/contract';
import { londonDay } from '@keyturn/format/london-time';
import { expectedClearingDay } from '@keyturn/format/working-days';
import { type SQL, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { providersByName } from '../../platform/provider-names.ts';
import { type ClientRead, defineRead } from '../../platform/reads/client-read.ts';
import { asInstant, columns, entityFields, instants, jsonList } from '../../platform/reads/contract-json.ts';
import { limitTo } from '../../platform/reads/limit-to.ts';
import { allocatedLines } from './allocated-lines.ts';
import { isStoppedByProvider } from './payment-states.ts';
import { findPaymentOfClient } from './payments-store.ts';
import type { PaymentRow, RefundRow } from './rows.ts';

/** Lists the payments of the client's active case, made by any of its clients, newest first. */
export const readPayments = defineRead<StoredPayment[], Payment[], object>({
  name: 'read_payments',
  select: (client, shownCase) =>
    jsonList(storedPayment(client), {
      query: sql`
        from ${shownCase} active_case
        join payments payment on payment.case_id = active_case.id ${partsOfPayment}
        where ${isListed}`,
      order: sql`payment.created_at desc, payment.id desc`,
    }),
  toAnswer: (stored) => stored.map(toPayment),
});

/**
 * Reads a payment on any case of this client in the contract's form.
 * @throws DomainError `not_found`, the same for an unknown payment and for one of another client
 */
export function readPayment(id: string): ClientRead<Payment> {
  if (!isId(id)) throw new DomainError('not_found');
  return readOne({ id });
}

const readOne = defineRead<StoredPayment | null, Payment, { id: string }>({
  name: 'read_payment',
  select: (client) => sql`(
    select ${storedPayment(client)}
    from case_clients member
    join payments payment on payment.case_id = member.case_id ${partsOfPayment}
    where payment.id = ${sql.placeholder('id')} and member.client_id = ${client})`,
  toAnswer: (stored) => {
    if (!stored) throw new DomainError('not_found');
    return toPayment(stored);
  },
});

/**
 * Leaves out payments that were cancelled before any card attempt; an attempt leaves a failure or another status in
 * the record. Payments that another client cancelled stay, so that their payer sees it.
 */
const isListed = sql`(payment.status <> 'cancelled' or payment.review_reason is not null
  or payment.cancel_requested_by <> payment.confirmed_by
  or exists (
    select from payment_changes change where change.payment_id = payment.id
      and (change.failure_code is not null or change.to_status not in ('requires_payment_method', 'cancelled'))))`;

/** A payment as JSON, with the facts for computed fields. */
type StoredPayment = Omit<
  Payment,
  'bank_state' | 'supplied_on' | 'stopped_by_provider' | 'failure' | 'clearing' | 'provider'
> &
  Pick<PaymentRow, 'provider'> & {
    facts: Pick<PaymentRow, 'failureCode' | 'clearsOn' | 'lastCause' | 'allocation'> & {
      clearedAt: string | null;
      /** Null unless the day of clearing is computed. */
      bankHolidays: string[] | null;
    };
  };

const partsOfPayment = sql`
  left join bills bill on bill.id = payment.bill_id
  left join clients payer on payer.id = payment.confirmed_by
  left join clients canceller on canceller.id = payment.cancel_requested_by and payment.status = 'cancelled'`;

const caseClient = (row: string) =>
  sql`case when ${sql.raw(row)}.id is not null then json_build_object(${columns(row, 'id', 'first_name')}) end`;

/** Writes a payment as a client sees it: only its payer sees the confirmation. */
const storedPayment = (client: SQL) => sql`json_build_object(${entityFields('payment')},
  ${columns('payment', 'kind', 'method', 'status', 'amount', 'currency', 'description', 'category', 'reference')},
  ${columns('payment', 'matter_id', 'case_search_id', 'receipt_number', 'supplier', 'lines', 'statement_descriptor')},
  ${columns('payment', 'refunded_amount', 'failed_refund_amount', 'provider')},
  ${instants('payment', 'paid_at')},
  'bill', case when bill.id is not null then json_build_object(${columns('bill', 'id', 'number', 'issued_on')},
    'left', payment.bill_left) end,
  'payer', json_build_object('client', ${caseClient('payer')}, 'own_card', payment.own_card,
    'name', payment.payer_name, 'check', shown_payer_check(payment)),
  'confirmation', case when payment.confirmed_by = ${client}
    then json_build_object(${columns('payment', 'receipt_email', 'wording')}) end,
  'cancelled_by', ${caseClient('canceller')},
  'card', case when payment.card_brand is not null and payment.card_last4 is not null then json_build_object(
    'brand', payment.card_brand, 'last4', payment.card_last4, 'wallet', payment.card_wallet) end,
  'refunds', ${jsonList(
    sql`json_build_object(${columns('refund', 'id', 'amount', 'status')}, ${instants('refund', 'created_at', 'failed_at')})`,
    {
      query: sql`
        from refunds refund where refund.payment_id = payment.id and refund.provider_refund_id is not null
          and payment.refunded_amount + payment.failed_refund_amount > 0`,
      order: sql`refund.created_at, refund.id`,
    },
  )},
  'receipt_mail', (
    select json_build_object('to', mail.address, ${instants('mail', 'sent_at')}) from payment_mails mail
    where mail.payment_id = payment.id and mail.kind = 'receipt' and mail.client_id = ${client}
    order by mail.occasion limit 1),
  'dispute', case when payment.dispute_status is not null and payment.dispute_amount > 0
    and payment.dispute_opened_at is not null then json_build_object('status', payment.dispute_status,
      'amount', payment.dispute_amount, 'opened_at', ${asInstant('payment.dispute_opened_at')}) end,
  'payout', payout_of(payment),
  'under_review', payment.review_reason is not null,
  'facts', json_build_object('failureCode', payment.failure_code, 'clearsOn', payment.clears_on,
    'clearedAt', payment.cleared_at, 'lastCause', payment.last_cause,
    'allocation', payment.allocation, 'bankHolidays', case when payment.paid_at is not null and payment.clears_on is null
      then bank_holiday_days() end))`;

/**
 * Finds the stored payment on any case of this client.
 * @throws DomainError `not_found`, the same for an unknown payment and for one of another client
 */
export async function findOwnPayment(
  connection: Connection,
  clientId: string,
  paymentId: string,
): Promise<PaymentRow> {
  const payment = isId(paymentId)
    ? await findPaymentOfClient(connection, { clientId, paymentId })
    : undefined;
  if (!payment) throw new DomainError('not_found');
  return payment;
}

function toPayment({ facts, provider, payout, ...payment }: StoredPayment): Payment {
  const { failureCode, clearsOn, lastCause, bankHolidays, allocation } = facts;
  const paidAt = payment.paid_at === null ? null : new Date(payment.paid_at);
  const clearedAt = facts.clearedAt === null ? null : new Date(facts.clearedAt);
  return {
    ...payment,
    bank_state: bankPaymentState({ ...payment, hasFailed: failureCode !== null }),
    supplier: payment.supplier && toSupplier(payment.supplier),
    supplied_on: suppliedOn({ paidAt }, payment.bill && { issuedOn: payment.bill.issued_on }),
    lines: allocatedLines(payment.lines.map(toLine), allocation),
    stopped_by_provider: isStoppedByProvider({ status: payment.status, lastCause }),
    failure: failureCode ? { code: failureCode, message: paymentFailureMessage(failureCode) } : null,
    clearing: clearingOf({ paidAt, status: payment.status, clearsOn, clearedAt }, bankHolidays ?? []),
    payout: providersByName[provider].account === 'client' ? (payout ?? null) : null,
    provider: providersByName[provider].shownAs,
  };
}

// JSON columns can have more fields than the contract.
const toSupplier = limitTo<PaymentSupplier>(PaymentSupplier);
const toLine = limitTo<PaymentLine>(PaymentLine);

/** Returns the card of a payment; null before any card attempt. */
export const cardOf = ({
  cardBrand,
  cardLast4,
  cardWallet,
}: Pick<PaymentRow, 'cardBrand' | 'cardLast4' | 'cardWallet'>): Payment['card'] =>
  cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4, wallet: cardWallet } : null;

/** The date of supply for VAT: of a bill its date, otherwise the day of the payment; null before that. */
export const suppliedOn = (
  { paidAt }: Pick<PaymentRow, 'paidAt'>,
  bill: { issuedOn: string } | null,
): string | null => paidAt && (bill?.issuedOn ?? londonDay(paidAt));

/** Converts a refund that the provider has to the contract's form. */
export const toRefund = ({
  id,
  amount,
  status,
  createdAt,
  failedAt,
}: RefundRow): Payment['refunds'][number] => ({
  id,
  amount,
  status: status as RefundStatus,
  created_at: createdAt.toISOString(),
  failed_at: failedAt?.toISOString() ?? null,
});

/**
 * Returns when the money of a payment cleared or is expected to clear: according to the provider, or estimated in
 * working days.
 * @returns null for a payment that is not paid, or that is fully refunded
 */
export function clearingOf(
  payment: Pick<PaymentRow, 'paidAt' | 'status' | 'clearsOn' | 'clearedAt'>,
  bankHolidays: readonly string[],
): Payment['clearing'] {
  const { paidAt, status, clearsOn, clearedAt } = payment;
  if (!paidAt || status === 'refunded') return null;
  return { is_cleared: clearedAt !== null, on: clearsOn ?? expectedClearingDay(paidAt, bankHolidays) };
}

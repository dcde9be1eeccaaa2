import { bankPaymentState, openPaymentStatuses, type PaymentPurpose } from '@keyturn/contract';
import type { PaymentState, StaffPayment } from '@keyturn/contract/staff';
import { and, eq, gt, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { isId } from '../../platform/ids.ts';
import { type MoneyAccount, type ProviderName, providersByName } from '../../platform/provider-names.ts';
import { payments } from '../../schema/tables/payment-tables.ts';
import { clients, conveyancingCases } from '../../schema/tables/tables.ts';

/** The client who confirmed a payment, or else the one who started it. */
const payerId = sql`coalesce(${payments.confirmedBy}, ${payments.clientId})`;

const sumOfRefunds = (statuses: SQL) => sql<number>`(select coalesce(sum(amount), 0)::int from refunds
  where payment_id = ${payments.id} and status in (${statuses}))`;
const awaitingApproval = sumOfRefunds(sql`'awaiting_approval'`);
const refundsOnTheirWay = sumOfRefunds(sql`'approved', 'pending', 'requires_action'`);

/** Microseconds since the epoch, PostgreSQL's precision. A JavaScript date would lose three digits. */
const createdMicroseconds = sql<string>`(extract(epoch from ${payments.createdAt}) * 1000000)::bigint::text`;

/** Selects payments with their case and payer. */
export const selectStaffPayments = (connection: Connection) =>
  connection
    .select({
      payment: payments,
      case: {
        id: conveyancingCases.id,
        reference: conveyancingCases.reference,
        title: conveyancingCases.title,
      },
      payer: { id: clients.id, name: sql<string>`${clients.firstName} || ' ' || ${clients.lastName}` },
      awaitingApproval,
      refundsOnTheirWay,
      createdMicroseconds,
    })
    .from(payments)
    .innerJoin(conveyancingCases, eq(conveyancingCases.id, payments.caseId))
    .innerJoin(clients, eq(clients.id, payerId))
    .$dynamic();

type SelectedPayment = Awaited<ReturnType<typeof selectStaffPayments>>[number];

/** Converts a payment to the contract's form. */
export function toStaffPayment({ payment, payer, ...row }: SelectedPayment): StaffPayment {
  const { method, status, failureCode, provider } = payment;
  return {
    id: payment.id,
    created_at: payment.createdAt.toISOString(),
    paid_at: payment.paidAt?.toISOString() ?? null,
    method,
    status,
    bank_state: bankPaymentState({ method, status, hasFailed: failureCode !== null }),
    amount: payment.amount,
    refunded_amount: payment.refundedAmount,
    failed_refund_amount: payment.failedRefundAmount,
    description: payment.description,
    purpose: payment.category,
    reference: payment.reference,
    receipt_number: payment.receiptNumber,
    case: row.case,
    payer,
    account: providersByName[provider].account,
    provider: providersByName[provider].shownAs,
    under_review: payment.reviewReason !== null,
    dispute: payment.disputeStatus,
    refunds_on_their_way: row.refundsOnTheirWay,
    awaiting_approval: row.awaitingApproval,
  };
}

export interface PaymentFilter {
  state?: PaymentState;
  purpose?: PaymentPurpose;
  method?: 'card' | 'bank';
  account?: MoneyAccount;
  /** Days in London, both included. */
  from?: string;
  to?: string;
  min_amount?: number;
  max_amount?: number;
  /** The id or the firm’s reference of the case. */
  case?: string;
  /** The id of the client. */
  payer?: string;
  search?: string;
}

/** Returns the conditions of a filter. */
export const conditionsOf = (filter: PaymentFilter): (SQL | undefined)[] =>
  [
    filter.state && isInState(filter.state),
    filter.purpose && eq(payments.category, filter.purpose),
    filter.method && eq(payments.method, filter.method),
    filter.account && inArray(payments.provider, providersOf(filter.account)),
    filter.from && sql`${payments.createdAt} >= ${filter.from}::date::timestamp at time zone 'Europe/London'`,
    filter.to &&
      sql`${payments.createdAt} < (${filter.to}::date + 1)::timestamp at time zone 'Europe/London'`,
    filter.min_amount === undefined ? undefined : sql`${payments.amount} >= ${filter.min_amount}`,
    filter.max_amount === undefined ? undefined : sql`${payments.amount} <= ${filter.max_amount}`,
    filter.case &&
      (isId(filter.case) ? eq(payments.caseId, filter.case) : eq(conveyancingCases.reference, filter.case)),
    filter.payer && (isId(filter.payer) ? sql`${payerId} = ${filter.payer}` : sql`false`),
    filter.search && matches(filter.search.trim()),
  ].map((condition) => condition || undefined);

function isInState(state: PaymentState): SQL | undefined {
  switch (state) {
    case 'open':
      return inArray(payments.status, [...openPaymentStatuses]);
    case 'under_review':
      return isNotNull(payments.reviewReason);
    case 'disputed':
      return inArray(payments.disputeStatus, ['inquiry', 'open']);
    case 'refund_awaiting_approval':
      return sql`exists (select from refunds where payment_id = ${payments.id} and status = 'awaiting_approval')`;
    case 'refund_failed':
      return gt(payments.failedRefundAmount, 0);
    default:
      return eq(payments.status, state);
  }
}

const providersOf = (account: MoneyAccount) =>
  (Object.keys(providersByName) as ProviderName[]).filter(
    (name) => providersByName[name].account === account,
  );

function matches(text: string): SQL | undefined {
  if (text === '') return undefined;
  const part = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql`(${payments.receiptNumber} ilike ${part} or ${conveyancingCases.reference} ilike ${part}
    or ${payments.reference} ilike ${part}
    or comparable_text(${clients.firstName} || ' ' || ${clients.lastName}) like comparable_text(${part})
    or ${payments.id}::text = ${text.toLowerCase()} or ${payments.providerIntentId} = ${text})`;
}

/** Whether a payment comes after this position in the list. */
export const isAfter = ({ microseconds, id }: { microseconds: string; id: string }): SQL | undefined =>
  and(sql`(${payments.createdAt}, ${payments.id}) < (to_timestamp(0)
    + ${microseconds}::bigint * interval '1 microsecond', ${id}::uuid)`);

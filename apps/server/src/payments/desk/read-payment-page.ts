import type { PaymentChange, StaffPaymentPage } from '@keyturn/contract/staff';
import { asc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { readBankHolidays } from '../../platform/firm-data/firm-data.ts';
import { isId } from '../../platform/ids.ts';
import {
  bills,
  type PayerCheck,
  type PaymentAllocation,
  paymentChanges,
  paymentMails,
  payments,
} from '../../schema/tables/payment-tables.ts';
import { caseSearches, clients, matters } from '../../schema/tables/tables.ts';
import { findDisputesToList } from '../disputes/list-disputes.ts';
import { allocatedLines } from '../records/allocated-lines.ts';
import { awaitsPayerCheck } from '../records/payer-check.ts';
import { cardOf, clearingOf } from '../records/read-payment.ts';
import {
  leftOfLimit,
  leftToRefund,
  mayRequestRefund,
  partsLeft,
  type RefundLimits,
} from '../records/refund-limits.ts';
import { findRefunds } from '../records/refunds-store.ts';
import type { PaymentRow } from '../records/rows.ts';
import { whyNoAllocation } from './change-allocation.ts';
import { findMattersToName } from './matters-to-name.ts';
import { toStaffDispute } from './staff-disputes.ts';
import { selectStaffPayments, toStaffPayment } from './staff-payment.ts';
import { type RefundReader, toStaffRefund } from './staff-refunds.ts';

/**
 * Reads everything about one payment.
 * @throws DomainError `not_found`
 */
export async function readPaymentPage(
  { database, ...limits }: { database: Connection } & RefundLimits,
  id: string,
  reader: RefundReader,
): Promise<StaffPaymentPage> {
  const [row] = isId(id) ? await selectStaffPayments(database).where(eq(payments.id, id)) : [];
  if (!row) throw new DomainError('not_found');
  const { payment } = row;
  const refunds = await findRefunds(database, [id]);
  const disputes = await findDisputesToList(database, id);
  return {
    ...toStaffPayment(row),
    lines: allocatedLines(payment.lines, payment.allocation),
    ...(await readPurpose(database, payment)),
    matters_to_name: await findMattersToName(database, id),
    own_card: payment.ownCard,
    card_holder: payment.payerName,
    awaits_payer_check: awaitsPayerCheck(payment),
    payer_check: payment.payerCheck && withoutId(payment.payerCheck),
    allocation: payment.allocation && withoutStaffId(payment.allocation),
    allocation_obstacle: whyNoAllocation(payment),
    receipt_email: payment.receiptEmail,
    card: cardOf(payment),
    statement_descriptor: payment.statementDescriptor,
    clearing: clearingOf(payment, await readBankHolidays(database)),
    failure_code: payment.failureCode,
    review_reason: payment.reviewReason,
    provider_intent_id: payment.providerIntentId,
    provider_account_id: payment.providerAccountId,
    changes: await readChanges(database, id),
    refunds: refunds.map((refund) => toStaffRefund(refund, reader)),
    disputes: disputes.map(toStaffDispute),
    mails: await readMails(database, id),
    parts_left: payment.paidAt === null ? null : partsLeft(payment, refunds),
    refundable: payment.paidAt === null ? 0 : leftToRefund(payment, refunds),
    refund_limit: mayRequestRefund(payment, reader.role) ? leftOfLimit(refunds, limits, reader.role) : 0,
  };
}

const withoutStaffId = ({ decided_by_staff: _, ...allocation }: PaymentAllocation) => allocation;

const withoutId = ({ recorded_by_staff: _, ...check }: PayerCheck) => check;

async function readPurpose(
  connection: Connection,
  { matterId, caseSearchId, billId }: PaymentRow,
): Promise<Pick<StaffPaymentPage, 'matter_reference' | 'ledger' | 'search' | 'bill'>> {
  const [matter] = matterId
    ? await connection
        .select({ reference: matters.reference, ledger: matters.ledger })
        .from(matters)
        .where(eq(matters.id, matterId))
    : [];
  const [search] = caseSearchId
    ? await connection
        .select({ id: caseSearches.id, reference: caseSearches.reference, name: caseSearches.name })
        .from(caseSearches)
        .where(eq(caseSearches.id, caseSearchId))
    : [];
  const [bill] = billId
    ? await connection
        .select({ id: bills.id, reference: bills.reference, number: bills.number })
        .from(bills)
        .where(eq(bills.id, billId))
    : [];
  return {
    matter_reference: matter?.reference ?? null,
    ledger: matter?.ledger ?? null,
    search: search ?? null,
    bill: bill ?? null,
  };
}

const confirming = alias(clients, 'confirming');
const cancelling = alias(clients, 'cancelling');
const nameOf = (client: typeof confirming | typeof cancelling) =>
  sql<string | null>`${client.firstName} || ' ' || ${client.lastName}`;

/** Reads the record of a payment, oldest first. */
async function readChanges(connection: Connection, paymentId: string): Promise<PaymentChange[]> {
  const rows = await connection
    .select({
      change: paymentChanges,
      confirmedBy: nameOf(confirming),
      cancelledBy: nameOf(cancelling),
    })
    .from(paymentChanges)
    .leftJoin(confirming, eq(confirming.id, paymentChanges.confirmedBy))
    .leftJoin(cancelling, eq(cancelling.id, paymentChanges.cancelledBy))
    .where(eq(paymentChanges.paymentId, paymentId))
    .orderBy(asc(paymentChanges.id));
  return rows.map(({ change, confirmedBy, cancelledBy }) => ({
    at: change.recordedAt.toISOString(),
    from: change.fromStatus,
    to: change.toStatus,
    cause: change.cause,
    money: change.money,
    failure_code: change.failureCode,
    confirmed_by: confirmedBy,
    cancelled_by: cancelledBy,
    review_reason: change.reviewReason,
    dispute: change.disputeStatus,
    refund:
      change.refundId && change.refundStatus && change.refundAmount !== null
        ? { id: change.refundId, status: change.refundStatus, amount: change.refundAmount }
        : null,
  }));
}

async function readMails(connection: Connection, paymentId: string): Promise<StaffPaymentPage['mails']> {
  const rows = await connection
    .select()
    .from(paymentMails)
    .where(eq(paymentMails.paymentId, paymentId))
    .orderBy(asc(paymentMails.writtenAt), asc(paymentMails.kind), asc(paymentMails.occasion));
  return rows.map(({ kind, address, amount, writtenAt, sentAt }) => ({
    kind,
    address,
    amount,
    written_at: writtenAt.toISOString(),
    sent_at: sentAt?.toISOString() ?? null,
  }));
}

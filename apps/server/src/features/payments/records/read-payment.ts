import {
  bankPaymentState,
  type CaseClient,
  type Payment,
  paymentFailureMessage,
  type RefundStatus,
} from '@keyturn/contract';
import { londonDay } from '@keyturn/format/london-time';
import type { Connection } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { isId } from '../../../platform/ids.ts';
import { providersByName } from '../../../platform/provider-names.ts';
import { findBillNumbers } from '../bills/bills-store.ts';
import { findReceiptMails, type PaymentMailRow } from '../mails/mails-store.ts';
import type { RefundRow } from '../refunds/refund-row.ts';
import { findProviderRefunds } from '../refunds/refunds-store.ts';
import { clearingOf } from './clearing.ts';
import type { PaymentRow } from './payment-row.ts';
import { findClientsByIds, findPaymentOfClient } from './payments-store.ts';

/**
 * Reads a payment on any case of this client, as the contract has it.
 * @throws DomainError `not_found`
 */
export async function readPayment(
  { database }: { database: Connection },
  { clientId, paymentId }: { clientId: string; paymentId: string },
): Promise<Payment> {
  const payment = await findOwnPayment(database, clientId, paymentId);
  const [read] = await toPayments(database, clientId, [payment]);
  if (!read) throw new DomainError('not_found');
  return read;
}

/** Converts stored payments to the contract's form, as this client sees them. */
export async function toPayments(
  connection: Connection,
  clientId: string,
  rows: PaymentRow[],
): Promise<Payment[]> {
  const mails = await findReceiptMails(connection, { clientId, paymentIds: rows.map(({ id }) => id) });
  const people = await findClientsByIds(
    connection,
    rows.flatMap(({ confirmedBy, cancelRequestedBy }) => [confirmedBy, cancelRequestedBy]),
  );
  const refunded = rows.filter(
    ({ refundedAmount, failedRefundAmount }) => refundedAmount + failedRefundAmount > 0,
  );
  const refunds = await findProviderRefunds(
    connection,
    refunded.map(({ id }) => id),
  );
  const bills = await findBillNumbers(
    connection,
    rows.flatMap(({ billId }) => billId ?? []),
  );
  return rows.map((row) =>
    toPayment(row, {
      clientId,
      people,
      bills,
      mail: mails.find(({ paymentId }) => paymentId === row.id),
      refunds: refunds.filter(({ paymentId }) => paymentId === row.id),
    }),
  );
}

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

type PaidBill = Awaited<ReturnType<typeof findBillNumbers>>[number];

interface Reader {
  clientId: string;
  /** The clients that the payment names. */
  people: CaseClient[];
  /** The bills that the payments pay. */
  bills: PaidBill[];
  /** The mail of its receipt, if it was sent for the client who reads. */
  mail: PaymentMailRow | undefined;
  /** Oldest first. */
  refunds: RefundRow[];
}

function toPayment(row: PaymentRow, { clientId, people, bills, mail, refunds }: Reader): Payment {
  const bill = bills.find(({ id }) => id === row.billId) ?? null;
  const find = (id: string | null) => people.find((client) => client.id === id) ?? null;
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    kind: row.kind,
    method: row.method,
    status: row.status,
    bank_state: bankPaymentState({ ...row, hasFailed: row.failureCode !== null }),
    amount: row.amount,
    currency: row.currency,
    description: row.description,
    category: row.category,
    reference: row.reference,
    matter_id: row.matterId,
    case_search_id: row.caseSearchId,
    bill: bill && { id: bill.id, number: bill.number, issued_on: bill.issuedOn },
    paid_at: row.paidAt?.toISOString() ?? null,
    receipt_number: row.receiptNumber,
    supplier: row.supplier,
    supplied_on: suppliedOn(row, bill),
    lines: row.lines,
    payer: { client: find(row.confirmedBy), own_card: row.ownCard, name: row.payerName },
    confirmation:
      row.confirmedBy === clientId ? { receipt_email: row.receiptEmail, wording: row.wording } : null,
    cancelled_by: row.status === 'cancelled' ? find(row.cancelRequestedBy) : null,
    card: cardOf(row),
    statement_descriptor: row.statementDescriptor,
    failure: row.failureCode
      ? { code: row.failureCode, message: paymentFailureMessage(row.failureCode) }
      : null,
    refunded_amount: row.refundedAmount,
    failed_refund_amount: row.failedRefundAmount,
    refunds: refunds.map(toRefund),
    clearing: clearingOf(row),
    receipt_mail: mail ? { to: mail.address, sent_at: mail.sentAt?.toISOString() ?? null } : null,
    dispute:
      row.disputeStatus && row.disputeAmount && row.disputeOpenedAt
        ? {
            status: row.disputeStatus,
            amount: row.disputeAmount,
            opened_at: row.disputeOpenedAt.toISOString(),
          }
        : null,
    under_review: row.reviewReason !== null,
    provider: providersByName[row.provider].shownAs,
  };
}

/** The card of a payment; null before any was tried. */
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

import type { DescribedCase } from '../../case-file/cases/payable-cases.ts';
import { payableCases } from '../../case-file/cases/payable-cases.ts';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { findBillNumbers } from '../bills/bills-store.ts';
import type { ReceiptContent } from '../ports/printers.ts';
import { allocatedLines } from '../records/allocated-lines.ts';
import { awaitsPayerCheck } from '../records/payer-check.ts';
import { cardOf, clearingOf, findOwnPayment, toRefund } from '../records/read-payment.ts';
import { findProviderRefunds } from '../records/refunds-store.ts';
import type { PaymentRow, RefundRow } from '../records/rows.ts';
import type { StoredReceipts } from './stored-receipts.ts';

export interface ReceiptDependencies {
  database: Connection;
  receipts: StoredReceipts;
}

/**
 * Returns the receipt of a paid payment as a PDF, including the refunds made so far.
 * @throws DomainError `not_found`, including for a payment that is not paid; `document_damaged`
 */
export async function readReceipt(
  dependencies: ReceiptDependencies,
  request: { clientId: string; paymentId: string },
): Promise<ReceiptFile> {
  const payment = await findOwnPayment(dependencies.database, request.clientId, request.paymentId);
  return readReceiptOf(dependencies, payment);
}

interface ReceiptFile {
  content: Buffer;
  mediaType: string;
  fileName: string;
}

/**
 * Returns the receipt of a payment, which the caller may see.
 * @throws DomainError `not_found` for a payment that is not paid; `document_damaged`
 */
export async function readReceiptOf(
  { database, receipts }: ReceiptDependencies,
  payment: PaymentRow,
): Promise<ReceiptFile> {
  const described = await payableCases.describe(database, {
    caseId: payment.caseId,
    matterId: payment.matterId,
    payerId: payment.confirmedBy ?? payment.clientId,
  });
  const refunds = await findProviderRefunds(database, [payment.id]);
  const bill = await findPaidBill(database, payment);
  const receipt = described && toReceiptContent(payment, { refunds, described, bill });
  if (!receipt) throw new DomainError('not_found');
  return {
    content: await receipts.get(payment.id, receipt),
    mediaType: 'application/pdf',
    fileName: `Receipt ${receipt.receiptNumber}.pdf`,
  };
}

/**
 * Collects the content of the receipt of a payment; null if it is not paid.
 * @param context.refunds the refunds at the provider, oldest first
 * @param context.bill the bill that it paid
 */
export function toReceiptContent(
  payment: PaymentRow,
  {
    refunds,
    described,
    bill,
  }: { refunds: readonly RefundRow[]; described: DescribedCase; bill: ReceiptContent['bill'] },
): ReceiptContent | null {
  const { paidAt, receiptNumber } = payment;
  if (!paidAt || !receiptNumber) return null;
  const { firm, caseReference, clientNames, payerName, property } = describedAtPayment(described, payment);
  return {
    firm,
    statutoryLine: described.statutoryLine,
    receiptNumber,
    paidAt,
    clearing: clearingOf(payment, described.bankHolidays),
    awaitsPayerCheck: awaitsPayerCheck(payment),
    method: payment.method,
    payerName: payment.payerName ?? payerName,
    clientNames,
    caseReference,
    property,
    description: payment.description,
    bill,
    kind: payment.kind,
    lines: allocatedLines(payment.lines, payment.allocation),
    amount: payment.amount,
    refundedAmount: payment.refundedAmount,
    dispute:
      payment.disputeStatus === null || payment.disputeStatus === 'won' ? 'none' : payment.disputeStatus,
    refunds: refunds.map(toRefund),
    card: cardOf(payment),
    statementDescriptor: payment.statementDescriptor,
    reference: payment.reference,
    sandbox: payment.provider === 'sandbox',
  };
}

/** Replaces the firm's details on a VAT receipt by those at the time of the payment. */
export const describedAtPayment = (
  described: DescribedCase,
  { supplier }: Pick<PaymentRow, 'supplier'>,
): DescribedCase => ({ ...described, firm: { ...described.firm, ...supplier } });

/** Finds the bill that a payment pays; null for other money. */
export async function findPaidBill(
  connection: Connection,
  { billId, billLeft }: PaymentRow,
): Promise<ReceiptContent['bill']> {
  const [bill] = billId === null ? [] : await findBillNumbers(connection, [billId]);
  return bill ? { number: bill.number, left: billLeft } : null;
}

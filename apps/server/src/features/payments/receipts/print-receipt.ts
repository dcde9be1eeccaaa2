import type { Connection } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { DescribedCase, PayableCases, ReceiptContent, ReceiptPrinter } from '../ports.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import { findOwnPayment } from '../records/read-payment.ts';

export interface ReceiptDependencies {
  database: Connection;
  cases: PayableCases;
  receipts: ReceiptPrinter;
}

/**
 * Prints the receipt of a paid payment as a PDF, including the refunds made so far.
 * @throws DomainError `not_found`, also for a payment that is not paid
 */
export async function printReceipt(
  { database, cases, receipts }: ReceiptDependencies,
  request: { clientId: string; paymentId: string },
): Promise<{ content: Buffer; mediaType: string; fileName: string }> {
  const payment = await findOwnPayment(database, request.clientId, request.paymentId);
  const described = await cases.describe(database, {
    caseId: payment.caseId,
    matterId: payment.matterId,
    payerId: payment.confirmedBy ?? payment.clientId,
  });
  const receipt = described && toReceiptContent(payment, described);
  if (!receipt) throw new DomainError('not_found');
  return {
    content: await receipts.print(receipt),
    mediaType: 'application/pdf',
    fileName: `Receipt ${receipt.receiptNumber}.pdf`,
  };
}

/** Collects the content of the receipt of a payment; null if it is not paid. */
export function toReceiptContent(payment: PaymentRow, described: DescribedCase): ReceiptContent | null {
  const { paidAt, receiptNumber, cardBrand, cardLast4 } = payment;
  if (!paidAt || !receiptNumber) return null;
  const { firm, caseReference, clientNames, payerName, property } = described;
  return {
    firm,
    receiptNumber,
    paidAt,
    payerName: payment.payerName ?? payerName,
    clientNames,
    caseReference,
    property,
    description: payment.description,
    lines: payment.lines,
    amount: payment.amount,
    refundedAmount: payment.refundedAmount,
    card: cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4 } : null,
    reference: payment.reference,
    sandbox: payment.provider === 'sandbox',
  };
}

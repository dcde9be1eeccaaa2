import type { Connection } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { PayableCases, ReceiptPrinter } from './ports.ts';
import { ownPayment } from './read-payment.ts';

export interface ReceiptDependencies {
  database: Connection;
  cases: PayableCases;
  receipts: ReceiptPrinter;
}

/**
 * The receipt of a payment that was made, as PDF. It says what is true at the moment: what was given back since is on
 * it as well.
 * @throws Refusal `not_found`: also for a payment that was not made
 */
export async function printReceipt(
  { database, cases, receipts }: ReceiptDependencies,
  request: { clientId: string; paymentId: string },
): Promise<{ content: Buffer; mediaType: string; fileName: string }> {
  const payment = await ownPayment(database, request.clientId, request.paymentId);
  const { paidAt, receiptNumber, cardBrand, cardLast4 } = payment;
  if (!paidAt || !receiptNumber) throw new Refusal('not_found');
  const described = await cases.describe(database, {
    caseId: payment.caseId,
    matterId: payment.matterId,
    payerId: payment.confirmedBy ?? payment.clientId,
  });
  if (!described) throw new Refusal('not_found');
  const { firm, caseReference, clientNames, payerName, property } = described;
  const content = await receipts.print({
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
  });
  return { content, mediaType: 'application/pdf', fileName: `Receipt ${receiptNumber}.pdf` };
}

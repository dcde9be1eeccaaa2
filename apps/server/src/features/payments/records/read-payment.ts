import { cardRefusalMessage, type Payment } from '@keyturn/contract';
import type { Connection } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { isId } from '../../../platform/ids.ts';
import { findReceiptMails, type PaymentMailRow } from '../mails/mails-store.ts';
import type { PaymentRow } from './payment-row.ts';
import { findPaymentOfClient } from './payments-store.ts';

/**
 * Reads a payment on any case of this client, as the contract has it.
 * @throws DomainError `not_found`
 */
export async function readPayment(
  connection: Connection,
  clientId: string,
  paymentId: string,
): Promise<Payment> {
  const payment = await findOwnPayment(connection, clientId, paymentId);
  const [mail] = await findReceiptMails(connection, { clientId, paymentIds: [payment.id] });
  return toPayment(payment, mail);
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

/**
 * Converts a stored payment to the contract's form.
 * @param mail the mail of its receipt, if it was sent for the client who reads
 */
export function toPayment(row: PaymentRow, mail: PaymentMailRow | undefined): Payment {
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    kind: row.kind,
    status: row.status,
    amount: row.amount,
    currency: row.currency,
    description: row.description,
    category: row.category,
    reference: row.reference,
    matter_id: row.matterId,
    case_search_id: row.caseSearchId,
    paid_at: row.paidAt?.toISOString() ?? null,
    receipt_number: row.receiptNumber,
    lines: row.lines,
    payer: { own_card: row.ownCard, name: row.payerName },
    card: row.cardBrand && row.cardLast4 ? { brand: row.cardBrand, last4: row.cardLast4 } : null,
    failure: row.failureCode ? { code: row.failureCode, message: cardRefusalMessage(row.failureCode) } : null,
    refunded_amount: row.refundedAmount,
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
    provider: row.provider,
  };
}

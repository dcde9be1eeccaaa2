import type { Transaction } from '../../../platform/database.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import { updatePayment } from '../records/payments-store.ts';
import type { Payer } from './payment-attempts.ts';
import type { Confirmation } from './payment-request.ts';

/**
 * The columns that a confirmation sets: only what the request contains, so that a request without a body clears
 * nothing. A new answer about the card clears the payer's name, which belongs to that answer.
 */
export function confirmationColumns(confirmation: Confirmation, at: Date): Partial<PaymentRow> {
  if (Object.keys(confirmation).length === 0) return {};
  const { order_now, own_card, payer_name, receipt_email, wording } = confirmation;
  return {
    wording: wording ?? null,
    ...(order_now === undefined ? {} : { orderNow: order_now, orderNowAt: at }),
    ...(own_card === undefined ? {} : { ownCard: own_card, payerName: null }),
    ...(payer_name === undefined ? {} : { payerName: payer_name }),
    ...(receipt_email === undefined ? {} : { receiptEmail: receipt_email }),
  };
}

/**
 * Records that a client confirmed an open payment. Once a card was submitted, the payment keeps the confirmation that
 * the card was submitted with.
 */
export async function recordConfirmation(
  transaction: Transaction,
  payment: PaymentRow,
  { payer, confirmation, at }: { payer: Payer; confirmation: Confirmation; at: Date },
): Promise<PaymentRow> {
  const columns = confirmationColumns(confirmation, at);
  if (payment.status !== 'requires_payment_method' || Object.keys(columns).length === 0) return payment;
  const isOtherOwner = payer.clientId !== (payment.confirmedBy ?? payment.clientId);
  return updatePayment(transaction, payment.id, {
    // The receipt of one owner must not go to the address that the other owner entered.
    ...(isOtherOwner ? { receiptEmail: null } : {}),
    ...columns,
    lastPayerId: payer.clientId,
    lastPayerAddress: payer.address ?? null,
    confirmedBy: payer.clientId,
    lastCause: 'payment_confirmed',
  });
}

import {
  methodOfWording,
  type OrderWordingVersion,
  type PaymentConfirmationBody,
  type PaymentMethod,
} from '@keyturn/contract';
import { payableCases } from '../../case-file/cases/payable-cases.ts';
import type { PayableSearch } from '../../case-file/searches/payable-searches.ts';
import type { Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Payer } from '../attempts/payment-attempts.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { updatePayment } from '../records/payments-store.ts';
import type { PaymentRow } from '../records/rows.ts';

/**
 * A client's confirmation about the card or the bank account that pays, given once for each payment. A payment
 * belongs to the client who confirmed it, and its confirmation never changes, so the card or account that pays is the
 * one it describes.
 */
export interface Confirmation {
  method: PaymentMethod;
  /** Whether the card, or the bank account, is the client's own. */
  ownCard: boolean;
  /** The name on another person's card; null for the client's own card. */
  payerName: string | null;
  /** Null for a payment that is not for a search. */
  orderNow: true | null;
  /** The words of the request to order; null for a payment that is not for a search. */
  orderWording: OrderWordingVersion | null;
  /** The same with the day and the refund rule that were shown; null if the caller did not say. */
  orderWords: string | null;
  /** Null: the client's own address. */
  receiptEmail: string | null;
  wording: string | null;
}

/**
 * Reads the confirmation from a request.
 * @returns null if the request confirms nothing
 * @throws DomainError `invalid_input` if an answer is missing
 */
export function readConfirmation(
  {
    method = 'card',
    own_card,
    payer_name,
    order_now,
    receipt_email,
    wording,
    order_wording,
    order_words,
  }: Omit<PaymentConfirmationBody, 'price'>,
  kind: PaymentRow['kind'],
): Confirmation | null {
  const answers = [own_card, payer_name, order_now, receipt_email, wording, order_wording, order_words];
  if (answers.every((answer) => answer === undefined)) return null;
  const payerName = payer_name?.trim() || null;
  const errors: Record<string, string[]> = {};
  if (own_card === undefined)
    errors.own_card = [
      method === 'card'
        ? 'Tell us whether this is your own card.'
        : 'Tell us whether this is your own bank account.',
    ];
  if (own_card === false && method === 'bank')
    errors.own_card = [
      'You can only pay by bank from your own account. Pay by card if someone else pays, or call us.',
    ];
  if (wording !== undefined && methodOfWording(wording) !== method)
    errors.wording = ['This wording is for another method of payment.'];
  if (own_card === false && payerName === null) errors.payer_name = ['Enter the name on the card.'];
  if (kind === 'search' && order_now !== true) {
    errors.order_now = ['Ask us to order the search now. We can only order it if you do.'];
  }
  if (own_card === undefined || Object.keys(errors).length > 0)
    throw new DomainError('invalid_input', { errors });
  return {
    method,
    ownCard: own_card,
    payerName: own_card ? null : payerName,
    orderNow: kind === 'search' ? true : null,
    orderWording: kind === 'search' ? (order_wording ?? null) : null,
    orderWords: kind === 'search' ? (order_words ?? null) : null,
    receiptEmail: receipt_email ?? null,
    wording: wording ?? null,
  };
}

/**
 * Checks that a client confirmed the request to order that they would be shown now. A page of an earlier release sends none.
 * @param order null for a payment that is not for a search
 * @throws DomainError `wording_changed`
 */
export function checkOrderWording(
  confirmation: Confirmation | null,
  order: PayableSearch['order'] | null,
): void {
  if (!confirmation || !order) return;
  const { orderWording, orderWords } = confirmation;
  // The day or the refund rule may have changed, and not the version.
  if (orderWording !== order.wording || (orderWords !== null && orderWords !== order.words))
    throw new DomainError('wording_changed');
}

/** The columns that a confirmation sets; the name on the client's own card is the client's. */
export const confirmationColumns = (
  confirmation: Confirmation,
  {
    payer,
    clientName,
    order,
    now,
  }: { payer: Payer; clientName: string; order: PayableSearch['order'] | null; now: Date },
) => ({
  ...answersOf(confirmation),
  payerName: confirmation.payerName ?? clientName,
  orderNowAt: confirmation.orderNow ? now : null,
  orderWords: confirmation.orderNow && order ? order.words : null,
  confirmedBy: payer.clientId,
});

/** The method is a separate column, which is fixed when the payment is started. */
const answersOf = ({ method: _method, ...answers }: Confirmation) => answers;

/**
 * Checks that an open payment belongs to this client, or can be confirmed by them.
 * @throws DomainError `started_by_other_client`
 */
export async function checkIsPayer(
  transaction: Transaction,
  { payment, clientId }: { payment: PaymentRow; clientId: string },
): Promise<void> {
  const { confirmedBy } = payment;
  if (confirmedBy === null || confirmedBy === clientId) return;
  const name = await payableCases.findFirstName(transaction, confirmedBy);
  throw new DomainError('started_by_other_client', {
    message: `${name} has started this payment. You have not been charged.`,
  });
}

/** Whether a payment that the client confirmed was confirmed with the same answers. */
export const isConfirmedAs = (payment: PaymentRow, confirmation: Confirmation): boolean =>
  payment.method === confirmation.method &&
  payment.ownCard === confirmation.ownCard &&
  (confirmation.ownCard || payment.payerName === confirmation.payerName) &&
  payment.orderNow === confirmation.orderNow &&
  payment.orderWording === confirmation.orderWording &&
  (confirmation.orderWords === null || payment.orderWords === confirmation.orderWords) &&
  payment.receiptEmail === confirmation.receiptEmail &&
  payment.wording === confirmation.wording;

/**
 * Whether the request to order that a client has confirmed is still the one they would be shown now. The right to cancel or the
 * refund rule may have changed since, and releases up to 0.2 showed other words.
 */
export const isAskedFor = (payment: PaymentRow, order: PayableSearch['order'] | null): boolean =>
  order === null || (payment.orderWording === order.wording && payment.orderWords === order.words);

/** Records the confirmation of an open payment that no client had confirmed, which makes it this client's. */
export async function recordConfirmation(
  { clock }: Pick<PaymentDependencies, 'clock'>,
  transaction: Transaction,
  payment: PaymentRow,
  {
    payer,
    confirmation,
    order,
  }: { payer: Payer; confirmation: Confirmation; order: PayableSearch['order'] | null },
): Promise<PaymentRow> {
  const clientName = await payableCases.findName(transaction, payer.clientId);
  return updatePayment(transaction, payment.id, {
    ...confirmationColumns(confirmation, { payer, clientName, order, now: clock() }),
    lastPayerId: payer.clientId,
    lastPayerAddress: payer.address ?? null,
    lastCause: 'payment_confirmed',
  });
}

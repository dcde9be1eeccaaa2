import { methodOfWording, type OtherPaymentBody, type PaymentConfirmationBody } from '@keyturn/contract';
import type { OtherPayment, PaymentConfirmation } from '../case/case-store.ts';

/** The body that creates a payment for something else. It depends on these only: the idempotency key stays valid. */
export const otherPaymentBody = (
  { category, amount, reference, matterId, bill }: OtherPayment,
  confirmed: PaymentConfirmation,
): OtherPaymentBody => ({
  category,
  amount,
  ...(reference === null ? {} : { reference }),
  ...(matterId === null ? {} : { matter_id: matterId }),
  ...(bill === null ? {} : { bill_id: bill.id }),
  ...methodOf(confirmed),
  ...confirmed,
});

/** A card is what the server assumes: keys of bodies without a method stay valid. */
const methodOf = ({ wording }: PaymentConfirmation) =>
  methodOfWording(wording) === 'bank' ? { method: 'bank' as const } : {};

/**
 * The body that creates or confirms the payment for a search. Every confirmation includes the request to order it.
 * @param price pence that the client was shown; the server refuses the payment if it is no longer the price
 */
export const searchPaymentBody = (
  confirmed: PaymentConfirmation,
  price: number | undefined,
): PaymentConfirmationBody => ({
  order_now: true,
  ...methodOf(confirmed),
  ...confirmed,
  ...(price === undefined ? {} : { price }),
});

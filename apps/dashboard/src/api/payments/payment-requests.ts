import type { OtherPaymentBody, SearchPaymentBody } from '@keyturn/contract';
import type { OtherPayment, PaymentConfirmation } from '../case/case-store.ts';

/**
 * Where the open intent of a payment is kept, in memory alone: it holds the client secret.
 * @param id of the search, or the idempotency key of a payment for no search
 */
export const intentQueryKey = (generation: number, id: string) =>
  // Not below the case: asking for an intent starts a payment, and no refresh of what is shown may do that.
  ['payment-intents', generation, id] as const;

/** What is sent for an other payment: the same each time, as its key is. */
export const otherPaymentBody = (
  { category, amount, reference, matterId }: OtherPayment,
  confirmed: PaymentConfirmation,
): OtherPaymentBody => ({
  category,
  amount,
  ...(reference === null ? {} : { reference }),
  ...(matterId === null ? {} : { matter_id: matterId }),
  ...confirmed,
});

/**
 * What is sent for a search: nobody confirms one without asking for it to be ordered.
 * @param price pence that the client was shown; at another one the server asks to be shown it first
 */
export const searchPaymentBody = (
  confirmed: PaymentConfirmation,
  price: number | undefined,
): SearchPaymentBody => ({
  order_now: true,
  ...confirmed,
  ...(price === undefined ? {} : { price }),
});

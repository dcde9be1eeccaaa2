import {
  type CardDeclineCode,
  type CardDeclineWords,
  cardDeclineWords,
  toCardDeclineCode,
} from './card-declines.ts';
import type { PaymentMethod, PaymentStatus } from './vocabulary.ts';

/**
 * The progress of a payment by bank.
 * - `initiated`: the client has not approved it at their bank
 * - `authorised`: the bank has approved it, and the money has not arrived
 * - `settled`: the money has arrived
 * - `failed`: the bank has not paid. Nothing was taken, and the client can try again
 */
export const bankPaymentStates = ['initiated', 'authorised', 'settled', 'failed'] as const;
export type BankPaymentState = (typeof bankPaymentStates)[number];

/** Returns the progress of a payment by bank; null for card payments and cancelled payments. */
export function bankPaymentState(payment: {
  method: PaymentMethod;
  status: PaymentStatus;
  hasFailed: boolean;
}): BankPaymentState | null {
  if (payment.method !== 'bank') return null;
  switch (payment.status) {
    case 'requires_payment_method':
      return payment.hasFailed ? 'failed' : 'initiated';
    case 'requires_action':
      return 'initiated';
    case 'processing':
      return 'authorised';
    case 'cancelled':
      return null;
    default:
      return 'settled';
  }
}

/** Why a payment by bank failed, in the detail that the client may see. */
export const bankFailureCodes = ['bank_declined', 'bank_cancelled', 'bank_timed_out', 'bank_failed'] as const;
export type BankFailureCode = (typeof bankFailureCodes)[number];

/** Why a payment failed, by either method. */
export type PaymentFailureCode = CardDeclineCode | BankFailureCode;

export const isBankFailure = (code: string): code is BankFailureCode =>
  bankFailureCodes.some((known) => known === code);

/** Converts a provider's code to a failure by either method. An unknown code becomes a plain decline. */
export const toPaymentFailureCode = (code: string): PaymentFailureCode =>
  isBankFailure(code) ? code : toCardDeclineCode(code);

/** @param code Stripe's code of the last error of an intent for a payment by bank */
export const bankFailureFromStripe = (code: string | undefined): BankFailureCode =>
  stripeFailures[code ?? ''] ?? 'bank_declined';

const stripeFailures: Partial<Record<string, BankFailureCode>> = {
  payment_method_customer_decline: 'bank_cancelled',
  payment_intent_payment_attempt_expired: 'bank_timed_out',
  payment_method_provider_timeout: 'bank_timed_out',
  payment_intent_payment_attempt_failed: 'bank_failed',
};

export const paymentFailureWords: Record<PaymentFailureCode, CardDeclineWords> = {
  ...cardDeclineWords,
  bank_declined: {
    cause: 'Your bank didn’t approve this payment.',
    remedy: 'Try again, or choose another way to pay',
  },
  bank_cancelled: {
    cause: 'You stopped the payment at your bank.',
    remedy: 'Try again, or choose another way to pay',
  },
  bank_timed_out: {
    cause: 'Your bank didn’t get an answer from you in time.',
    remedy: 'Try again, or choose another way to pay',
  },
  bank_failed: {
    cause: 'Your bank didn’t complete this payment.',
    remedy:
      'If money has left your account, call us before you pay again. Otherwise try again, or choose another way to pay',
  },
};

/** Returns a failure in words: what happened, that nothing was charged, and what to do next. */
export function paymentFailureMessage(code: string): string {
  const { cause, remedy } = paymentFailureWords[toPaymentFailureCode(code)];
  return `${cause} ${notCharged(code)} ${remedy}.`;
}

/**
 * Tells the client that nothing was charged. After an approval, only the payer's bank knows whether money has left
 * the account.
 */
export const notCharged = (code: string): string =>
  code === 'bank_failed' ? 'We have not received any money.' : 'You have not been charged.';

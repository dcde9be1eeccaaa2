import { minBankPayment, minCardPayment, type PaymentMethod } from '@keyturn/contract';
import { type PurposeSettings, readPurposes } from './purpose-settings.ts';
import type { Environment, SettingReader } from './setting-reader.ts';
import { readStripe, type StripeSettings } from './stripe-settings.ts';

export interface PaymentSettings {
  provider: 'sandbox' | 'stripe';
  /** Whether card payments are switched off; `provider` then only finishes payments that were started. */
  isOff: boolean;
  /** Set with Stripe, and also with the sandbox while Stripe's keys are set: to finish payments started there. */
  stripe: StripeSettings | null;
  purposes: PurposeSettings;
  /** Pence: for one payment that is not for a search, and for all of them by the same method on a case in a day. */
  limits: Record<PaymentMethod, PaymentLimitSettings>;
  attempts: PaymentAttemptSettings;
  /** The amount of a payment, in pence, that one person alone may refund. */
  refundApprovalPence: number;
  /** The amount of a payment, in pence, that handlers may request as a refund. */
  handlerRefundPence: number;
}

interface PaymentLimitSettings {
  min: number;
  max: number;
  dailyMax: number;
}

/** Limits against card testing: payments started in an hour, and cards declined in 24 hours. */
interface PaymentAttemptSettings {
  starts: { client: number; address: number };
  declines: { client: number; address: number };
}

export function readPaymentSettings(reader: SettingReader, environment: Environment): PaymentSettings {
  const chosen = reader.choice('KEYTURN_PAYMENT_PROVIDER', ['sandbox', 'stripe', 'off'], 'sandbox');
  if (environment === 'production' && chosen === 'sandbox') {
    // The sandbox marks searches as paid although no money has moved.
    reader.report('KEYTURN_PAYMENT_PROVIDER must be stripe in production, or off to accept no card payments');
  }
  const provider = chosen === 'off' ? 'sandbox' : chosen;
  const stripe = readStripe(reader, environment, provider);
  return {
    provider,
    isOff: chosen === 'off',
    stripe,
    purposes: readPurposes(reader, stripe !== null && stripe.business !== null),
    limits: readLimits(reader, stripe !== null),
    refundApprovalPence: reader.wholeNumber('KEYTURN_REFUND_APPROVAL_PENCE', 50_000, {
      min: 0,
      max: 99_999_999,
    }),
    handlerRefundPence: reader.wholeNumber('KEYTURN_HANDLER_REFUND_PENCE', 50_000, {
      min: 0,
      max: 99_999_999,
    }),
    attempts: {
      starts: readAttemptLimits(reader, 'KEYTURN_PAYMENT_STARTS', { client: 10, address: 30, min: 3 }),
      // Three declines can be caused by mistyped details; card testing causes more.
      declines: readAttemptLimits(reader, 'KEYTURN_CARD_DECLINES', { client: 8, address: 20, min: 4 }),
    },
  };
}

/** The pence up to which Stripe offers payments by bank, unless it has agreed more with the account. */
const stripeBankMax = 1_000_000;

function readLimits(reader: SettingReader, hasStripe: boolean): PaymentSettings['limits'] {
  const range = { min: minCardPayment, max: 99_999_999 };
  const min = reader.wholeNumber('KEYTURN_OTHER_PAYMENT_MIN_PENCE', 100, range);
  const card = readMaximums(reader, 'KEYTURN_OTHER_PAYMENT', { min, max: 500_000, dailyMax: 1_000_000 });
  const byBank = { min: Math.max(min, minBankPayment), max: stripeBankMax, dailyMax: 5_000_000 };
  const bank = readMaximums(reader, 'KEYTURN_BANK_PAYMENT', byBank);
  if (hasStripe && bank.max > stripeBankMax) {
    reader.warn(
      'KEYTURN_BANK_PAYMENT_MAX_PENCE is above £10,000: ask Stripe’s support to raise the limit of the account, because Stripe offers no payment by bank above it',
    );
  }
  return { card, bank };
}

/** @param fallback also the minimum, from another setting */
function readMaximums(
  reader: SettingReader,
  name: string,
  fallback: PaymentLimitSettings,
): PaymentLimitSettings {
  const range = { min: minCardPayment, max: 99_999_999 };
  const limits = {
    min: fallback.min,
    max: reader.wholeNumber(`${name}_MAX_PENCE`, fallback.max, range),
    dailyMax: reader.wholeNumber(`${name}_DAILY_MAX_PENCE`, fallback.dailyMax, range),
  };
  if (limits.min > limits.max) {
    reader.report(`${name}_MAX_PENCE must not be less than KEYTURN_OTHER_PAYMENT_MIN_PENCE`);
  }
  if (limits.max > limits.dailyMax) {
    reader.report(`${name}_DAILY_MAX_PENCE must not be less than ${name}_MAX_PENCE`);
  }
  return limits;
}

function readAttemptLimits(
  reader: SettingReader,
  name: string,
  fallback: { client: number; address: number; min: number },
) {
  const range = { min: fallback.min, max: 1_000_000 };
  const client = reader.wholeNumber(`${name}_PER_CLIENT`, fallback.client, range);
  const address = reader.wholeNumber(`${name}_PER_ADDRESS`, fallback.address, range);
  if (client > address) reader.report(`${name}_PER_ADDRESS must not be less than ${name}_PER_CLIENT`);
  return { client, address };
}

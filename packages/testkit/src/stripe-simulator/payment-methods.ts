import type Stripe from 'stripe';
import { resourceMissing } from './stripe-api-error.ts';
import { newId, nowOf, type StripeState } from './stripe-state.ts';

/** What happens when an intent is confirmed with a payment method. */
export type PaymentOutcome =
  | 'succeeds'
  | 'succeeds_later'
  | 'authenticates'
  | 'redirects'
  | { code: string; declineCode?: string };

/** Stripe's test payment methods, and the simulator's own (`pm_sim_…`). */
const methods: Record<
  string,
  { outcome: PaymentOutcome; type?: 'pay_by_bank'; wallet?: 'apple_pay' | 'google_pay' }
> = {
  pm_card_visa: { outcome: 'succeeds' },
  pm_card_authenticationRequired: { outcome: 'authenticates' },
  /** Stripe's test cards settle immediately. */
  pm_sim_later: { outcome: 'succeeds_later' },
  /** The bank authenticates on its own page. */
  pm_sim_redirect: { outcome: 'redirects' },
  /** The client chooses their bank on a page of Stripe, and approves the payment there. */
  pm_sim_pay_by_bank: { outcome: 'redirects', type: 'pay_by_bank' },
  pm_sim_apple_pay: { outcome: 'succeeds', wallet: 'apple_pay' },
  pm_sim_google_pay: { outcome: 'succeeds', wallet: 'google_pay' },
  pm_card_chargeDeclined: { outcome: { code: 'card_declined', declineCode: 'generic_decline' } },
  pm_card_chargeDeclinedInsufficientFunds: {
    outcome: { code: 'card_declined', declineCode: 'insufficient_funds' },
  },
  pm_card_chargeDeclinedStolenCard: { outcome: { code: 'card_declined', declineCode: 'stolen_card' } },
  pm_card_chargeDeclinedExpiredCard: { outcome: { code: 'expired_card' } },
  pm_card_chargeDeclinedIncorrectCvc: { outcome: { code: 'incorrect_cvc' } },
};

/** Creates a card, or a bank to pay by, from one of the test payment methods. */
export function createPaymentMethod(
  state: StripeState,
  name: string,
): { method: Stripe.PaymentMethod; outcome: PaymentOutcome } {
  const known = methods[name];
  if (!known) throw resourceMissing('PaymentMethod', name, 'payment_method');
  const method: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: noAddress, email: null, name: null, phone: null, tax_id: null },
    ...(known.type === 'pay_by_bank' ? { pay_by_bank: {} } : { card: cardOf(known.wallet) }),
    created: nowOf(state),
    customer: null,
    customer_account: null,
    livemode: state.isLive,
    metadata: {},
    type: known.type ?? 'card',
  };
  state.paymentMethods.set(method.id, method);
  return { method, outcome: known.outcome };
}

/** @returns the details of a payment method on its charge */
export function detailsOfCharge(
  method: Stripe.PaymentMethod,
  amount: number | null,
): Stripe.Charge.PaymentMethodDetails {
  const { card } = method;
  if (!card) return { type: method.type, [method.type]: {} };
  return {
    type: 'card',
    card: {
      amount_authorized: amount,
      authorization_code: amount === null ? null : '123456',
      brand: card.brand,
      checks: card.checks,
      country: card.country,
      electronic_commerce_indicator: null,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      extended_authorization: { status: 'disabled' },
      fingerprint: card.fingerprint ?? null,
      funding: card.funding,
      incremental_authorization: { status: 'unavailable' },
      installments: null,
      last4: card.last4,
      mandate: null,
      multicapture: { status: 'unavailable' },
      network: 'visa',
      network_token: { used: false },
      network_transaction_id: '123456789012345',
      overcapture: { maximum_amount_capturable: amount ?? 0, status: 'unavailable' },
      regulated_status: 'unregulated',
      three_d_secure: null,
      transaction_link_id: null,
      wallet: walletOf(card.wallet),
    },
  };
}

const noAddress = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };

const cardOf = (wallet: 'apple_pay' | 'google_pay' | undefined): Stripe.PaymentMethod.Card => ({
  brand: 'visa',
  checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
  country: 'GB',
  display_brand: 'visa',
  exp_month: 12,
  exp_year: 2090,
  fingerprint: 'SimulatedCard001',
  funding: 'debit',
  generated_from: null,
  last4: '4242',
  networks: { available: ['visa'], preferred: null },
  regulated_status: 'unregulated',
  three_d_secure_usage: { supported: true },
  wallet: wallet ? { dynamic_last4: '4242', type: wallet, [wallet]: {} } : null,
});

function walletOf(
  wallet: Stripe.PaymentMethod.Card['wallet'],
): Stripe.Charge.PaymentMethodDetails.Card['wallet'] {
  if (wallet?.type !== 'apple_pay' && wallet?.type !== 'google_pay') return null;
  return { dynamic_last4: wallet.dynamic_last4, type: wallet.type, [wallet.type]: {} };
}

import type { CardRefusalCode } from './card-refusals.ts';

/**
 * Converts Stripe's error for a card that did not pay. An unknown code becomes a plain decline: the payer must not read
 * that a card was reported stolen or is suspected of fraud.
 */
export function refusalOfStripe(error: { code?: string; decline_code?: string }): CardRefusalCode {
  const code = error.code === 'card_declined' ? error.decline_code : error.code;
  return refusals[code ?? ''] ?? 'card_declined';
}

const refusals: Partial<Record<string, CardRefusalCode>> = {
  insufficient_funds: 'insufficient_funds',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
  expired_card: 'expired_card',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  incorrect_cvc: 'incorrect_cvc',
  invalid_cvc: 'incorrect_cvc',
  authentication_required: 'authentication_failed',
  authentication_not_handled: 'authentication_failed',
  payment_intent_authentication_failure: 'authentication_failed',
};

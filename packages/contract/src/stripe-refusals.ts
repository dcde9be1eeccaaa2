import type { CardRefusalCode } from './card-refusals.ts';

/**
 * Converts Stripe's card error to a card refusal. Codes outside the list become a plain decline, because the payer must
 * not learn that a card was reported stolen or is suspected of fraud.
 */
export function cardRefusalFromStripe(error: { code?: string; decline_code?: string }): CardRefusalCode {
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

import type { CardDeclineCode } from './card-declines.ts';

/**
 * Converts Stripe's card error to a card decline. Codes outside the list become a plain decline, because the payer must
 * not learn that a card was reported stolen or is suspected of fraud.
 */
export function cardDeclineFromStripe(error: { code?: string; decline_code?: string }): CardDeclineCode {
  const code = error.code === 'card_declined' ? error.decline_code : error.code;
  return declines[code ?? ''] ?? 'card_declined';
}

const declines: Partial<Record<string, CardDeclineCode>> = {
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

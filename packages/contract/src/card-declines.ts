/** Why a card payment failed, in the detail that the cardholder may see. */
export const cardDeclineCodes = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'authentication_failed',
  'test_card_required',
] as const;
export type CardDeclineCode = (typeof cardDeclineCodes)[number];

export interface CardDeclineWords {
  /** What happened, as a sentence. */
  cause: string;
  /** What the client can do, without a full stop. */
  remedy: string;
}

export const cardDeclineWords: Record<CardDeclineCode, CardDeclineWords> = {
  card_declined: { cause: 'Your bank declined this card.', remedy: 'Try another card' },
  insufficient_funds: {
    cause: 'Your bank says there is not enough money on this card.',
    remedy: 'Try another card',
  },
  expired_card: { cause: 'This card has expired.', remedy: 'Try another card' },
  incorrect_cvc: {
    cause: 'The security code is incorrect.',
    remedy: 'Check the 3 digits on the back and try again',
  },
  authentication_failed: {
    cause: 'The payment wasn’t confirmed with your bank.',
    remedy: 'Try again or use another card',
  },
  test_card_required: {
    cause: 'This is a test service and accepts only test cards.',
    remedy: 'Use card 4242 4242 4242 4242',
  },
};

/** Converts a provider's code to a card decline. An unknown code becomes a plain decline. */
export const toCardDeclineCode = (code: string): CardDeclineCode =>
  cardDeclineCodes.find((known) => known === code) ?? 'card_declined';

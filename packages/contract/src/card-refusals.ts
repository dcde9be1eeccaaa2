/** Why a card did not pay, as far as its holder may be told. */
export const cardRefusalCodes = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'authentication_failed',
  'test_card_required',
] as const;
export type CardRefusalCode = (typeof cardRefusalCodes)[number];

/** What happened, as a sentence, and what the client can do, without the full stop. */
export interface CardRefusalWords {
  cause: string;
  remedy: string;
}

export const cardRefusalWords: Record<CardRefusalCode, CardRefusalWords> = {
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
    cause: 'Your bank could not confirm that it is you.',
    remedy: 'Try again or use another card',
  },
  test_card_required: {
    cause: 'This is a test service and accepts only test cards.',
    remedy: 'Use one of the cards listed',
  },
};

/** The refusal that a provider's code stands for; an unknown code is a plain decline. */
export const cardRefusalCodeOf = (code: string): CardRefusalCode =>
  cardRefusalCodes.find((known) => known === code) ?? 'card_declined';

/** The text of a refusal: what happened, that nothing was charged, and what to do. */
export function cardRefusalMessage(code: string): string {
  const { cause, remedy } = cardRefusalWords[cardRefusalCodeOf(code)];
  return `${cause} You have not been charged. ${remedy}.`;
}

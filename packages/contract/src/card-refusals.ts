/**
 * What a client is told of a card that did not pay: what happened, that nothing was charged, what to do.
 * @param code the provider's; an unknown one gets the general text
 * @param phone the firm's, where it is known
 */
export function cardRefusal(code: string, phone?: string): string {
  const { cause, remedy } = refusals[code] ?? general;
  return `${cause} You have not been charged. ${remedy}${phone ? `, or call us on ${phone}` : ''}.`;
}

const general = { cause: 'Your bank declined this card.', remedy: 'Try another card' };

const refusals: Record<string, { cause: string; remedy: string }> = {
  card_declined: general,
  insufficient_funds: {
    cause: 'Your bank says there is not enough money on this card.',
    remedy: 'Try another card',
  },
  expired_card: { cause: 'This card has expired.', remedy: 'Try another card' },
  incorrect_cvc: {
    cause: 'The security code is not right.',
    remedy: 'Check the 3 digits on the back and try again',
  },
  authentication_failed: {
    cause: 'Your bank could not confirm that it is you.',
    remedy: 'Try again or use another card',
  },
  test_card_required: {
    cause: 'This is a test service that takes only the test cards.',
    remedy: 'Use one of those listed',
  },
};

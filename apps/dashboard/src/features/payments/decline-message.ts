/**
 * What a client is told of a card that did not pay: what happened, that nothing was charged, what to do.
 * @param code the provider's; an unknown one gets the general text
 * @param phone the firm's, where it is known
 */
export function declineMessage(code: string, phone?: string): string {
  const cause = causes[code] ?? causes.card_declined;
  const help = phone ? `, or call us on ${phone}` : '';
  return `${cause} You have not been charged. ${remedies[code] ?? 'Try another card'}${help}.`;
}

const causes: Record<string, string> = {
  card_declined: 'Your bank declined this card.',
  insufficient_funds: 'Your bank says there is not enough money on this card.',
  expired_card: 'This card has expired.',
  incorrect_cvc: 'The security code is not right.',
  invalid_number: 'The card number is not right.',
  authentication_failed: 'Your bank could not confirm that it is you.',
  test_card_required: 'This is a test service that takes only the test cards.',
};

const remedies: Record<string, string> = {
  incorrect_cvc: 'Check the 3 digits on the back and try again',
  invalid_number: 'Check it and try again',
  authentication_failed: 'Try again or use another card',
  test_card_required: 'Use one of the cards listed above',
};

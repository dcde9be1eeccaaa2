/**
 * What a client is told of a card that did not pay: what happened, that nothing was charged, what to do.
 * @param code the provider's; an unknown one gets the general text
 */
export function refusalOfCard(code: string): string {
  return `${texts[code] ?? texts.card_declined}`;
}

const texts: Record<string, string> = {
  card_declined: 'Your bank declined this card. You have not been charged. Try another card.',
  insufficient_funds:
    'Your bank says there is not enough money on this card. You have not been charged. Try another card.',
  expired_card: 'This card has expired. You have not been charged. Try another card.',
  incorrect_cvc:
    'The security code is not right. You have not been charged. Check the 3 digits on the back and try again.',
  invalid_number: 'The card number is not right. You have not been charged. Check it and try again.',
  authentication_failed:
    'Your bank could not confirm that it is you. You have not been charged. Try again or use another card.',
  test_card_required:
    'This is a test service that takes only the test cards. You have not been charged. Use one of those listed.',
};

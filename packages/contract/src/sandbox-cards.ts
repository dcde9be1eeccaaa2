/** The well-known test cards. The sandbox rejects every other number. */
export const sandboxCards = [
  { number: '4242424242424242', brand: 'visa', behaviour: 'succeeds', says: 'Pays at once' },
  { number: '5555555555554444', brand: 'mastercard', behaviour: 'succeeds', says: 'Pays at once' },
  { number: '4000000000000002', brand: 'visa', behaviour: 'card_declined', says: 'Declined' },
  { number: '4000000000009995', brand: 'visa', behaviour: 'insufficient_funds', says: 'Not enough money' },
  { number: '4000000000000069', brand: 'visa', behaviour: 'expired_card', says: 'Expired' },
  { number: '4000000000000127', brand: 'visa', behaviour: 'incorrect_cvc', says: 'Wrong security code' },
  {
    number: '4000000000003220',
    brand: 'visa',
    behaviour: 'authentication_required',
    says: 'The bank asks you to confirm',
  },
  {
    number: '4000008400001629',
    brand: 'visa',
    behaviour: 'declined_after_authentication',
    says: 'The bank asks, then refuses',
  },
  {
    number: '4000000000000077',
    brand: 'visa',
    behaviour: 'succeeds_later',
    says: 'Pays after ten seconds',
  },
] as const;
export type SandboxBehaviour = (typeof sandboxCards)[number]['behaviour'];

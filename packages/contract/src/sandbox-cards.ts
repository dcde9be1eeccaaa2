/** Stripe's well-known test cards. The sandbox rejects every other number. */
export const sandboxCards = [
  { number: '4242424242424242', brand: 'visa', behaviour: 'succeeds', label: 'Succeeds immediately' },
  { number: '5555555555554444', brand: 'mastercard', behaviour: 'succeeds', label: 'Succeeds immediately' },
  { number: '4000000000000002', brand: 'visa', behaviour: 'card_declined', label: 'Declined' },
  { number: '4000000000009995', brand: 'visa', behaviour: 'insufficient_funds', label: 'Not enough money' },
  { number: '4000000000000069', brand: 'visa', behaviour: 'expired_card', label: 'Expired' },
  { number: '4000000000000127', brand: 'visa', behaviour: 'incorrect_cvc', label: 'Wrong security code' },
  {
    number: '4000000000003220',
    brand: 'visa',
    behaviour: 'authentication_required',
    label: 'Your bank asks you to confirm',
  },
  {
    number: '4000008400001629',
    brand: 'visa',
    behaviour: 'declined_after_authentication',
    label: 'Your bank asks you to confirm, then declines',
  },
  {
    number: '4000000000000077',
    brand: 'visa',
    behaviour: 'succeeds_later',
    label: 'Succeeds after ten seconds',
  },
  {
    number: '4000003720000278',
    brand: 'visa',
    behaviour: 'succeeds_and_clears',
    label: 'Succeeds, and the money clears immediately',
  },
  {
    number: '4000000000005126',
    brand: 'visa',
    behaviour: 'refund_fails',
    label: 'Succeeds, and a refund of it fails after ten seconds',
  },
  {
    number: '4000000000007726',
    brand: 'visa',
    behaviour: 'refund_settles_later',
    label: 'Succeeds, and a refund of it takes ten seconds',
  },
  {
    number: '4000000000000259',
    brand: 'visa',
    behaviour: 'dispute',
    label: 'Succeeds, and the bank disputes it',
  },
  {
    number: '4000000000001976',
    brand: 'visa',
    behaviour: 'inquiry',
    label: 'Succeeds, and the bank asks about it',
  },
  {
    number: '4000000000005423',
    brand: 'visa',
    behaviour: 'fraud_warning',
    label: 'Succeeds, and the bank warns of fraud',
  },
] as const;
export type SandboxBehaviour = (typeof sandboxCards)[number]['behaviour'];

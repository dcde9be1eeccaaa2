import { create, creating, pages, refund, refunding, type StripeFilter } from './stripe-rule.ts';

const byBank = (amount: number, currency = 'gbp') => ({
  call: create,
  send: `amount=${amount}&currency=${currency}&allowed_payment_method_types[0]=pay_by_bank`,
  answer: { payment_method_types: [] },
});

/** What Stripe leaves out without an error. */
export const stripeFilters: readonly StripeFilter[] = [
  {
    id: 'bank-minimum',
    calls: [create],
    parameter: 'allowed_payment_method_types',
    rule: 'Payments by bank are left out below £0.50.',
    source: pages.payByBank,
    drops: (type, { amount }) => type === 'pay_by_bank' && Number(amount) < 50,
    breaks: [byBank(49)],
  },
  {
    id: 'bank-maximum',
    calls: [create],
    parameter: 'allowed_payment_method_types',
    rule: 'Payments by bank are left out above £10,000, unless Stripe has raised the limit.',
    source: pages.payByBank,
    drops: (type, { amount }) => type === 'pay_by_bank' && Number(amount) > 1_000_000,
    breaks: [byBank(1_000_001)],
  },
  {
    id: 'bank-currency',
    calls: [create],
    parameter: 'allowed_payment_method_types',
    rule: 'A British account has payments by bank in pounds only.',
    source: pages.payByBank,
    drops: (type, { currency }) => type === 'pay_by_bank' && currency !== 'gbp',
    breaks: [byBank(500, 'eur')],
  },
  {
    id: 'bank-inactive',
    calls: [create],
    parameter: 'allowed_payment_method_types',
    rule: 'Payments by bank are left out where the account cannot accept them.',
    source: pages.allowedTypes,
    drops: (type, _params, { account }) =>
      type === 'pay_by_bank' && account.capabilities?.pay_by_bank_payments !== 'active',
    breaks: [{ ...byBank(500), given: 'without bank payments' }],
  },
  {
    id: 'card-inactive',
    calls: [create],
    parameter: 'allowed_payment_method_types',
    rule: 'Cards are left out where the account cannot accept them.',
    source: pages.allowedTypes,
    drops: (type, _params, { account }) =>
      type === 'card' && account.capabilities?.card_payments !== 'active',
    breaks: [
      {
        ...creating('allowed_payment_method_types[0]=card'),
        given: 'without card payments',
        answer: { payment_method_types: [] },
      },
    ],
  },
  {
    id: 'refund-balance-card',
    calls: [refund],
    parameter: 'amount',
    rule: 'A refund to a card waits as pending while the available balance is too low.',
    source: pages.refunds,
    checkedBy: 'refunds.ts',
    breaks: [
      {
        ...refunding('payment_intent={intent}'),
        given: 'paid, with an empty balance',
        answer: { status: 'pending' },
      },
    ],
  },
  {
    id: 'refund-balance-bank',
    calls: [refund],
    parameter: 'amount',
    rule: 'A refund of any other method fails while the available balance is too low.',
    source: pages.refunds,
    checkedBy: 'refunds.ts',
    breaks: [
      {
        ...refunding('payment_intent={intent}'),
        given: 'paid by bank, with an empty balance',
        answer: { status: 'failed' },
      },
    ],
  },
];

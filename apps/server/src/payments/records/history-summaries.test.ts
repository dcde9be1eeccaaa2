import { expect, test } from 'vitest';
import {
  summariseApproval,
  summariseBankFailure,
  summariseCompletedRefund,
  summariseDispute,
  summariseFailedRefund,
  summarisePayment,
  summariseRefund,
} from './history-summaries.ts';

const search = {
  method: 'card' as const,
  amount: 27_600,
  category: 'search',
  description: 'Local authority search',
};

test.each([
  ['search', 'Local authority search', 'Amelia paid £276.00 for the local authority search'],
  ['search', 'CON29 search', 'Amelia paid £276.00 for the CON29 search'],
  ['search', 'Thames Water search', 'Amelia paid £276.00 for the Thames Water search'],
  ['identity_check', 'Identity check', 'Amelia paid £276.00 for the identity check'],
  ['legal_fees', 'Legal fees', 'Amelia paid £276.00 for legal fees'],
  ['indemnity_insurance', 'Indemnity insurance', 'Amelia paid £276.00 for indemnity insurance'],
  ['money_on_account', 'Money on account', 'Amelia paid £276.00 on account'],
  ['other', 'Other payment', 'Amelia paid £276.00'],
])(
  'the history summary of a payment names payer, amount and purpose: %s, "%s"',
  (category, description, summary) => {
    expect(summarisePayment('Amelia', { ...search, category, description }, null)).toBe(summary);
  },
);

test('the history summary of a refund has its amount', () => {
  const made = (amount: number) => summariseRefund({ amount, status: 'succeeded' }, search);
  expect(made(27_600)).toBe('We refunded the £276.00 paid for the local authority search');
  expect(made(10_000)).toBe('We refunded £100.00 of the £276.00 paid for the local authority search');
});

test('the history says that a refund was started, and later that it was made', () => {
  for (const status of ['pending', 'requires_action'] as const) {
    expect(summariseRefund({ amount: 27_600, status }, search)).toBe(
      'We started to refund the £276.00 paid for the local authority search',
    );
    expect(summariseRefund({ amount: 10_000, status }, search)).toBe(
      'We started to refund £100.00 of the £276.00 paid for the local authority search',
    );
  }
  expect(summariseCompletedRefund(10_000, search)).toBe(
    'A refund of £100.00 for the local authority search was made',
  );
});

test.each([
  ['inquiry', 'The card’s bank asked us about £276.00 paid for the local authority search'],
  ['inquiry_closed', 'The card’s bank closed its question about £276.00 paid for the local authority search'],
  ['open', 'The card’s bank disputed £276.00 paid for the local authority search'],
  ['won', 'The card’s bank settled the dispute in our favour: £276.00 paid for the local authority search'],
  ['lost', 'The card’s bank took back £276.00 paid for the local authority search'],
] as const)('the history summary of a dispute that is %s says what the bank did', (phase, summary) => {
  expect(summariseDispute({ phase, amount: 27_600 }, search)).toBe(summary);
});

test('the history summary of a payment names the wallet', () => {
  const payment = { ...search, category: 'money_on_account', description: 'Money on account' };
  expect(summarisePayment('Amelia', payment, 'apple_pay')).toBe(
    'Amelia paid £276.00 on account with Apple Pay',
  );
});

test('the history summaries of a payment by bank follow its progress', () => {
  const byBank = { ...search, method: 'bank' as const };
  expect(summarisePayment('Amelia', byBank, null)).toBe(
    'Amelia paid £276.00 for the local authority search by bank',
  );
  expect(summariseApproval(byBank)).toBe(
    'The payer’s bank approved £276.00 for the local authority search. We’re waiting for the money',
  );
  expect(summariseBankFailure(byBank)).toBe(
    'The payer’s bank did not send £276.00 for the local authority search',
  );
  expect(summariseFailedRefund(10_000, byBank)).toBe(
    'A refund of £100.00 for the local authority search did not reach the bank account',
  );
});

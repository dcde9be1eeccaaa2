import { expect, test } from 'vitest';
import { readPublicConfig } from '../services/public-config.ts';
import { howToPayOtherwise } from './pay-otherwise.ts';
import { methodsFor, readMethodsConfig } from './payment-methods.ts';

const { payments } = readPublicConfig(null);
const config = readMethodsConfig({ ...payments, purposes: ['search', 'legal_fees', 'money_on_account'] });
const cardsForSearchesOnly = readMethodsConfig({ ...payments, purposes: ['search'] });

test.each([
  ['a search', { purpose: 'search', amount: 13_800_00 }],
  ['a bill within the limits', { purpose: 'legal_fees', amount: 150_00 }],
  ['a bill that is being paid', { purpose: 'legal_fees', amount: null }],
  ['what the firm asks for', { purpose: null, amount: 5_000_00 }],
] as const)('%s can be paid here', (_what, toPay) => {
  expect(howToPayOtherwise(config, toPay)).toBeNull();
});

test.each([
  [null, 13_800_00],
  ['legal_fees', 5_000_01],
] as const)(
  'a payment for %s of %d pence is more than can be paid here, and says how to pay',
  (purpose, amount) => {
    expect(howToPayOtherwise(config, { purpose, amount })).toBe(
      'The most you can pay here at once is £5,000.00. Call us, and we’ll tell you how to pay by bank transfer.',
    );
  },
);

test('an amount below the smallest payment says how to pay', () => {
  expect(howToPayOtherwise(config, { purpose: null, amount: 99 })).toMatch(
    /^The least you can pay here is £1\.00\. Call us/,
  );
});

test('a purpose without card payments says how to pay', () => {
  expect(howToPayOtherwise(cardsForSearchesOnly, { purpose: 'legal_fees', amount: 150_00 })).toMatch(
    /^We don’t accept cards for this\. Call us/,
  );
});

test('pay by bank is not offered for client money of a bill that the client account accepts by card only', () => {
  const { card } = config;
  const bank = { ...card, client_money_of_bills: false };
  const offered = (paysClientMoney: boolean, purpose: 'legal_fees' | 'search' = 'legal_fees') =>
    methodsFor({ card, bank }, { purpose, amount: 150_00, paysClientMoney });
  expect([offered(false), offered(true)]).toEqual([['card', 'bank'], ['card']]);
  expect(offered(true, 'search')).toEqual(['card', 'bank']);
  const bankOnly = { card: { ...card, purposes: [] }, bank };
  expect(
    howToPayOtherwise(bankOnly, { purpose: 'legal_fees', amount: 150_00, paysClientMoney: true }),
  ).toMatch(/Call us/);
});

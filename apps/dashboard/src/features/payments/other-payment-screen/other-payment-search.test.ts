import { expect, test } from 'vitest';
import { readOtherPaymentSearch } from './other-payment-search.ts';

const nothing = { amount: undefined, for: undefined, matter: undefined, bill: undefined };

test('an address can fill in the amount, the reference, the matter and the bill of another payment', () => {
  expect(readOtherPaymentSearch({ amount: 250_00, for: ' Bill 118 ', matter: 'm', bill: 'b' })).toStrictEqual(
    {
      amount: 250_00,
      for: 'Bill 118',
      matter: 'm',
      bill: 'b',
    },
  );
});

test('a reference made of digits only stays a text', () => {
  expect(readOtherPaymentSearch({ for: 118 }).for).toBe('118');
});

test.each([0, -1, 2.5, '250', 'abc', null, Number.NaN, 1e30, {}])(
  'an invalid amount of %j in the address is set to undefined, so that the router does not keep it',
  (amount) => {
    expect(readOtherPaymentSearch({ amount })).toStrictEqual(nothing);
  },
);

test('a reference in the address is cut to the length of its field, and unknown parameters are left out', () => {
  const found = { for: 'x'.repeat(300), matter: { id: 1 }, next: '//evil.example' };
  expect(readOtherPaymentSearch(found)).toStrictEqual({ ...nothing, for: 'x'.repeat(100) });
});

import { expect, test } from 'vitest';
import { readOtherPaymentSearch } from './other-payment-search.ts';

const nothing = { amount: undefined, for: undefined, matter: undefined };

test('an address may say how much, what for and for which matter', () => {
  expect(readOtherPaymentSearch({ amount: 250_00, for: ' Bill 118 ', matter: 'm' })).toStrictEqual({
    amount: 250_00,
    for: 'Bill 118',
    matter: 'm',
  });
});

test('a reference of digits alone arrives as a number and stays what was written', () => {
  expect(readOtherPaymentSearch({ for: 118 }).for).toBe('118');
});

test.each([0, -1, 2.5, '250', 'abc', null, Number.NaN, 1e30, {}])(
  'an amount of %j is named as missing, so that it does not stay as it was found',
  (amount) => {
    expect(readOtherPaymentSearch({ amount })).toStrictEqual(nothing);
  },
);

test('what is too long is cut to what the field takes, and what is unknown is left out', () => {
  const found = { for: 'x'.repeat(300), matter: { id: 1 }, next: '//evil.example' };
  expect(readOtherPaymentSearch(found)).toStrictEqual({ ...nothing, for: 'x'.repeat(100) });
});

import { expect, test } from 'vitest';
import { readOtherPaymentSearch } from './other-payment-search.ts';

test('an address may say how much, what for and for which matter', () => {
  expect(readOtherPaymentSearch({ amount: 250_00, for: ' Bill 118 ', matter: 'm' })).toEqual({
    amount: 250_00,
    for: 'Bill 118',
    matter: 'm',
  });
});

test('a reference of digits alone arrives as a number and stays what was written', () => {
  expect(readOtherPaymentSearch({ for: 118 })).toEqual({ for: '118' });
});

test.each([0, -1, 2.5, '250', null, Number.NaN, 1e30, {}])('an amount of %j fills nothing in', (amount) => {
  expect(readOtherPaymentSearch({ amount })).toEqual({});
});

test('what is too long is cut to what the field takes, and what is unknown is left out', () => {
  expect(readOtherPaymentSearch({ for: 'x'.repeat(300), matter: 5, next: '//evil.example' })).toEqual({
    for: 'x'.repeat(100),
  });
});

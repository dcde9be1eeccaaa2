import { expect, test } from 'vitest';
import { readOtherPaymentSearch } from './other-payment-search.ts';

const nothing = { amount: undefined, for: undefined, matter: undefined, bill: undefined };
const read = (query: string) => readOtherPaymentSearch(new URLSearchParams(query));

test('an address can fill in the amount, the reference, the matter and the bill of another payment', () => {
  expect(read('amount=25000&for=+Bill%20118+&matter=m&bill=b')).toStrictEqual({
    amount: 250_00,
    for: 'Bill 118',
    matter: 'm',
    bill: 'b',
  });
});

test('a reference made of digits only stays a text', () => {
  expect(read('for=118').for).toBe('118');
});

test.each(['0', '-1', '2.5', '"250"', 'abc', '', '1e3', '0x10', '9'.repeat(30)])(
  'an invalid amount of %j in the address is ignored',
  (amount) => {
    expect(read(`amount=${encodeURIComponent(amount)}`)).toStrictEqual(nothing);
  },
);

test('a reference in the address is cut to the length of its field, and unknown parameters are left out', () => {
  expect(read(`for=${'x'.repeat(300)}&matter=&next=//evil.example`)).toStrictEqual({
    ...nothing,
    for: 'x'.repeat(100),
  });
});

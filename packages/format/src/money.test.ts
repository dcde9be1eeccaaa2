import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMoney, formatRate } from './money.ts';

test.each([
  [18480, '£184.80'],
  [0, '£0.00'],
  [5, '£0.05'],
  [-2400, '-£24.00'],
  [123_456_789, '£1,234,567.89'],
  [1_234_500, '£12,345.00'],
])('formats %i pence as %s', (pence, expected) => {
  expect(formatMoney(pence)).toBe(expected);
});

test('formats every amount as the browser’s own formatter does', () => {
  const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });
  fc.assert(
    fc.property(fc.integer({ min: -1e13, max: 1e13 }), (pence) => {
      expect(formatMoney(pence)).toBe(pounds.format(pence / 100));
    }),
  );
});

test('formats percentages without trailing zeros', () => {
  expect([20, 17.5, 0].map(formatRate)).toEqual(['20%', '17.5%', '0%']);
});

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

test('formats percentages without trailing zeros', () => {
  expect([20, 17.5, 0].map(formatRate)).toEqual(['20%', '17.5%', '0%']);
});

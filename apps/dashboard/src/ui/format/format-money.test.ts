import { expect, test } from 'vitest';
import { formatMoney, formatRate } from './format-money.ts';

test.each([
  [18480, '£184.80'],
  [0, '£0.00'],
  [5, '£0.05'],
  [-2400, '-£24.00'],
  [123_456_789, '£1,234,567.89'],
])('%i pence is %s', (pence, words) => {
  expect(formatMoney(pence)).toBe(words);
});

test('a rate has no idle zeros', () => {
  expect([20, 17.5, 0].map(formatRate)).toEqual(['20%', '17.5%', '0%']);
});

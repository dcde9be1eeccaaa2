import { describe, expect, test } from 'vitest';
import { formatAmountInput, parseAmount } from './amount-input.ts';

const limits = { min: 1_00, max: 5_000_00, method: 'card' as const };

describe('amount typed by the client', () => {
  test.each([
    ['250', 250_00],
    ['250.00', 250_00],
    ['£1,250.50', 1_250_50],
    ['£ 1 250.50', 1_250_50],
    [' 250.5 ', 250_50],
    ['0250', 250_00],
    ['２５０', 250_00],
    ['￡250', 250_00],
    ['1', 1_00],
    ['5,000.00', 5_000_00],
    ['19.99', 19_99],
    ['1.10', 1_10],
  ])('reads the amount %j as %d pence', (typed, amount) => {
    expect(parseAmount(typed, limits)).toEqual({ amount });
  });

  test.each(['abc', '-5', '1,25', '1.250,50', '25,0', '1e3', '250.001', '250 pounds', '£', '.50', '1,,000'])(
    'rejects %j, which is not an amount in pounds',
    (typed) => {
      expect(parseAmount(typed, limits)).toEqual({
        fault: 'Enter the amount in pounds, for example 250 or 1,250.50.',
      });
    },
  );

  test('asks for an amount when the field is empty', () => {
    expect(parseAmount('  ', limits)).toEqual({ fault: 'Enter the amount.' });
  });

  test('rejects an amount outside the configured limits', () => {
    expect(parseAmount('0.99', limits)).toEqual({ fault: 'The smallest amount you can pay is £1.00.' });
    expect(parseAmount('5000.01', limits)).toMatchObject({ fault: expect.stringContaining('£5,000.00') });
    expect(parseAmount('5000.01', { ...limits, max: 6_000_00 })).toEqual({ amount: 5_000_01 });
    expect(parseAmount('999999999', limits)).toHaveProperty('fault');
  });

  test('reads a filled-in amount back unchanged', () => {
    expect(formatAmountInput(1_250_50)).toBe('1,250.50');
    expect(parseAmount(formatAmountInput(1_250_50), limits)).toEqual({ amount: 1_250_50 });
  });
});

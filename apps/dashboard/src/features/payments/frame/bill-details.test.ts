import type { Bill } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { linesOfBill } from './bill-details.tsx';

const bill = {
  description: 'Our fee for your purchase',
  net: 130_000,
  vat: 20_000,
  gross: 150_000,
  paid: 0,
  left: 150_000,
  lines: [
    {
      description: 'Our fee',
      net: 100_000,
      vat_code: 'standard',
      vat_rate: 20,
      vat: 20_000,
      money: 'office',
    },
    {
      description: 'HM Land Registry fee',
      net: 30_000,
      vat_code: 'outside_scope',
      vat_rate: 0,
      vat: 0,
      money: 'client',
    },
  ],
} as unknown as Bill;
const shown = (change: Partial<Bill> = {}, showsVat = true) =>
  linesOfBill({ ...bill, ...change }, showsVat).map(({ label, amount }) => [label, amount]);

describe('the lines of a bill', () => {
  test('lists each line with its VAT, the sums, what is paid and what is left', () => {
    expect(shown({ paid: 50_000, left: 100_000 })).toEqual([
      ['Our fee (VAT at 20%)', 100_000],
      ['HM Land Registry fee (no VAT)', 30_000],
      ['Net', 130_000],
      ['VAT', 20_000],
      ['Total', 150_000],
      ['Paid', -50_000],
      ['Left to pay', 100_000],
    ]);
  });

  test('shows no VAT of a firm without a VAT number', () => {
    expect(shown({}, false)).toEqual([
      ['Our fee', 120_000],
      ['HM Land Registry fee', 30_000],
      ['Total', 150_000],
    ]);
  });

  test('is one line with its VAT while the server sends no lines', () => {
    const { lines: _, ...former } = bill;
    expect(linesOfBill(former, true).map(({ label }) => label)).toEqual([
      'Our fee for your purchase',
      'VAT',
      'Total',
    ]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { vatStatement } from './vat-statement.ts';

const fee = { net: 15_400, vat_rate: 20, vat: 3_080, gross: 18_480, client_money: false };
const disbursement = { net: 4_000, vat_rate: 0, vat: 0, gross: 4_000, client_money: false };
const vatNumber = 'GB 123 4567 89';

describe('VAT on a receipt', () => {
  test('a receipt shows net and VAT of a single rate', () => {
    expect(vatStatement({ lines: [fee], vatNumber, bill: null })).toEqual({
      number: vatNumber,
      amounts: [
        { label: 'Net', amount: 15_400 },
        { label: 'VAT at 20%', amount: 3_080 },
      ],
      notice: null,
    });
  });

  test('a receipt lists each VAT rate separately, and a disbursement without VAT', () => {
    const insulation = { net: 1_000, vat_rate: 5, vat: 50, gross: 1_050, client_money: false };
    const { amounts } = vatStatement({ lines: [insulation, fee, disbursement], vatNumber, bill: null });
    expect(amounts).toEqual([
      { label: 'Net at 20%', amount: 15_400 },
      { label: 'VAT at 20%', amount: 3_080 },
      { label: 'Net at 5%', amount: 1_000 },
      { label: 'VAT at 5%', amount: 50 },
      { label: 'Without VAT', amount: 4_000 },
    ]);
  });

  test('a receipt for client money is no VAT invoice, whatever VAT the firm will charge', () => {
    for (const lines of [[{ ...fee, client_money: true }], [fee, { ...disbursement, client_money: true }]])
      expect(vatStatement({ lines, vatNumber, bill: null })).toEqual({
        number: null,
        amounts: [],
        notice: 'Receipt for money held on account. Not a VAT invoice: VAT is shown on our bill.',
      });
  });

  test('a receipt claims no VAT without a VAT number', () => {
    expect(vatStatement({ lines: [fee], vatNumber: null, bill: null })).toEqual({
      number: null,
      amounts: [],
      notice: 'This receipt is not a VAT invoice.',
    });
  });

  test('a receipt claims no VAT for a disbursement without VAT', () => {
    expect(vatStatement({ lines: [disbursement], vatNumber, bill: null })).toEqual({
      number: null,
      amounts: [],
      notice: 'This receipt is not a VAT invoice. It includes no VAT.',
    });
  });

  test('a receipt for a bill names the bill as the VAT invoice', () => {
    const bill = { number: '2026/118', issuedOn: '2026-11-03' };
    expect(vatStatement({ lines: [fee], vatNumber, bill }).notice).toBe(
      'Your VAT invoice is bill 2026/118 of Tuesday 3 November 2026.',
    );
  });

  test('the VAT lines of a receipt add up to the amount paid, to the penny', () => {
    const line = fc
      .record({ net: fc.nat(100_000_00), vat_rate: fc.constantFrom(0, 5, 12.5, 20) })
      .map(({ net, vat_rate }) => {
        const vat = Math.round((net * vat_rate) / 100);
        return { net, vat_rate, vat, gross: net + vat, client_money: false };
      });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const { amounts } = vatStatement({ lines, vatNumber, bill: null });
        const total = lines.reduce((sum, { gross }) => sum + gross, 0);
        const hasVat = lines.some(({ vat }) => vat > 0);
        expect(amounts.reduce((sum, { amount }) => sum + amount, 0)).toBe(hasVat ? total : 0);
      }),
    );
  });
});

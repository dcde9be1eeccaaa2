import type { BillLine } from '@keyturn/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billLines } from './bill-amounts.ts';
import type { BillWithPayments } from './bills-store.ts';

const lineOfBill = fc
  .record({
    net: fc.integer({ min: 1, max: 2_000_000 }),
    rate: fc.constantFrom(0, 20),
    money: fc.constantFrom('client' as const, 'office' as const),
  })
  .map(
    ({ net, rate, money }): BillLine => ({
      description: 'Fee',
      net,
      vat_code: rate === 0 ? 'exempt' : 'standard',
      vat_rate: rate,
      vat: Math.round((net * rate) / 100),
      money,
    }),
  );
const bills = fc.record({
  lines: fc.array(lineOfBill, { minLength: 1, maxLength: 6 }),
  paidOtherwise: fc.integer({ min: 0, max: 1_000_000 }),
  parts: fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 30 }),
});
const grossOf = ({ net, vat }: BillLine) => net + vat;
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
const billOf = (lines: BillLine[], paidOtherwise = 0) =>
  ({
    bill: { number: '1', description: 'Fee', lines, paidOtherwise },
    payments: [],
  }) as unknown as BillWithPayments;

/** Pays a bill in these parts, and then the rest. @returns what was paid of each line */
function payInParts(found: BillWithPayments, parts: readonly number[]): { net: number; vat: number }[] {
  const { lines, paidOtherwise } = found.bill;
  const paid = (lines ?? []).map(() => ({ net: 0, vat: 0 }));
  let left = sum((lines ?? []).map(grossOf)) - paidOtherwise;
  for (const part of [...parts, left]) {
    const amount = Math.min(part, left);
    if (amount === 0) break;
    const paidNow = billLines(found, amount);
    expect(sum(paidNow.map(({ gross }) => gross))).toBe(amount);
    for (const { net, vat, gross, bill_line = -1 } of paidNow) {
      expect(net + vat).toBe(gross);
      expect(Math.min(net, vat)).toBeGreaterThanOrEqual(0);
      const line = paid[bill_line];
      if (line) {
        line.net += net;
        line.vat += vat;
      }
    }
    found.payments.push({ amount, lines: paidNow, refunds: [] });
    left -= amount;
  }
  return paid;
}

test('the parts of a bill add up to the net amount and VAT of each of its lines, however it is split', () => {
  fc.assert(
    fc.property(bills, ({ lines, parts }) => {
      expect(payInParts(billOf(lines), parts)).toEqual(lines.map(({ net, vat }) => ({ net, vat })));
    }),
  );
});

test('the parts of a bill never pay more of a line than is left of it, also if some was paid by other means', () => {
  fc.assert(
    fc.property(bills, ({ lines, parts, paidOtherwise }) => {
      const gross = sum(lines.map(grossOf));
      const otherwise = Math.min(paidOtherwise, gross - 1);
      const paid = payInParts(billOf(lines, otherwise), parts);
      for (const [index, line] of lines.entries()) {
        expect(paid[index]?.net).toBeLessThanOrEqual(line.net);
        expect(paid[index]?.vat).toBeLessThanOrEqual(line.vat);
      }
      expect(sum(paid.map(({ net, vat }) => net + vat))).toBe(gross - otherwise);
    }),
  );
});

test('a refund of a part leaves exactly that part to pay again', () => {
  fc.assert(
    fc.property(bills, fc.integer({ min: 1, max: 1_000_000 }), ({ lines }, refund) => {
      const found = billOf(lines);
      const gross = sum(lines.map(grossOf));
      const refunded = Math.min(refund, gross);
      found.payments.push({
        amount: gross,
        lines: billLines(found, gross),
        refunds: [{ amount: refunded, office: null }],
      });
      expect(sum(billLines(found, refunded).map((line) => line.gross))).toBe(refunded);
    }),
  );
});

test('part payments pay client money first, and the firm’s lines in proportion', () => {
  const line = (description: string, net: number, money: 'client' | 'office'): BillLine => ({
    description,
    net,
    vat_code: money === 'client' ? 'outside_scope' : 'standard',
    vat_rate: money === 'client' ? 0 : 20,
    vat: money === 'client' ? 0 : net / 5,
    money,
  });
  const found = billOf([
    line('Our fee', 100_000, 'office'),
    line('HM Land Registry fee', 30_000, 'client'),
    line('Bank transfer fee', 5_000, 'office'),
  ]);
  const part = billLines(found, 40_000);
  expect(part.map(({ text, net, vat, client_money }) => [text, net, vat, client_money])).toEqual([
    ['Bill 1: Our fee', 7_937, 1_587, false],
    ['Bill 1: HM Land Registry fee', 30_000, 0, true],
    ['Bill 1: Bank transfer fee', 397, 79, false],
  ]);
});

test('a refund of what was paid above a bill leaves nothing of it to pay, and a payment above a paid bill pays nothing of it', () => {
  fc.assert(
    fc.property(bills, fc.integer({ min: 1, max: 1_000_000 }), ({ lines }, above) => {
      const found = billOf(lines);
      const gross = sum(lines.map(grossOf));
      found.payments.push({
        amount: gross + above,
        lines: billLines(found, gross + above),
        refunds: [{ amount: above, office: null }],
      });
      expect(billLines(found, above)).toMatchObject([{ gross: above, client_money: true }]);
      found.payments.push({ amount: above, lines: billLines(found, above), refunds: [] });
      expect(billLines(found, 1)).toMatchObject([{ text: 'More than was left of bill 1', gross: 1 }]);
    }),
  );
});

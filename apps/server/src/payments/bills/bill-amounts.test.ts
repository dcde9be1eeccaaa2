import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billLine } from './bill-amounts.ts';
import type { BillWithPayments } from './bills-store.ts';

test('the parts of a bill add up to its net and VAT, however it is split', () => {
  const bills = fc.record({
    net: fc.integer({ min: 1, max: 2_000_000 }),
    vatRate: fc.constantFrom(0, 5, 20),
    paidOtherwise: fc.integer({ min: 0, max: 1_000_000 }),
    parts: fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 30 }),
  });
  fc.assert(
    fc.property(bills, ({ net, vatRate, paidOtherwise: otherwise, parts }) => {
      const vat = Math.round((net * vatRate) / 100);
      const gross = net + vat;
      const paidOtherwise = Math.min(otherwise, gross - 1);
      const found = {
        bill: { number: '1', description: 'Fee', net, vat, vatRate, paidOtherwise },
        paidByCard: 0,
        open: 0,
        vatOfPayments: 0,
      } as unknown as BillWithPayments;
      let [netOfParts, left] = [0, gross - paidOtherwise];
      for (const part of [...parts, left]) {
        const amount = Math.min(part, left);
        if (amount === 0) break;
        const line = billLine(found, amount);
        expect(line.net + line.vat).toBe(amount);
        expect(Math.min(line.net, line.vat)).toBeGreaterThanOrEqual(0);
        found.paidByCard += amount;
        found.vatOfPayments += line.vat;
        netOfParts += line.net;
        left -= amount;
      }
      const otherVat = Math.round((vat * paidOtherwise) / gross);
      expect(found.vatOfPayments).toBe(vat - otherVat);
      expect(netOfParts).toBe(net - (paidOtherwise - otherVat));
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocatedLines } from '../records/allocated-lines.ts';
import { partsOf } from '../records/money-parts.ts';
import { decideAllocation, type SearchToAllocate } from './decide-allocation.ts';

const ordered: SearchToAllocate = {
  status: 'ordered',
  orderedAt: new Date('2026-11-20T10:00:00Z'),
  supplierCost: 150_00,
  rebate: null,
  isOrderedFromOfficeMoney: true,
};
const cleared = { amount: 180_00, clearsOn: '2026-11-24', awaitsPayerCheck: false };

test.each([
  ['that the firm ordered before repays the supplier’s charge', ordered, {}, 150_00, 'ordered_before'],
  ['that came back before repays it too', { status: 'returned' }, {}, 150_00, 'ordered_before'],
  ['with an unknown day of its order is client money', { orderedAt: null }, {}, 0, 'not_ordered'],
  ['repays the firm less what the supplier pays back', { rebate: 40_00 }, {}, 110_00, 'ordered_before'],
  [
    'of a firm that pays suppliers later is client money',
    { isOrderedFromOfficeMoney: false },
    {},
    0,
    'not_paid_first',
  ],
  ['that waits for its order is client money', { status: 'paid', orderedAt: null }, {}, 0, 'not_ordered'],
  ['that was cancelled is client money', { status: 'cancelled' }, {}, 0, 'not_ordered'],
  [
    'that was ordered after the day of clearing is client money, even if Keyturn finds out late',
    { orderedAt: new Date('2026-11-25T00:30:00Z') },
    {},
    0,
    'not_ordered',
  ],
  ['with an unknown cost is client money', { supplierCost: null }, {}, 0, 'cost_unknown'],
  [
    'that another, unchecked person paid is client money',
    {},
    { awaitsPayerCheck: true },
    0,
    'payer_unchecked',
  ],
  ['never repays more than was paid', { supplierCost: 200_00 }, {}, 180_00, 'ordered_before'],
] as const)('the payment for a search %s', (_what, search, facts, office, cause) => {
  expect(decideAllocation({ ...ordered, ...search }, { ...cleared, ...facts })).toEqual({ office, cause });
});

test('the lines by whose money they are add up to the payment, whatever repays the firm', () => {
  const pence = fc.integer({ min: 0, max: 100_000 });
  fc.assert(
    fc.property(pence, pence, pence, pence, (net, vat, office, received) => {
      const line = { text: 'Search', net, vat, vat_rate: 20, gross: net + vat, client_money: true };
      const lines = allocatedLines([line], { office });
      for (const name of ['net', 'vat', 'gross'] as const) {
        expect(lines.reduce((sum, found) => sum + found[name], 0)).toBe(line[name]);
        expect(lines.every((found) => found[name] >= 0)).toBe(true);
      }
      const isClients = Math.min(office, line.gross);
      expect(partsOf(lines, line.gross).client).toBe(line.gross - isClients);
      const kept = Math.min(received, line.gross);
      expect(partsOf(lines, kept).client).toBeLessThanOrEqual(kept);
      expect(partsOf(lines, kept).client).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('the payment of a bill stays split by its lines', () => {
  const line = { text: 'Our fee', net: 100, vat: 20, vat_rate: 20, gross: 120, client_money: false };
  const lines = [line, { ...line, client_money: true }];
  expect(allocatedLines(lines, null)).toEqual(lines);
});

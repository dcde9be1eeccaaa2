import { expect, test } from 'vitest';
import { chooseReceiptNumbers, isReceiptNumber } from './receipt-numbers-to-restore.ts';

const payment = (intentId: string, receiptNumber: string | null = null, year = 2026) => ({
  intentId,
  year,
  receiptNumber,
});

test('gives payments their former receipt numbers, and fills the gaps in the order of payment', () => {
  const chosen = chooseReceiptNumbers(
    [payment('b', 'R-2026-000003'), payment('c'), payment('d', 'R-2026-000005'), payment('e')],
    ['R-2026-000001', 'R-2026-000002'],
  );
  expect(Object.fromEntries(chosen)).toEqual({
    b: 'R-2026-000003',
    c: 'R-2026-000004',
    d: 'R-2026-000005',
    e: 'R-2026-000006',
  });
});

test('fault 74: never gives a receipt number twice', () => {
  const chosen = chooseReceiptNumbers(
    [payment('a', 'R-2026-000001'), payment('b', 'R-2026-000002'), payment('c', 'R-2026-000002')],
    ['R-2026-000001'],
  );
  expect([...chosen.values()].sort()).toEqual(['R-2026-000002', 'R-2026-000003', 'R-2026-000004']);
});

test('numbers receipts separately for each year', () => {
  const chosen = chooseReceiptNumbers([payment('a', null, 2025), payment('b')], ['R-2025-000007']);
  expect(Object.fromEntries(chosen)).toEqual({ a: 'R-2025-000001', b: 'R-2026-000001' });
});

test('accepts only valid receipt numbers from the metadata of an intent', () => {
  expect(isReceiptNumber('R-2026-000123')).toBe(true);
  for (const text of [null, '', 'R-26-1', 'R-2026-000000', "R-2026-000001'"])
    expect(isReceiptNumber(text)).toBe(false);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LedgerMovement, postingsOf } from './ledger-postings.ts';

const line = (client_money: boolean) => ({
  text: 'Local authority search',
  net: 15_042,
  vat_rate: 20,
  vat: 3_008,
  gross: 18_050,
  client_money,
});
const clientLines = [line(true)];
const sumOf = (movements: LedgerMovement[], account: string) =>
  movements
    .flatMap(postingsOf)
    .filter((posting) => posting.account === account)
    .reduce((sum, { amount }) => sum + amount, 0);

const movements = fc.record({
  kind: fc.constantFrom(
    'charge',
    'refund',
    'refund_failure',
    'dispute',
    'dispute_reversal',
    'fee',
    'payout',
    'payout_failure',
    'other',
  ),
  amount: fc.integer({ min: -10_000_000, max: 10_000_000 }),
  fee: fc.integer({ min: -5_000, max: 5_000 }),
  lines: fc.constantFrom(clientLines, [line(false)], [line(true), line(false)], null),
});

test('the postings of any movements add up to zero', () => {
  fc.assert(
    fc.property(fc.array(movements), (all) => {
      const total = all.flatMap(postingsOf).reduce((sum, { amount }) => sum + amount, 0);
      expect(total).toBe(0);
    }),
  );
});

test('the provider’s account is the sum of all movements after their fees', () => {
  fc.assert(
    fc.property(fc.array(movements), (all) => {
      expect(sumOf(all, 'provider')).toBe(all.reduce((sum, { amount, fee }) => sum + amount - fee, 0));
    }),
  );
});

test('fees and chargebacks reduce no client money, and are separate accounts', () => {
  const paid: LedgerMovement[] = [
    { kind: 'charge', amount: 18_050, fee: 291, lines: clientLines },
    { kind: 'dispute', amount: -18_050, fee: 2_000, lines: clientLines },
    { kind: 'fee', amount: -500, fee: 0, lines: null },
  ];
  expect(sumOf(paid, 'client_money')).toBe(-18_050);
  expect(sumOf(paid, 'card_costs')).toBe(291 + 2_000 + 500);
  expect(sumOf(paid, 'chargebacks')).toBe(18_050);
  const won: LedgerMovement = { kind: 'dispute_reversal', amount: 18_050, fee: 0, lines: clientLines };
  expect(sumOf([...paid, won], 'chargebacks')).toBe(0);
});

test('a refund that fails is client money again', () => {
  const movement = { fee: 0, lines: clientLines } as const;
  const all: LedgerMovement[] = [
    { ...movement, kind: 'charge', amount: 18_050 },
    { ...movement, kind: 'refund', amount: -600 },
    { ...movement, kind: 'refund_failure', amount: 600 },
  ];
  expect(sumOf(all, 'client_money')).toBe(-18_050);
});

test('money for a bill is the firm’s, and a mixed receipt is client money until it is split', () => {
  const movement = { kind: 'charge', amount: 18_050, fee: 0 } as const;
  expect(sumOf([{ ...movement, lines: [line(false)] }], 'business_money')).toBe(-18_050);
  expect(sumOf([{ ...movement, lines: [line(false), line(true)] }], 'client_money')).toBe(-18_050);
});

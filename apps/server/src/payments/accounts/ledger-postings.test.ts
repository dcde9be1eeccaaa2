import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LedgerMovement, postingsOf } from './ledger-postings.ts';
import { splitMovements } from './split-movements.ts';

const line = (client_money: boolean) => ({
  text: 'Local authority search',
  net: 15_042,
  vat_rate: 20,
  vat: 3_008,
  gross: 18_050,
  client_money,
});
const clientLines = [line(true)];
type Movement = Omit<LedgerMovement, 'clientMoney'>;
/** Movements of one payment in this order, with the client money in each. */
const inOrder = (movements: Movement[]): LedgerMovement[] => splitMovements(movements, () => 'a payment');
const sumOf = (movements: Movement[], account: string) =>
  inOrder(movements)
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
      const total = inOrder(all)
        .flatMap(postingsOf)
        .reduce((sum, { amount }) => sum + amount, 0);
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
  const paid: Movement[] = [
    { kind: 'charge', amount: 18_050, fee: 291, lines: clientLines },
    { kind: 'dispute', amount: -18_050, fee: 2_000, lines: clientLines },
    { kind: 'fee', amount: -500, fee: 0, lines: null },
  ];
  expect(sumOf(paid, 'client_money')).toBe(-18_050);
  expect(sumOf(paid, 'card_costs')).toBe(291 + 2_000 + 500);
  expect(sumOf(paid, 'chargebacks')).toBe(18_050);
  const won: Movement = {
    kind: 'dispute_reversal',
    amount: 18_050,
    fee: 0,
    lines: clientLines,
  };
  expect(sumOf([...paid, won], 'chargebacks')).toBe(0);
});

test('a refund that fails is client money again', () => {
  const movement = { fee: 0, lines: clientLines } as const;
  const all: Movement[] = [
    { ...movement, kind: 'charge', amount: 18_050 },
    { ...movement, kind: 'refund', amount: -600 },
    { ...movement, kind: 'refund_failure', amount: 600 },
  ];
  expect(sumOf(all, 'client_money')).toBe(-18_050);
});

test('money for a bill is the firm’s, and a mixed payment is split by its lines', () => {
  const movement = { kind: 'charge', amount: 18_050, fee: 0 } as const;
  expect(sumOf([{ ...movement, lines: [line(false)] }], 'business_money')).toBe(-18_050);
  const mixed = [{ ...movement, amount: 36_100, lines: [line(false), line(true)] }];
  expect(sumOf(mixed, 'business_money')).toBe(-18_050);
  expect(sumOf(mixed, 'client_money')).toBe(-18_050);
});

test('refunds of a mixed payment take the firm’s money first, and leave nothing once all is refunded', () => {
  const lines = [line(false), { ...line(true), bill_line: 1 }];
  const charge = { kind: 'charge', amount: 36_100, fee: 0, lines } as const;
  const refund = (amount: number) => ({ kind: 'refund', amount: -amount, fee: 0, lines }) as const;
  const part = [charge, refund(10_000)];
  expect([sumOf(part, 'business_money'), sumOf(part, 'client_money')]).toEqual([-8_050, -18_050]);
  const more = [...part, refund(10_000)];
  expect([sumOf(more, 'business_money'), sumOf(more, 'client_money')]).toEqual([0, -16_100]);
  const all = [...more, refund(16_100)];
  expect([sumOf(all, 'business_money'), sumOf(all, 'client_money')]).toEqual([0, 0]);
  const failed = { kind: 'refund_failure', amount: 16_100, fee: 0, lines } as const;
  expect(sumOf([...all, failed], 'client_money')).toBe(-16_100);
});

test('a refund of what a client paid above a bill is client money, and then the firm’s money is refunded', () => {
  const lines = [
    { ...line(false), bill_line: 0 },
    { ...line(true), gross: 2_000, vat: 0, vat_rate: 0, net: 2_000 },
  ];
  const charge = { kind: 'charge', amount: 20_050, fee: 0, lines } as const;
  const refund = (amount: number) => ({ kind: 'refund', amount: -amount, fee: 0, lines }) as const;
  const books = (...all: Movement[]) => [sumOf(all, 'business_money'), sumOf(all, 'client_money')];
  expect(books(charge)).toEqual([-18_050, -2_000]);
  expect(books(charge, refund(2_000))).toEqual([-18_050, 0]);
  expect(books(charge, refund(2_500))).toEqual([-17_550, 0]);
  expect(books(charge, refund(2_000), refund(18_050))).toEqual([0, 0]);
});

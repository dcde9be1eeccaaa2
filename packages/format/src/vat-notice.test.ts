import { expect, test } from 'vitest';
import { vatNotice } from './vat-notice.ts';

const fee = [{ client_money: false, gross: 12_000 }];
const held = { client_money: true, gross: 4_500 };

test.each([
  [5_000, 'Part payment of bill 2026/118. £50.00 left. VAT is on the bill.'],
  [0, 'Payment of bill 2026/118. VAT is on the bill.'],
  // A payment from before the rest was recorded.
  [null, 'Payment towards bill 2026/118. VAT is on the bill.'],
])('a receipt for a bill of which %j pence are left says: %s', (left, notice) => {
  expect(vatNotice({ kind: 'other', lines: fee, bill: { number: '2026/118', left } })).toBe(notice);
});

test('a receipt for client money is no VAT invoice, also if only a part of it is client money', () => {
  const notice = 'Receipt for money held on account. Not a VAT invoice: VAT is shown on our bill.';
  for (const lines of [[held], [...fee, held]])
    expect(vatNotice({ kind: 'other', lines, bill: null })).toBe(notice);
});

test('a receipt for the firm’s own money without a bill is no VAT invoice either', () => {
  expect(vatNotice({ kind: 'other', lines: fee, bill: null })).toBe('This receipt is not a VAT invoice.');
});

test('a receipt for a bill with client money says how much of the payment is no payment for services', () => {
  expect(vatNotice({ kind: 'other', lines: [...fee, held], bill: { number: '118', left: 0 } })).toBe(
    'Payment of bill 118. VAT is on the bill. £45.00 of this payment was received for you as client money. It is not a payment for our services.',
  );
});

test('a receipt for a search that the firm had paid says that it repays the firm, and how much was received on account', () => {
  expect(vatNotice({ kind: 'search', lines: fee, bill: null })).toBe(
    'This payment repays us for what you ordered. Not a VAT invoice: VAT is shown on our bill.',
  );
  expect(vatNotice({ kind: 'search', lines: [...fee, held], bill: null })).toBe(
    '£120.00 of this payment repays us for what you ordered, and £45.00 was received on account. Not a VAT invoice: VAT is shown on our bill.',
  );
  expect(vatNotice({ kind: 'search', lines: [held], bill: null })).toMatch(
    /^Receipt for money held on account/,
  );
});

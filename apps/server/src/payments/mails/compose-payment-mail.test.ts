import { describe, expect, test } from 'vitest';
import type { DescribedCase } from '../../case-file/cases/payable-cases.ts';
import type { PaymentRow } from '../records/rows.ts';
import { composePaymentMail, formatPaymentMoment, type PaymentMailContent } from './compose-payment-mail.ts';

/** Paid for a search at 11:44 pm on a Saturday. */
const payment = {
  kind: 'search',
  status: 'succeeded',
  amount: 18_000,
  description: 'Local authority search',
  reference: null,
  lines: [{ text: 'Search', net: 15_000, vat_rate: 20, vat: 3_000, gross: 18_000, client_money: true }],
  provider: 'stripe',
  receiptNumber: 'R-2026-000001',
  paidAt: new Date('2026-11-21T23:44:00Z'),
  ownCard: true,
  payerCheck: null,
  disputeStatus: null,
  payerName: null,
  cardBrand: null,
  cardLast4: null,
  refundedAmount: 0,
  clearsOn: null,
  clearedAt: null,
} as Partial<PaymentRow> as PaymentRow;
const described = {
  firm: {
    name: 'Alder & Finch',
    sra_number: '1',
    phone: '01632 960000',
    address: [],
    opening_hours: '',
    vat_number: 'GB 123 4567 89',
    order_cutoff: '15:00',
    closed_on: [],
  },
  statutoryLine: '',
  caseReference: 'KT-1',
  clientNames: ['Amelia Okafor'],
  payerName: 'Amelia Okafor',
  property: null,
  bankHolidays: [],
} satisfies DescribedCase;
const compose = (change: Partial<PaymentRow> = {}, content: Partial<PaymentMailContent> = {}) =>
  composePaymentMail({
    kind: 'receipt',
    payment: { ...payment, ...change },
    described,
    bill: null,
    greeting: 'Hello,',
    refundAmount: 0,
    refundStatus: null,
    today: '2026-11-21',
    ...content,
  });

/** A payment of the firm’s own fee. */
const fee = { lines: payment.lines.map((line) => ({ ...line, client_money: false })) };

describe('the email of a receipt', () => {
  test('a receipt email names the day on which the search is ordered, until it has passed', () => {
    expect(compose().paragraphs).toContain('We’ll order the search on Monday 23 November 2026.');
    expect(compose({}, { today: '2026-11-24' }).paragraphs.join()).not.toContain('order the search');
    expect(compose({ kind: 'other' }).paragraphs.join()).not.toContain('order the search');
  });

  test('a receipt email of a firm that waits for the money says that the search is ordered once it has cleared', () => {
    const firm = { ...described.firm, order_searches: 'cleared' as const };
    expect(compose({}, { described: { ...described, firm } }).paragraphs).toContain(
      'We’ll order the search once the money has cleared (expected by Wednesday 25 November 2026).',
    );
  });

  test('a receipt email says when the money clears, and of client money that it is no VAT invoice', () => {
    expect(compose().facts?.rows).toContainEqual(['Clears', 'Expected by Wednesday 25 November 2026']);
    const names = (compose().facts?.rows ?? []).map(([name]) => name);
    for (const name of ['VAT number', 'Date of supply', 'Net', 'VAT at 20%'])
      expect(names).not.toContain(name);
    expect(compose().facts?.rows).toContainEqual([
      'About VAT',
      'Receipt for money held on account. Not a VAT invoice: VAT is shown on our bill.',
    ]);
    const cleared = compose({ clearsOn: '2026-11-26', clearedAt: new Date() });
    expect(cleared.facts?.rows).toContainEqual(['Cleared', 'Thursday 26 November 2026']);
  });

  test('a receipt email of a part of a bill says what is left, and that VAT is on the bill', () => {
    const rows = compose(fee, { bill: { number: '118', left: 5_000 } }).facts?.rows;
    expect(rows).toContainEqual(['About VAT', 'Part payment of bill 118. £50.00 left. VAT is on the bill.']);
    expect(rows).toContainEqual(['Total paid', '£180.00']);
  });

  test('a receipt email says that the firm checks another person who paid before it orders anything', () => {
    const notice = /we check who paid before we use the money\..*Then we order the search\./;
    expect(compose({ ownCard: false }).paragraphs.join()).toMatch(notice);
    expect(compose({ ownCard: false }).paragraphs.join()).not.toContain('We’ll order');
    expect(compose().paragraphs.join()).not.toMatch(notice);
  });
});

test('the email about a refund that failed names its amount and asks for no bank details', () => {
  const mail = compose({}, { kind: 'refund_failed', refundAmount: 5_000, refundStatus: 'failed' });
  expect(mail.subject).toBe('The refund of £50.00 did not reach your bank');
  expect(mail.paragraphs.join(' ')).toMatch(
    /told you about a refund of £50\.00 of the £180\.00 .* did not reach your bank/,
  );
  expect(mail.paragraphs.join(' ')).toContain('call Alder & Finch on 01632 960000');
  expect(mail.paragraphs.join(' ')).toContain('Please don’t email us your bank details.');
});

test.each([
  ['2026-11-21T12:02:36Z', '21 November 2026 at 12:02 pm'],
  ['2026-11-21T00:05:00Z', '21 November 2026 at 12:05 am'],
  ['2026-06-30T23:30:00Z', '1 July 2026 at 12:30 am'],
  ['2026-11-03T09:00:00Z', '3 November 2026 at 9:00 am'],
])('a payment mail shows %s in London time: %s', (instant, text) => {
  expect(formatPaymentMoment(new Date(instant))).toBe(text);
});

test('the email about a refund says whether it has been made, is on its way, or was cancelled', () => {
  const about = (kind: 'refund' | 'refund_failed', refundStatus: PaymentMailContent['refundStatus']) =>
    compose({}, { kind, refundAmount: 5_000, refundStatus });
  expect(about('refund', 'succeeded').subject).toBe('We refunded £50.00');
  expect(about('refund', 'pending').subject).toBe('We’re refunding £50.00');
  expect(about('refund_failed', 'cancelled').subject).toBe('Our refund of £50.00 was not made');
});

describe('emails about a payment by bank', () => {
  const byBank = { method: 'bank', cardBrand: null, cardLast4: null } as const;

  test('emails about a payment by bank name the method instead of a card', () => {
    const names = (compose(byBank).facts?.rows ?? []).map(([name]) => name);
    expect(names).toContain('Paid with');
    expect(names).not.toContain('Card');
  });

  test('emails about a payment by bank say that a refund goes back to the account', () => {
    const mail = compose(byBank, { kind: 'refund', refundAmount: 5_000, refundStatus: 'succeeded' });
    expect(mail.paragraphs.join(' ')).toContain('goes back to the bank account you paid from');
  });

  test('the email about a failed approved payment asks the client to call before paying again if money has left', () => {
    const mail = compose({ ...byBank, paidAt: null, failureCode: 'bank_failed' }, { kind: 'not_paid' });
    const text = mail.paragraphs.join(' ');
    expect(text).toContain('You approved a payment of £180.00 at your bank');
    expect(text).toContain('If money has left your account, call us before you pay again.');
    expect(text).not.toContain('You have not been charged');
  });
});

import {
  type DisputeStatus,
  type Payment,
  type PaymentStatus,
  paymentStatuses,
  type RefundStatus,
} from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { caseSearchFixture, paymentFixture } from '../../../../fixtures/entities.ts';
import {
  compareUnfinishedFirst,
  isPaymentSettled,
  isUnfinished,
  paymentNote,
  paymentStatusTag,
  paymentTotals,
  searchesPaidByOtherMethod,
} from './payment-status.ts';

const paid_at = '2026-11-20T23:30:00.000Z';

const dispute = (status: DisputeStatus) => ({ status, amount: 10_00, opened_at: paid_at });

describe('payment status for the client', () => {
  test.each([
    [{ status: 'requires_payment_method' }, 'Not finished, nothing charged'],
    [{ status: 'requires_action' }, 'Not finished: confirm with the bank'],
    [{ status: 'processing' }, 'The bank is confirming it'],
    [{ status: 'succeeded', paid_at }, 'Paid 20 Nov 2026'],
    [{ status: 'partially_refunded', paid_at, refunded_amount: 10_00 }, 'Paid 20 Nov 2026, £10.00 refunded'],
    [{ status: 'refunded', paid_at, refunded_amount: 276_00 }, 'Paid 20 Nov 2026, fully refunded'],
    [{ status: 'cancelled' }, 'Cancelled, nothing charged'],
    [{ status: 'cancelled', stopped_by_provider: true }, 'Stopped, nothing charged'],
    [{ status: 'cancelled', under_review: true }, 'We’re reviewing it. Please don’t pay again'],
    [
      { status: 'succeeded', paid_at, dispute: dispute('inquiry') },
      'Paid 20 Nov 2026, queried by the card’s bank',
    ],
    [
      { status: 'succeeded', paid_at, dispute: dispute('open') },
      'Paid 20 Nov 2026, disputed with the card’s bank',
    ],
    [{ status: 'succeeded', paid_at, dispute: dispute('won') }, 'Paid 20 Nov 2026'],
    [
      { status: 'succeeded', paid_at, dispute: dispute('lost') },
      'Paid 20 Nov 2026, reversed by the card’s bank',
    ],
  ] satisfies [Partial<Payment>, string][])('a payment with %j shows "%s"', (given, text) => {
    expect(paymentStatusTag(paymentFixture(given)).text).toBe(text);
  });
});

test('fault 29: a dispute is explained to the client unless the firm has won it', () => {
  const note = (given: Partial<Payment>) => paymentNote(paymentFixture(given), null);
  expect(note({ dispute: dispute('inquiry') })).toMatch(
    /bank has asked us about £10.00 of this payment. It has not taken any money back./,
  );
  expect(note({ dispute: dispute('open') })).toMatch(/bank has disputed £10.00 of this payment/);
  expect(note({ dispute: dispute('lost') })).toMatch(/bank has reversed £10.00 of this payment/);
  expect(note({ dispute: dispute('won') })).toBeNull();
  expect(note({ under_review: true })).toMatch(/We will contact you/);
  expect(note({})).toBeNull();
});

describe('the note about refunds', () => {
  const firm = { name: 'Alder & Finch', phone: '01632 960000' };
  const made = (amount: number, day: string, status: RefundStatus = 'succeeded') => ({
    id: `${day}-${status}`,
    amount,
    status,
    created_at: `${day}T09:00:00.000Z`,
    failed_at: status === 'failed' || status === 'cancelled' ? '2026-11-10T09:00:00.000Z' : null,
  });
  const note = (...refunds: Payment['refunds']) =>
    paymentNote(
      paymentFixture({
        refunds,
        refunded_amount: refunds
          .filter(({ failed_at }) => failed_at === null)
          .reduce((sum, { amount }) => sum + amount, 0),
      }),
      firm,
    );

  test('the note about refunds names the refund that did not reach the bank, and the number to call', () => {
    expect(note(made(10_00, '2026-11-01'), made(6_00, '2026-11-02', 'failed'))).toBe(
      'The refund of £6.00 did not reach the card. We’ll be in touch to agree how to pay it back. You can also call Alder & Finch on 01632 960000.',
    );
    expect(note(made(6_00, '2026-11-02', 'cancelled'))).toMatch(/^The refund of £6\.00 was not made\./);
  });

  test('the note about refunds omits a failed refund that was repeated, or any after a full refund', () => {
    expect(note(made(6_00, '2026-11-02', 'failed'), made(6_00, '2026-11-12'))).toBeNull();
    expect(note(made(6_00, '2026-11-02', 'failed'), made(276_00, '2026-11-12'))).toBeNull();
    // A refund of the same amount before the failure does not replace it.
    expect(note(made(6_00, '2026-11-01'), made(6_00, '2026-11-02', 'failed'))).toMatch(/did not reach/);
  });

  test('the note about refunds describes a pending refund as on its way, never as made', () => {
    const tag = (...refunds: Payment['refunds']) =>
      paymentStatusTag(
        paymentFixture({
          status: 'partially_refunded',
          paid_at,
          refunded_amount: refunds.reduce((sum, { amount }) => sum + amount, 0),
          refunds,
        }),
      ).text;
    expect(tag(made(6_00, '2026-11-02', 'pending'))).toBe('Paid 20 Nov 2026, refunding £6.00');
    expect(tag(made(10_00, '2026-11-01'), made(6_00, '2026-11-02', 'requires_action'))).toBe(
      'Paid 20 Nov 2026, £10.00 refunded, refunding £6.00',
    );
    expect(note(made(6_00, '2026-11-02', 'pending'))).toMatch(/^We’re refunding £6\.00 to the card\./);
  });
});

const statusesWhere = (matches: (status: PaymentStatus) => boolean) => paymentStatuses.filter(matches);

test('only a payment that waits for the client can be continued or cancelled', () => {
  expect(statusesWhere((status) => isUnfinished(paymentFixture({ status })))).toEqual([
    'requires_payment_method',
    'requires_action',
  ]);
  expect(statusesWhere((status) => isUnfinished(paymentFixture({ status, under_review: true })))).toEqual([]);
});

test('a payment is settled once it is paid, refunded or cancelled', () => {
  expect(statusesWhere(isPaymentSettled)).toEqual([
    'succeeded',
    'partially_refunded',
    'refunded',
    'cancelled',
  ]);
});

test('unfinished payments come first, then those being confirmed; the rest keep their order', () => {
  const statuses: PaymentStatus[] = ['cancelled', 'succeeded', 'processing', 'requires_action', 'refunded'];
  const payments = statuses.map((status) => paymentFixture({ id: status, status }));
  expect(payments.sort(compareUnfinishedFirst).map(({ id }) => id)).toEqual([
    'requires_action',
    'processing',
    'cancelled',
    'succeeded',
    'refunded',
  ]);
});

describe('payment totals', () => {
  const paidHere = paymentFixture({ id: 'here', status: 'succeeded', paid_at, case_search_id: 'one' });
  const searches = [
    caseSearchFixture({ id: 'one', paid_at }),
    caseSearchFixture({ id: 'two', paid_at }),
    caseSearchFixture({ id: 'three', paid_at: null }),
  ];

  test('payment totals count a search paid by another method once, and a search paid here once', () => {
    const paidOtherwise = searchesPaidByOtherMethod(searches, [paidHere]);
    expect(paidOtherwise.map(({ id }) => id)).toEqual(['two']);
    expect(paymentTotals([paidHere], paidOtherwise)).toEqual({ paid: 552_00, refunded: 0 });
  });

  test('payment totals leave out payments that were never made, and list refunds separately', () => {
    const payments = [
      paymentFixture({ status: 'partially_refunded', paid_at, refunded_amount: 76_00 }),
      paymentFixture({ status: 'requires_payment_method' }),
      paymentFixture({ status: 'cancelled' }),
      paymentFixture({ status: 'processing' }),
    ];
    expect(paymentTotals(payments, [])).toEqual({ paid: 276_00, refunded: 76_00 });
  });
});

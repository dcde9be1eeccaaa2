import { type DisputeStatus, type Payment, type PaymentStatus, paymentStatuses } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { caseSearchFixture, paymentFixture } from '../../../../fixtures/entities.ts';
import {
  compareUnfinishedFirst,
  isSettled,
  isUnfinished,
  paymentNote,
  paymentStatusTag,
  paymentTotals,
  searchesPaidByOtherMethod,
} from './payment-status.ts';

const paid_at = '2026-11-20T23:30:00.000Z';

const dispute = (status: DisputeStatus) => ({ status, amount: 10_00, opened_at: paid_at });

describe('the words for a payment', () => {
  test.each([
    [{ status: 'requires_payment_method' }, 'Not finished, nothing charged'],
    [{ status: 'requires_action' }, 'Not finished: your bank asks you to confirm'],
    [{ status: 'processing' }, 'Your bank is confirming it'],
    [{ status: 'succeeded', paid_at }, 'Paid 20 Nov 2026'],
    [
      { status: 'partially_refunded', paid_at, refunded_amount: 10_00 },
      'Paid 20 Nov 2026, £10.00 given back',
    ],
    [{ status: 'refunded', paid_at, refunded_amount: 276_00 }, 'Paid 20 Nov 2026, all given back'],
    [{ status: 'cancelled' }, 'Cancelled, nothing charged'],
    [{ status: 'cancelled', under_review: true }, 'We are looking at it. Do not pay again'],
    [{ status: 'succeeded', paid_at, dispute: dispute('open') }, 'Paid 20 Nov 2026, questioned by the bank'],
    [{ status: 'succeeded', paid_at, dispute: dispute('won') }, 'Paid 20 Nov 2026'],
    [{ status: 'succeeded', paid_at, dispute: dispute('lost') }, 'Paid 20 Nov 2026, taken back by the bank'],
  ] satisfies [Partial<Payment>, string][])('%j: %s', (given, words) => {
    expect(paymentStatusTag(paymentFixture(given)).words).toBe(words);
  });
});

test('fault 29: a dispute is told in plain words until it is won', () => {
  const note = (given: Partial<Payment>) => paymentNote(paymentFixture(given));
  expect(note({ dispute: dispute('open') })).toMatch(/bank has questioned £10.00 of this payment/);
  expect(note({ dispute: dispute('lost') })).toMatch(/bank has taken back £10.00 of this payment/);
  expect(note({ dispute: dispute('won') })).toBeNull();
  expect(note({ under_review: true })).toMatch(/We will contact you/);
  expect(note({})).toBeNull();
});

const those = (is: (status: PaymentStatus) => boolean) => paymentStatuses.filter(is);

test('only a payment that waits for the client can be gone on with or given up', () => {
  expect(those((status) => isUnfinished(paymentFixture({ status })))).toEqual([
    'requires_payment_method',
    'requires_action',
  ]);
  expect(those((status) => isUnfinished(paymentFixture({ status, under_review: true })))).toEqual([]);
});

test('a payment is settled once nothing more comes of it by itself', () => {
  expect(those(isSettled)).toEqual(['succeeded', 'partially_refunded', 'refunded', 'cancelled']);
});

test('what is unfinished comes first, then what is moving; the rest stays as it was', () => {
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

describe('what was paid in all', () => {
  const paidHere = paymentFixture({ id: 'here', status: 'succeeded', paid_at, case_search_id: 'one' });
  const searches = [
    caseSearchFixture({ id: 'one', paid_at }),
    caseSearchFixture({ id: 'two', paid_at }),
    caseSearchFixture({ id: 'three', paid_at: null }),
  ];

  test('counts a search paid in another way once, and one paid here not again', () => {
    const elsewhere = searchesPaidByOtherMethod(searches, [paidHere]);
    expect(elsewhere.map(({ id }) => id)).toEqual(['two']);
    expect(paymentTotals([paidHere], elsewhere)).toEqual({ paid: 552_00, refunded: 0 });
  });

  test('leaves out what was never taken, and says what was given back', () => {
    const payments = [
      paymentFixture({ status: 'partially_refunded', paid_at, refunded_amount: 76_00 }),
      paymentFixture({ status: 'requires_payment_method' }),
      paymentFixture({ status: 'cancelled' }),
      paymentFixture({ status: 'processing' }),
    ];
    expect(paymentTotals(payments, [])).toEqual({ paid: 276_00, refunded: 76_00 });
  });
});

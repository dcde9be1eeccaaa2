import { type Payment, type PaymentStatus, paymentStatuses } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { sampleCaseSearch, samplePayment } from '../../api/entity-samples.ts';
import {
  byWhatIsOpen,
  isSettled,
  isUnfinished,
  paidElsewhere,
  paymentState,
  sumsOf,
} from './payment-state.ts';

const paid_at = '2026-11-20T23:30:00.000Z';

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
    [{ status: 'canceled' }, 'Cancelled, nothing charged'],
  ] satisfies [Partial<Payment>, string][])('%j: %s', (given, words) => {
    expect(paymentState(samplePayment(given)).words).toBe(words);
  });
});

const those = (is: (status: PaymentStatus) => boolean) => paymentStatuses.filter(is);

test('only a payment that waits for the client can be gone on with or given up', () => {
  expect(those((status) => isUnfinished(samplePayment({ status })))).toEqual([
    'requires_payment_method',
    'requires_action',
  ]);
});

test('a payment is settled once nothing more comes of it by itself', () => {
  expect(those(isSettled)).toEqual(['succeeded', 'partially_refunded', 'refunded', 'canceled']);
});

test('what is unfinished comes first, then what is moving; the rest stays as it was', () => {
  const statuses: PaymentStatus[] = ['canceled', 'succeeded', 'processing', 'requires_action', 'refunded'];
  const payments = statuses.map((status) => samplePayment({ id: status, status }));
  expect(payments.sort(byWhatIsOpen).map(({ id }) => id)).toEqual([
    'requires_action',
    'processing',
    'canceled',
    'succeeded',
    'refunded',
  ]);
});

describe('what was paid in all', () => {
  const paidHere = samplePayment({ id: 'here', status: 'succeeded', paid_at, case_search_id: 'one' });
  const searches = [
    sampleCaseSearch({ id: 'one', paid_at }),
    sampleCaseSearch({ id: 'two', paid_at }),
    sampleCaseSearch({ id: 'three', paid_at: null }),
  ];

  test('counts a search paid in another way once, and one paid here not again', () => {
    const elsewhere = paidElsewhere(searches, [paidHere]);
    expect(elsewhere.map(({ id }) => id)).toEqual(['two']);
    expect(sumsOf([paidHere], elsewhere)).toEqual({ paid: 552_00, givenBack: 0 });
  });

  test('leaves out what was never taken, and says what was given back', () => {
    const payments = [
      samplePayment({ status: 'partially_refunded', paid_at, refunded_amount: 76_00 }),
      samplePayment({ status: 'requires_payment_method' }),
      samplePayment({ status: 'canceled' }),
      samplePayment({ status: 'processing' }),
    ];
    expect(sumsOf(payments, [])).toEqual({ paid: 276_00, givenBack: 76_00 });
  });
});

import { describe, expect, test } from 'vitest';
import { caseFixture, paymentFixture } from '../../../fixtures/entities.ts';
import { nextStepOfSearch, orderPromise } from './order-promise.ts';

const firm = { ...caseFixture().firm, closed_on: ['2027-01-01'] };
const supplier = 'Somerset Council';

test.each([
  ['2026-11-20T09:00:00Z', 'before 3:00 pm, we’ll order the search today'],
  ['2026-11-20T15:00:00Z', 'now, we’ll order the search on Monday 23 November'],
  ['2026-11-21T23:44:00Z', 'now, we’ll order the search on Monday 23 November'],
  ['2026-12-31T16:00:00Z', 'now, we’ll order the search on Monday 4 January 2027'],
  ['2026-07-01T14:30:00Z', 'now, we’ll order the search on Thursday 2 July'],
])(
  'before a payment at %s, promises the day of the order only for the client’s own card: %s',
  (now, promise) => {
    expect(orderPromise(new Date(now), firm)).toBe(`If you pay yourself ${promise}`);
  },
);

describe('what happens after a search is paid', () => {
  const payment = paymentFixture({
    status: 'succeeded',
    paid_at: '2026-11-21T23:44:00.000Z',
  });
  const paid = { status: 'paid', supplier } as const;

  test('names the day on which the firm orders a paid search', () => {
    expect(nextStepOfSearch(paid, payment, firm, '2026-11-21')).toBe(
      'We’ll order the search from Somerset Council on Monday 23 November and tell you here when we have the result.',
    );
    expect(nextStepOfSearch(paid, payment, firm, '2026-11-23')).toContain('from Somerset Council today and');
  });

  test('reports an overdue order without naming a day that the firm may never have planned', () => {
    const late =
      'This search was paid for on Saturday 21 November and isn’t marked as ordered yet. We’re sorry. Please call us.';
    expect(nextStepOfSearch(paid, payment, firm, '2026-11-24')).toBe(late);
    const laterCutOff = { ...firm, order_cutoff: '17:00' };
    const paidAtFour = { ...payment, paid_at: '2026-11-23T16:00:00.000Z' };
    expect(nextStepOfSearch(paid, paidAtFour, laterCutOff, '2026-11-24')).toBe(
      late.replace('Saturday 21', 'Monday 23'),
    );
  });

  test.each(['inquiry', 'open', 'lost'] as const)(
    'promises no order of a search while a dispute is %s',
    (status) => {
      const dispute = { status, amount: 276_00, opened_at: '2026-11-22T09:00:00.000Z' };
      expect(nextStepOfSearch(paid, { ...payment, dispute }, firm, '2026-11-22')).toBe(
        'Please read the note about the card’s bank below.',
      );
    },
  );

  test('names no day for the order of a search that another person paid, until the firm has checked them', () => {
    const gracesCard = { ...payment, payer: { client: null, own_card: false, name: 'Grace Hall' } };
    const checkFirst =
      'This was paid with someone else’s card, so we check who paid before we use the money. Then we’ll order the search from Somerset Council and tell you here.';
    // A server of the last release does not say whether they are checked.
    expect(nextStepOfSearch(paid, gracesCard, firm, '2026-11-24')).toBe(checkFirst);
    const withCheck = (done_at: string | null) => ({
      ...gracesCard,
      payer: { ...gracesCard.payer, check: { done_at } },
    });
    expect(nextStepOfSearch(paid, withCheck(null), firm, '2026-11-24')).toBe(checkFirst);
    // The time to order starts with the check.
    expect(nextStepOfSearch(paid, withCheck('2026-11-24T10:00:00.000Z'), firm, '2026-11-24')).toBe(
      'We’ll order the search from Somerset Council today and tell you here when we have the result.',
    );
  });

  test('promises no order of a search whose payment was refunded in full', () => {
    const refunded = { ...payment, status: 'refunded' } as const;
    expect(nextStepOfSearch(paid, refunded, firm, '2026-11-21')).toMatch(
      /^We have refunded all of this payment\./,
    );
  });

  test('promises no day of an order once the search is ordered, returned or cancelled', () => {
    for (const status of ['ordered', 'returned', 'reviewed', 'cancelled'] as const) {
      expect(nextStepOfSearch({ status, supplier }, payment, firm, '2026-11-21')).not.toMatch(/Monday|today/);
    }
  });
});

describe('a firm that orders searches once the money has cleared', () => {
  const waits = { ...firm, order_searches: 'cleared' } as const;
  const paid = { status: 'paid', supplier } as const;
  const payment = paymentFixture({ status: 'succeeded', paid_at: '2026-11-20T10:00:00.000Z' });
  const next = (clearing: { is_cleared: boolean; on: string }, today: string) =>
    nextStepOfSearch(paid, { ...payment, clearing }, waits, today);

  test('promises before the payment no day of the order, only when the money is expected to clear', () => {
    expect(orderPromise(new Date('2026-11-20T10:00:00Z'), waits)).toBe(
      'If you pay yourself now, we’ll order the search once the money has cleared (expected by Wednesday 25 November)',
    );
  });

  test('says after the payment that it waits for the money, and names the day of the order once it has cleared', () => {
    expect(next({ is_cleared: false, on: '2026-11-25' }, '2026-11-20')).toBe(
      'We’ll order the search from Somerset Council once the money has cleared (expected by Wednesday 25 November) and tell you here when we have the result.',
    );
    expect(next({ is_cleared: false, on: '2026-11-25' }, '2026-11-26')).toContain(
      'once the money has cleared and tell you',
    );
    expect(next({ is_cleared: true, on: '2026-11-28' }, '2026-11-28')).toContain(
      'from Somerset Council on Monday 30 November and',
    );
    // The money may have been reported late on the day on which it cleared.
    expect(next({ is_cleared: true, on: '2026-11-25' }, '2026-11-26')).toContain('today and');
    expect(next({ is_cleared: true, on: '2026-11-25' }, '2026-11-27')).toContain(
      'isn’t marked as ordered yet. We’re sorry.',
    );
  });
});

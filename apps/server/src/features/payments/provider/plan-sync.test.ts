import { describe, expect, test } from 'vitest';
import type { ProviderIntent } from '../ports.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import { planSync } from './plan-sync.ts';

const now = new Date('2026-11-21T09:00:00Z');
const cause = { name: 'reconciliation' };
const openedAt = new Date('2026-11-20T09:00:00Z');

/** An open payment of £276.00 for a search. */
const payment = (change: Partial<PaymentRow> = {}) =>
  ({
    id: 'payment',
    status: 'requires_payment_method',
    amount: 27_600,
    currency: 'gbp',
    category: 'search',
    description: 'Local authority search',
    refundedAmount: 0,
    failureCode: null,
    providerIntentId: 'intent',
    providerRevision: null,
    reviewReason: null,
    paidAt: null,
    disputeStatus: null,
    disputeAmount: null,
    ...change,
  }) as PaymentRow;
const paid = { status: 'succeeded', paidAt: new Date('2026-11-20T08:00:00Z') } as const;

const intent = (change: Partial<ProviderIntent> = {}): ProviderIntent => ({
  intentId: 'intent',
  clientSecret: 'secret',
  status: 'requires_payment_method',
  amount: 27_600,
  currency: 'gbp',
  paymentId: 'payment',
  card: null,
  error: null,
  refundedAmount: 0,
  dispute: null,
  revision: null,
  ...change,
});
const nothing = {
  updates: [],
  paidAt: null,
  countsDecline: false,
  mails: [],
  history: [],
  alerts: [],
};

test('plans nothing when the provider says nothing new', () => {
  expect(planSync(payment(), intent(), cause, now)).toEqual({ ...nothing, decision: 'unchanged' });
});

test('plans nothing when the provider’s answer is older than our record', () => {
  expect(planSync(payment(paid), intent({ status: 'processing' }), cause, now)).toEqual({
    ...nothing,
    decision: 'stale',
  });
});

describe('a payment that succeeded', () => {
  test('plans one update, a receipt number and a receipt mail for a payment that succeeded', () => {
    const card = { brand: 'visa', last4: '4242' };
    const plan = planSync(payment(), intent({ status: 'succeeded', card, revision: 3 }), cause, now);
    expect(plan).toEqual({
      ...nothing,
      decision: 'apply',
      paidAt: now,
      mails: [{ kind: 'receipt' }],
      updates: [
        {
          status: 'succeeded',
          refundedAmount: 0,
          providerIntentId: 'intent',
          providerRevision: 3,
          lastCause: 'reconciliation',
          lastProviderEventId: null,
          nextCheckAt: now,
          failureCode: null,
          cardBrand: 'visa',
          cardLast4: '4242',
          paidAt: now,
        },
      ],
    });
  });

  test.each([
    ['partially_refunded', 10_000, 'We refunded £100.00 of the £276.00 paid for the local authority search'],
    ['refunded', 27_600, 'We refunded the £276.00 paid for the local authority search'],
  ])(
    'plans two updates, captured then refunded, for a payment that was %s before we found out',
    (status, refundedAmount, summary) => {
      const plan = planSync(payment(), intent({ status: 'succeeded', refundedAmount }), cause, now);
      expect(plan.updates).toMatchObject([
        { status: 'succeeded', refundedAmount: 0, paidAt: now },
        { status, refundedAmount },
      ]);
      expect(plan.mails).toEqual([{ kind: 'receipt' }, { kind: 'refund', refundedAmount }]);
      expect(plan.history).toEqual([summary]);
    },
  );

  test('plans only the refund when a paid payment is refunded later', () => {
    const plan = planSync(
      payment({ ...paid, status: 'partially_refunded', refundedAmount: 10_000 }),
      intent({ status: 'succeeded', refundedAmount: 15_000 }),
      cause,
      now,
    );
    expect(plan).toMatchObject({
      paidAt: null,
      updates: [{ status: 'partially_refunded', refundedAmount: 15_000 }],
      mails: [{ kind: 'refund', refundedAmount: 15_000 }],
      history: ['We refunded £50.00 of the £276.00 paid for the local authority search'],
    });
    expect(plan.updates[0]).not.toHaveProperty('paidAt');
  });
});

describe('a declined card', () => {
  const error = { code: 'card_declined', message: 'Declined' };

  test('counts a declined card unless a provider event counts it', () => {
    const plan = planSync(payment(), intent({ error }), cause, now);
    expect(plan).toMatchObject({ decision: 'apply', countsDecline: true });
    expect(plan.updates).toMatchObject([{ failureCode: 'card_declined' }]);
    expect(planSync(payment(), intent({ error }), { name: 'x', eventId: 'evt' }, now)).toMatchObject({
      countsDecline: false,
      updates: [{ lastProviderEventId: 'evt' }],
    });
  });

  test('plans a mail when the bank declines a payment that it was processing', () => {
    const plan = planSync(payment({ status: 'processing' }), intent({ error }), cause, now);
    expect(plan.mails).toEqual([{ kind: 'not_paid' }]);
  });
});

describe('a dispute', () => {
  const dispute = { status: 'open', amount: 5_000, openedAt } as const;

  test('records a dispute in the payment and its history, and alerts the operator once', () => {
    const plan = planSync(payment(paid), intent({ status: 'succeeded', dispute }), cause, now);
    expect(plan).toMatchObject({
      updates: [{ disputeStatus: 'open', disputeAmount: 5_000, disputeOpenedAt: openedAt }],
      mails: [],
      history: ['The card’s bank disputed £50.00 paid for the local authority search'],
      alerts: [{ details: { payment: 'payment', intent: 'intent', status: 'open', amount: 5_000 } }],
    });
    const known = payment({ ...paid, disputeStatus: 'open', disputeAmount: 5_000 });
    expect(planSync(known, intent({ status: 'succeeded', dispute }), cause, now)).toEqual({
      ...nothing,
      decision: 'unchanged',
    });
  });

  test('plans one update for a payment that is both newly paid and disputed', () => {
    const plan = planSync(payment(), intent({ status: 'succeeded', dispute }), cause, now);
    expect(plan.updates).toMatchObject([{ status: 'succeeded', paidAt: now, disputeStatus: 'open' }]);
    expect(plan.mails).toEqual([{ kind: 'receipt' }]);
  });
});

describe('an intent that is not what we asked for', () => {
  const mismatched = intent({ status: 'succeeded', amount: 1 });

  test('puts a payment with a mismatched intent under review, unpaid, and alerts the operator', () => {
    const plan = planSync(
      payment({ providerIntentId: null }),
      mismatched,
      { name: 'x', eventId: 'evt' },
      now,
    );
    const reason = 'the amount is 1, not 27600';
    expect(plan).toEqual({
      ...nothing,
      decision: 'mismatched',
      updates: [
        { reviewReason: reason, providerIntentId: 'intent', lastCause: 'x', lastProviderEventId: 'evt' },
      ],
      alerts: [
        {
          message: 'a payment intent is not what we asked for',
          details: { payment: 'payment', intent: 'intent', reason },
        },
      ],
    });
  });

  test('plans nothing while a payment is under review for the same reason', () => {
    const reviewed = payment({ reviewReason: 'the amount is 1, not 27600' });
    expect(planSync(reviewed, mismatched, cause, now)).toEqual({ ...nothing, decision: 'mismatched' });
  });
});

import { describe, expect, test } from 'vitest';
import type { ProviderIntent } from '../ports/intents.ts';
import type { ProviderRefund } from '../ports/refunds.ts';
import type { PaymentRow, RefundRow } from '../records/rows.ts';
import { type PaymentCause, planSync } from './plan-sync.ts';

const now = new Date('2026-11-21T09:00:00Z');
const openedAt = new Date('2026-11-20T09:00:00Z');
const cause = { name: 'reconciliation' };

/** An open payment of £276.00 for a search. */
const payment = (change: Partial<PaymentRow> = {}) =>
  ({
    id: 'payment',
    status: 'requires_payment_method',
    amount: 27_600,
    currency: 'gbp',
    method: 'card',
    category: 'search',
    description: 'Local authority search',
    refundedAmount: 0,
    failedRefundAmount: 0,
    clearsOn: null,
    clearedAt: null,
    failureCode: null,
    providerIntentId: 'intent',
    providerRevision: null,
    reviewReason: null,
    paidAt: null,
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
  refunds: [],
  clearing: null,
  disputes: [],
  revision: null,
  ...change,
});
/** A refund at the provider; `id` is also the id of our row. */
const refund = (
  id: string,
  amount: number,
  status: ProviderRefund['status'] = 'succeeded',
): ProviderRefund => ({
  refundId: id,
  requestId: null,
  amount,
  status,
  reason: null,
  failureReason: status === 'failed' ? 'lost_or_stolen_card' : null,
  createdAt: openedAt,
});
const row = (id: string, amount: number, status: RefundRow['status'] = 'succeeded') =>
  ({ id, providerRefundId: id, amount, status }) as RefundRow;
/** Plans without any recorded refund. */
const plan = (before: PaymentRow, facts: ProviderIntent, because: PaymentCause, at: Date) =>
  planSync(before, [], facts, because, at);
const nothing = {
  updates: [],
  refunds: [],
  paidAt: null,
  countsDecline: false,
  mails: [],
  history: [],
  alerts: [],
};

test('plans nothing when the provider’s state is unchanged', () => {
  expect(plan(payment(), intent(), cause, now)).toEqual({ ...nothing, decision: 'unchanged' });
});

test('plans nothing when the provider’s answer is older than our record', () => {
  expect(plan(payment(paid), intent({ status: 'processing' }), cause, now)).toEqual({
    ...nothing,
    decision: 'stale',
  });
});

describe('a payment that succeeded', () => {
  test('plans one update, a receipt number and a receipt email for a payment that succeeded', () => {
    const card = { brand: 'visa', last4: '4242' };
    const planned = plan(payment(), intent({ status: 'succeeded', card, revision: 3 }), cause, now);
    expect(planned).toEqual({
      ...nothing,
      decision: 'apply',
      paidAt: now,
      mails: [{ kind: 'receipt' }],
      updates: [
        {
          status: 'succeeded',
          providerIntentId: 'intent',
          providerRevision: 3,
          lastCause: 'reconciliation',
          lastProviderEventId: null,
          nextCheckAt: now,
          failureCode: null,
          cardBrand: 'visa',
          cardLast4: '4242',
          cardWallet: null,
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
      const facts = intent({ status: 'succeeded', refunds: [refund('re_1', refundedAmount)] });
      const planned = plan(payment(), facts, cause, now);
      const refundId = planned.refunds[0]?.id;
      expect(planned.updates).toMatchObject([
        { status: 'succeeded', paidAt: now },
        { status, refundedAmount, lastRefundId: refundId },
      ]);
      expect(planned.mails).toEqual([
        { kind: 'receipt' },
        { kind: 'refund', refundId, amount: refundedAmount },
      ]);
      expect(planned.history).toEqual([summary]);
    },
  );

  test('the history says that a refund was started, and that it was made only once the provider has made it', () => {
    const historyOf = (rows: RefundRow[], status: ProviderRefund['status']) =>
      planSync(
        payment({
          ...paid,
          ...(rows.length > 0 ? { status: 'partially_refunded', refundedAmount: 10_000 } : {}),
        }),
        rows,
        intent({ status: 'succeeded', refunds: [refund('re_1', 10_000, status)] }),
        cause,
        now,
      ).history;
    const started = 'We started to refund £100.00 of the £276.00 paid for the local authority search';
    expect(historyOf([], 'requires_action')).toEqual([started]);
    expect(historyOf([], 'pending')).toEqual([started]);
    expect(historyOf([row('re_1', 10_000, 'requires_action')], 'pending')).toEqual([]);
    expect(historyOf([row('re_1', 10_000, 'pending')], 'pending')).toEqual([]);
    expect(historyOf([row('re_1', 10_000, 'pending')], 'succeeded')).toEqual([
      'A refund of £100.00 for the local authority search was made',
    ]);
    expect(historyOf([row('re_1', 10_000)], 'succeeded')).toEqual([]);
  });

  test('plans only the refund when a paid payment is refunded later', () => {
    const planned = planSync(
      payment({ ...paid, status: 'partially_refunded', refundedAmount: 10_000 }),
      [row('re_1', 10_000)],
      intent({ status: 'succeeded', refunds: [refund('re_1', 10_000), refund('re_2', 5_000)] }),
      cause,
      now,
    );
    expect(planned).toMatchObject({
      paidAt: null,
      updates: [{ status: 'partially_refunded', refundedAmount: 15_000 }],
      refunds: [{ isNew: true, effect: 'made', refund: { refundId: 're_2' } }],
      mails: [{ kind: 'refund', amount: 5_000 }],
      history: ['We refunded £50.00 of the £276.00 paid for the local authority search'],
    });
    expect(planned.updates[0]).not.toHaveProperty('paidAt');
  });
});

describe('refunds', () => {
  const refunded = payment({ ...paid, status: 'refunded', refundedAmount: 27_600 });
  const rows = [row('re_1', 27_600)];

  test('reverses a failed refund in the payment record, emails the client and alerts the operator', () => {
    const failed = intent({ status: 'succeeded', refunds: [refund('re_1', 27_600, 'failed')] });
    expect(planSync(refunded, rows, failed, cause, now)).toMatchObject({
      decision: 'apply',
      updates: [{ status: 'succeeded', refundedAmount: 0, failedRefundAmount: 27_600, lastRefundId: 're_1' }],
      refunds: [{ id: 're_1', isNew: false, effect: 'reversed' }],
      mails: [{ kind: 'refund_failed', refundId: 're_1', amount: 27_600 }],
      history: ['A refund of £276.00 for the local authority search did not reach the card'],
      alerts: [
        {
          message: expect.stringContaining('a refund failed'),
          details: { amount: 27_600, reason: 'lost_or_stolen_card' },
        },
      ],
    });
  });

  test('of two refunds of the same amount, only the failed one is reversed', () => {
    const partly = payment({ ...paid, status: 'partially_refunded', refundedAmount: 1_200 });
    const facts = intent({
      status: 'succeeded',
      refunds: [refund('re_1', 600), refund('re_2', 600, 'failed')],
    });
    const planned = planSync(partly, [row('re_1', 600), row('re_2', 600)], facts, cause, now);
    expect(planned.refunds).toMatchObject([{ id: 're_2', effect: 'reversed' }]);
    expect(planned.mails).toEqual([{ kind: 'refund_failed', refundId: 're_2', amount: 600 }]);
    expect(planned.updates).toMatchObject([{ refundedAmount: 600, failedRefundAmount: 600 }]);
  });

  test('a failed refund needs two updates when the firm has refunded again meanwhile', () => {
    const again = intent({
      status: 'succeeded',
      refunds: [refund('re_2', 10_000), refund('re_1', 27_600, 'failed')],
    });
    expect(planSync(refunded, rows, again, cause, now)).toMatchObject({
      updates: [
        { status: 'succeeded', refundedAmount: 0, failedRefundAmount: 27_600 },
        { status: 'partially_refunded', refundedAmount: 10_000, failedRefundAmount: 27_600 },
      ],
      mails: [
        { kind: 'refund_failed', amount: 27_600 },
        { kind: 'refund', amount: 10_000 },
      ],
    });
  });

  test('a failed refund only alerts the operator when the client was never notified about it', () => {
    const unknown = intent({ status: 'succeeded', refunds: [refund('re_1', 5_000, 'failed')] });
    expect(plan(payment({ ...paid }), unknown, cause, now)).toMatchObject({
      updates: [{ status: 'succeeded', refundedAmount: 0, failedRefundAmount: 5_000 }],
      refunds: [{ isNew: true, effect: 'failed' }],
      mails: [],
      history: [],
      alerts: [{ details: { amount: 5_000 } }],
    });
  });

  test('a refund that the provider has completed changes its row, and no money', () => {
    const facts = intent({ status: 'succeeded', refunds: [refund('re_1', 27_600)] });
    const planned = planSync(refunded, [row('re_1', 27_600, 'pending')], facts, cause, now);
    expect(planned).toMatchObject({
      decision: 'apply',
      refunds: [{ id: 're_1', effect: 'settled' }],
      mails: [],
      history: ['A refund of £276.00 for the local authority search was made'],
    });
    expect(planned.updates).toHaveLength(1);
    expect(planned.updates[0]).not.toHaveProperty('refundedAmount');
  });

  test.each([
    ['before the refund', []],
    ['before its failure', [refund('re_1', 27_600)]],
  ])('a refund stays failed when an answer from %s comes late', (_when, refunds) => {
    const recorded = payment({ ...paid, failedRefundAmount: 27_600 });
    const late = intent({ status: 'succeeded', refunds });
    const planned = planSync(recorded, [row('re_1', 27_600, 'failed')], late, cause, now);
    expect(planned).toEqual({ ...nothing, decision: 'unchanged' });
  });

  test('a refund request adopts the provider’s refund that names it', () => {
    const request = { ...row('request', 5_000, 'approved'), providerRefundId: null };
    const made = { ...refund('re_1', 5_000), requestId: 'request' };
    const facts = intent({ status: 'succeeded', refunds: [made] });
    expect(planSync(payment(paid), [request], facts, cause, now)).toMatchObject({
      refunds: [{ id: 'request', isNew: false, effect: 'made' }],
      updates: [{ refundedAmount: 5_000, lastRefundId: 'request' }],
    });
  });

  test('refunds that were recorded before refunds had rows get rows, and no second email', () => {
    const old = payment({
      ...paid,
      status: 'partially_refunded',
      refundedAmount: 1_100,
      failedRefundAmount: 300,
    });
    const facts = intent({
      status: 'succeeded',
      refunds: [refund('re_1', 300, 'failed'), refund('re_2', 600), refund('re_3', 500)],
    });
    const planned = plan(old, facts, cause, now);
    expect(planned.refunds.map(({ effect }) => effect)).toEqual(['recorded', 'recorded', 'recorded']);
    expect(planned).toMatchObject({ decision: 'apply', mails: [], history: [], alerts: [] });
  });
});

describe('the money of a paid payment', () => {
  const clears = (isCleared: boolean) =>
    intent({ status: 'succeeded', revision: 3, clearing: { on: '2026-11-25', isCleared } });
  const known = payment({ ...paid, providerRevision: 3 });

  test('money is expected on the day that the provider names, and cleared when it says so', () => {
    const expected = plan(known, clears(false), cause, now);
    expect(expected.updates).toMatchObject([{ clearsOn: '2026-11-25' }]);
    expect(expected.updates[0]).not.toHaveProperty('clearedAt');
    const waiting = { ...known, clearsOn: '2026-11-25' };
    expect(plan(waiting, clears(false), cause, now)).toEqual({ ...nothing, decision: 'unchanged' });
    expect(plan(waiting, clears(true), cause, now)).toMatchObject({
      updates: [{ clearsOn: '2026-11-25', clearedAt: now }],
      mails: [],
      history: [],
    });
  });

  test('cleared money stays cleared', () => {
    const cleared = { ...known, clearsOn: '2026-11-25', clearedAt: now };
    expect(plan(cleared, clears(false), cause, now).decision).toBe('unchanged');
  });
});

describe('a declined card', () => {
  const error = { code: 'card_declined', message: 'Declined' };

  test('counts a declined card unless a provider event counts it', () => {
    const planned = plan(payment(), intent({ error }), cause, now);
    expect(planned).toMatchObject({ decision: 'apply', countsDecline: true });
    expect(planned.updates).toMatchObject([{ failureCode: 'card_declined' }]);
    expect(plan(payment(), intent({ error }), { name: 'x', eventId: 'evt' }, now)).toMatchObject({
      countsDecline: false,
      updates: [{ lastProviderEventId: 'evt' }],
    });
  });

  test('plans an email when the bank declines a payment that it was processing', () => {
    const planned = plan(payment({ status: 'processing' }), intent({ error }), cause, now);
    expect(planned.mails).toEqual([{ kind: 'not_paid' }]);
  });
});

describe('an intent that is not what we asked for', () => {
  const mismatched = intent({ status: 'succeeded', amount: 1 });

  test('puts a payment with a mismatched intent under review, without marking it as paid, and alerts the operator', () => {
    const planned = plan(payment({ providerIntentId: null }), mismatched, { name: 'x', eventId: 'evt' }, now);
    const reason = 'the amount is 1, not 27600';
    expect(planned).toEqual({
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
    expect(plan(reviewed, mismatched, cause, now)).toEqual({ ...nothing, decision: 'mismatched' });
  });
});

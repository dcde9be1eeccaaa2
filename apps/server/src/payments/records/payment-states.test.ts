import { type PaymentStatus, paymentStatuses } from '@keyturn/contract';
import { buildCase, buildPayment, withTestDatabase } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import type { ProviderIntentState } from '../ports/intents.ts';
import { decideOnIntent, type PaymentState, paymentTransitions } from './payment-states.ts';

const payment: PaymentState = {
  id: 'p',
  status: 'requires_payment_method',
  amount: 5_520,
  currency: 'gbp',
  refundedAmount: 0,
  clearsOn: null,
  clearedAt: null,
  failureCode: null,
  providerRevision: null,
  reviewReason: null,
  paidAt: null,
};
const facts: ProviderIntentState = {
  intentId: 'pi',
  status: 'succeeded',
  amount: 5_520,
  currency: 'gbp',
  paymentId: 'p',
  card: null,
  error: null,
  refunds: [],
  clearing: null,
  disputes: [],
  revision: null,
};
const refund = (amount: number): ProviderIntentState['refunds'] => [
  {
    refundId: 're',
    requestId: null,
    amount,
    status: 'succeeded',
    reason: null,
    failureReason: null,
    createdAt: new Date('2026-11-20T09:00:00Z'),
  },
];
const decide = (before: Partial<PaymentState>, change: Partial<ProviderIntentState>) =>
  decideOnIntent({ ...payment, ...before }, { ...facts, ...change });

describe('the provider’s state of an intent', () => {
  test('applies the provider’s state along the allowed transitions', () => {
    expect(decide({}, {})).toEqual({ kind: 'apply', status: 'succeeded', refundedAmount: 0 });
    expect(decide({}, { status: 'requires_action' })).toMatchObject({
      kind: 'apply',
      status: 'requires_action',
    });
  });

  test.each(['requires_payment_method', 'requires_action', 'processing', 'cancelled'] as const)(
    'never moves a succeeded payment back to %s',
    (status) => {
      expect(decide({ status: 'succeeded' }, { status })).toEqual({ kind: 'stale' });
    },
  );

  test('puts a cancelled payment that was paid under review', () => {
    expect(decide({ status: 'cancelled' }, {})).toMatchObject({ kind: 'mismatched' });
    expect(decide({ status: 'cancelled' }, { status: 'requires_action' })).toEqual({ kind: 'stale' });
  });

  test('ignores a stale state of the provider with a lower revision', () => {
    expect(
      decide(
        { status: 'requires_action', providerRevision: 4 },
        { status: 'requires_payment_method', revision: 3 },
      ),
    ).toEqual({
      kind: 'stale',
    });
  });

  test('an already recorded state of the provider changes nothing', () => {
    expect(decide({ status: 'succeeded' }, {})).toEqual({ kind: 'unchanged' });
  });

  test('a refunded part makes a payment partially refunded, and the full amount refunded', () => {
    expect(decide({ status: 'succeeded' }, { refunds: refund(100) })).toMatchObject({
      status: 'partially_refunded',
    });
    expect(
      decide({ status: 'partially_refunded', refundedAmount: 100 }, { refunds: refund(5_520) }),
    ).toMatchObject({ status: 'refunded' });
  });

  test.each(['requires_payment_method', 'requires_action', 'processing'] as const)(
    'applies a capture and refund that we did not know of to a payment that is %s',
    (status) => {
      expect(decide({ status }, { refunds: refund(100) })).toMatchObject({
        kind: 'apply',
        status: 'partially_refunded',
      });
      expect(decide({ status }, { refunds: refund(5_520) })).toMatchObject({ status: 'refunded' });
    },
  );

  test.each([
    ['another amount', { amount: 1 }],
    ['another currency', { currency: 'usd' }],
    ['another payment', { paymentId: 'q' }],
    ['no payment', { paymentId: null }],
    ['more refunded than captured', { refunds: refund(9_999) }],
  ])('never marks a payment as paid when its intent has %s', (_what, change) => {
    expect(decide({}, change)).toMatchObject({ kind: 'mismatched' });
  });
});

describe('the payments database', () => {
  const testDatabase = withTestDatabase();

  /** Builds a payment in a status, for a search of a new case. */
  async function searchPayment(status: PaymentStatus) {
    const built = await buildCase(testDatabase.database);
    const { id: caseId, clientId, matterId, caseSearchId } = built;
    return buildPayment(testDatabase.database, { caseId, clientId, matterId, caseSearchId, status });
  }

  test('the database allows the same payment transitions as the code', async () => {
    const { rows } = await testDatabase.pool.query('select from_status, to_status from payment_transitions');
    const inDatabase = rows.map((row) => `${row.from_status} → ${row.to_status}`).sort();
    const inCode = Object.entries(paymentTransitions).flatMap(([from, moves]) =>
      Object.keys(moves).map((to) => `${from} → ${to}`),
    );
    expect(inDatabase).toEqual(inCode.sort());
  });

  test('the payments database allows every legal transition and rejects every other', async () => {
    for (const from of paymentStatuses) {
      for (const to of paymentStatuses) {
        if (from === to) continue;
        const built = await searchPayment(from);
        // A lower refunded amount means that a refund failed.
        const failed = 'failed_refund_amount = refunded_amount';
        const paidFields =
          to === 'succeeded'
            ? ', paid_at = now(), refunded_amount = 0'
            : to === 'partially_refunded'
              ? ', paid_at = now(), refunded_amount = 1'
              : to === 'refunded'
                ? ', paid_at = now(), refunded_amount = amount'
                : ', paid_at = null, refunded_amount = 0';
        const moved = await testDatabase.pool
          .query(`update payments set status = $2, ${failed} ${paidFields} where id = $1`, [built.id, to])
          .then(
            () => true,
            () => false,
          );
        expect(moved, `${from} → ${to}`).toBe(to in paymentTransitions[from]);
      }
    }
  });

  test('the payments database rejects a second payment for a search until the first is cancelled', async () => {
    const first = await searchPayment('requires_payment_method');
    const again = `insert into payments select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(),
      'provider_idempotency_key', gen_random_uuid(), 'provider_intent_id', null))).* from payments p where id = $1`;
    await expect(testDatabase.pool.query(again, [first.id])).rejects.toThrow(/payments_one_per_search/);
    await testDatabase.pool.query("update payments set status = 'cancelled' where id = $1", [first.id]);
    await expect(
      testDatabase.pool.query(
        again.replace(
          "'provider_intent_id', null",
          "'provider_intent_id', null, 'status', 'requires_payment_method'",
        ),
        [first.id],
      ),
    ).resolves.toBeDefined();
  });

  test('the database rejects a changed purpose or amount of a payment', async () => {
    const built = await searchPayment('requires_payment_method');
    await expect(
      testDatabase.pool.query('update payments set amount = 1 where id = $1', [built.id]),
    ).rejects.toThrow(/do not change/);
  });

  test('the database rejects reversing a refund that has not failed, and marking cleared money as not cleared', async () => {
    const built = await searchPayment('refunded');
    const change = (text: string) =>
      testDatabase.pool.query(`update payments set ${text} where id = $1`, [built.id]);
    const reversal = "status = 'succeeded', refunded_amount = 0";
    await expect(change(reversal)).rejects.toThrow(/only taken back when it has failed/);
    await change(`${reversal}, failed_refund_amount = amount`);
    await expect(change('failed_refund_amount = 0')).rejects.toThrow(/only taken back when it has failed/);
    await change("clears_on = '2026-11-25', cleared_at = now()");
    await expect(change('cleared_at = null')).rejects.toThrow(/stays cleared/);
    const { rows } = await testDatabase.pool.query(
      'select money, cleared_at is not null as cleared from payment_changes where payment_id = $1 order by id',
      [built.id],
    );
    expect(rows.slice(-3)).toEqual([
      { money: -18_000, cleared: false },
      { money: 18_000, cleared: false },
      { money: 0, cleared: true },
    ]);
  });

  test.each([
    'update payment_changes set money = 0',
    'delete from payment_changes',
    'truncate payment_changes',
    'delete from payments',
  ])('the payments database rejects the statement "%s"', async (statement) => {
    await expect(testDatabase.pool.query(statement)).rejects.toThrow(/append-only|truncate/);
  });
});

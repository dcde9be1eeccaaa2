import type { StoredRefundStatus } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { leftOfLimit, leftToRefund } from './refund-limits.ts';
import type { RefundRow } from './rows.ts';

const limits = { refundApprovalPence: 10_000, handlerRefundPence: 5_000 };

/** A request of £10.00 by one person. */
const refund = (change: Partial<RefundRow>): RefundRow =>
  ({
    amount: 1_000,
    status: 'succeeded',
    requestKey: 'key 1',
    requestedByRole: null,
    approvedBy: null,
    ...change,
  }) as RefundRow;

describe('the limit of refunds by one person', () => {
  test.each<[StoredRefundStatus, number]>([
    ['awaiting_approval', 10_000],
    ['approved', 9_000],
    ['requires_action', 9_000],
    ['pending', 9_000],
    ['succeeded', 9_000],
    ['rejected', 10_000],
    ['failed', 10_000],
    ['cancelled', 10_000],
  ])('with a refund of £10.00 that is %s, one person may refund %d pence more', (status, left) => {
    expect(leftOfLimit([refund({ status })], limits, null)).toBe(left);
    expect(leftOfLimit([refund({ status })], limits, 'finance')).toBe(left);
  });

  test('neither a refund that a second person approved nor one made at the provider uses the limit of one person', () => {
    const rows = [refund({ approvedBy: 'Priya' }), refund({ requestKey: null })];
    expect(leftOfLimit(rows, limits, null)).toBe(10_000);
  });

  test('the limit of one person is never below zero', () => {
    expect(leftOfLimit([refund({ amount: 10_001 })], limits, null)).toBe(0);
  });
});

describe('the limit of refunds that handlers request', () => {
  test.each<[StoredRefundStatus, number]>([
    ['awaiting_approval', 4_000],
    ['approved', 4_000],
    ['requires_action', 4_000],
    ['pending', 4_000],
    ['succeeded', 4_000],
    ['rejected', 5_000],
    ['failed', 5_000],
    ['cancelled', 5_000],
  ])('with a request of £10.00 that is %s, handlers may request %d pence more', (status, left) => {
    const rows = [refund({ status, requestedByRole: 'handler', approvedBy: 'Priya' }), refund({})];
    expect(leftOfLimit(rows, limits, 'handler')).toBe(left);
  });
});

test.each<[StoredRefundStatus, number]>([
  ['awaiting_approval', 16_000],
  ['approved', 16_000],
  ['pending', 17_000],
  ['rejected', 17_000],
])('with £10.00 refunded and a request of £10.00 that is %s, %d pence are left to refund', (status, left) => {
  expect(leftToRefund({ amount: 18_000, refundedAmount: 1_000 }, [refund({ status })])).toBe(left);
});

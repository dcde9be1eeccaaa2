import { expect, test } from 'vitest';
import type { ProviderRefund } from '../ports/refunds.ts';
import type { RefundRow } from '../records/rows.ts';
import { planRefunds } from './plan-refunds.ts';

const refund = (change: Partial<ProviderRefund>): ProviderRefund => ({
  refundId: 're_1',
  requestId: null,
  amount: 600,
  status: 'succeeded',
  reason: null,
  failureReason: null,
  createdAt: new Date('2026-11-20T09:00:00Z'),
  ...change,
});
const row = (change: Partial<RefundRow>) =>
  ({ id: 'request', providerRefundId: null, amount: 600, status: 'approved', ...change }) as RefundRow;

test('a refund that failed is no longer part of what is refunded', () => {
  const made = row({ providerRefundId: 're_1', status: 'succeeded' });
  const payment = { refundedAmount: 600, failedRefundAmount: 0 };
  const other = refund({ refundId: 're_2', amount: 100 });
  expect(planRefunds(payment, [made], [refund({ status: 'failed' })]).refundedAmount).toBe(0);
  expect(planRefunds(payment, [made], [refund({ status: 'failed' }), other]).refundedAmount).toBe(100);
});

test('a refund of the same amount that does not name a request leaves the request open', () => {
  const payment = { refundedAmount: 0, failedRefundAmount: 0 };
  const [ofOther] = planRefunds(payment, [row({})], [refund({})]).steps;
  expect(ofOther).toMatchObject({ isNew: true, effect: 'made' });
  const [ofRequest] = planRefunds(payment, [row({})], [refund({ requestId: 'request' })]).steps;
  expect(ofRequest).toMatchObject({ id: 'request', isNew: false, effect: 'made' });
});

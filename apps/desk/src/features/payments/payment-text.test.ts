import type { StaffPayment } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import { describeCause, parsePounds, refundMessage, stateOf } from './payment-text.ts';

const payment = (change: Partial<StaffPayment>) =>
  ({
    status: 'succeeded',
    method: 'card',
    amount: 18_000,
    refunded_amount: 0,
    failed_refund_amount: 0,
    refunds_on_their_way: 0,
    awaiting_approval: 0,
    under_review: false,
    dispute: null,
    bank_state: null,
    ...change,
  }) as StaffPayment;

test('a refund that is waiting or on its way is not called refunded', () => {
  const refunded = payment({ status: 'refunded', refunded_amount: 18_000 });
  expect(stateOf(refunded).text).toBe('Refunded');
  expect(stateOf({ ...refunded, refunds_on_their_way: 600 }).text).toBe('Refund on its way');
  expect(stateOf(payment({ awaiting_approval: 600 })).text).toBe('Refund to approve');
  expect(refundMessage({ status: 'awaiting_approval', amount: 600 })).toContain('Nothing is refunded yet');
  expect(refundMessage({ status: 'approved', amount: 600 })).not.toMatch(/was refunded/);
  expect(refundMessage({ status: 'succeeded', amount: 600 })).toBe('£6.00 was refunded.');
});

test('a payment by bank that is approved is not called paid', () => {
  const approved = payment({ status: 'processing', method: 'bank', bank_state: 'authorised' });
  expect(stateOf(approved).text).toBe('Approved, waiting for the money');
});

test.each([
  ['6', 600],
  ['£1,206.50', 120_650],
  [' 0.01 ', 1],
  ['0', null],
  ['-6', null],
  ['6.5', null],
  ['6.005', null],
  ['', null],
])('reads the amount %j as %j pence', (text, pence) => {
  expect(parsePounds(text)).toBe(pence);
});

test.each([
  ['payment_started', 'The client started it'],
  ['payment_intent.succeeded', 'The provider reported it'],
  ['charge.dispute.created', 'The provider reported it'],
  ['a_cause_of_a_later_version', 'A cause of a later version'],
])('the cause %s of a change of a payment is shown in words', (cause, text) => {
  expect(describeCause(cause)).toBe(text);
});

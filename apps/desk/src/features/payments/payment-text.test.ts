import type { StaffPayment } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import {
  describeCause,
  describeRefundBalance,
  describeRefundFailure,
  parsePounds,
  refundMessage,
  stateOf,
} from './payment-text.ts';

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

test.each([
  ['nothing where the provider makes any refund', { available: null }, 'card', 600, null],
  [
    'the sum before an amount is entered',
    { available: 5_000 },
    'card',
    null,
    '£50.00 is available for refunds at the provider now.',
  ],
  ['the sum for a refund within it', { available: 600 }, 'bank', 600, /^£6.00 is available .* now\.$/],
  ['that a refund to a card waits', { available: 500 }, 'card', 600, /^£5.00 is .* waits at the provider/],
  [
    'that a refund by bank would fail',
    { available: -200 },
    'bank',
    600,
    /^Nothing is .* would fail\. Add money/,
  ],
  [
    'that the period of refunds by bank is over',
    { available: 5_000, is_period_over: true },
    'bank',
    600,
    /730 days.*another way/,
  ],
] as const)('before a refund, staff read %s', (_what, found, method, amount, expected) => {
  const said = describeRefundBalance({ is_period_over: false, ...found }, { amount, method });
  if (expected === null) expect(said).toBeNull();
  else expect(said?.text).toMatch(expected);
});

test('a refund that failed for too little money says what to do', () => {
  expect(describeRefundFailure('insufficient_funds')).toContain('Add money there');
  expect(describeRefundFailure('lost_or_stolen_card')).toBe('lost_or_stolen_card');
});

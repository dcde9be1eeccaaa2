import { expect, test } from 'vitest';
import { describeAction, describeValues } from './audit-text.ts';

test('describes an audited action and what it changed', () => {
  expect(describeAction('payment.refund_requested')).toBe('Payment: refund requested');
  expect(describeValues({ role: 'handler' }, { role: 'finance' })).toBe('role handler → finance');
  expect(describeValues(null, { amount: 600, by: 'Joel' })).toBe('amount £6.00, by Joel');
  expect(describeValues({ name: 'Phone' }, null)).toBe('name Phone → none');
  expect(describeValues(null, null)).toBe('');
});

test('the values of an audited change are written in words, not as the API has them', () => {
  expect(describeValues({ amount: 65_000 }, { amount: 70_000 })).toBe('amount £650.00 → £700.00');
  expect(describeValues(null, { 'property.price': 41_500_000, is_done: true })).toBe(
    'property price £415,000.00, is done yes',
  );
  expect(describeValues(null, { received_on: '2026-11-20', identity_check: 'video_call' })).toBe(
    'received 20 Nov 2026, identity check video call',
  );
  expect(describeValues(null, { position: 12 })).toBe('position 12');
});

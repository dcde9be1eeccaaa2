import { expect, test } from 'vitest';
import { describeAction, describeValues } from './audit-text.ts';

test('describes an audited action and what it changed', () => {
  expect(describeAction('payment.refund_requested')).toBe('Payment: refund requested');
  expect(describeValues({ role: 'handler' }, { role: 'finance' })).toBe('role handler → finance');
  expect(describeValues(null, { amount: 600, by: 'Joel' })).toBe('amount 600, by Joel');
  expect(describeValues({ name: 'Phone' }, null)).toBe('name Phone → none');
  expect(describeValues(null, null)).toBe('');
});

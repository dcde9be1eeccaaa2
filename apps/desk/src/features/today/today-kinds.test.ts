import { todayKindsOf } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import { ageText, checkedText } from './today-kinds.ts';

test('an age is in words for today and yesterday, and counts days across a change of the clocks', () => {
  expect(ageText('2026-11-23', '2026-11-23')).toBe('today');
  expect(ageText('2026-11-22', '2026-11-23')).toBe('yesterday');
  expect(ageText('2026-10-24', '2026-10-27')).toBe('3 days ago');
});

test('Today lists each thing that was checked once', () => {
  expect(checkedText(todayKindsOf('finance'))).toBe(
    'payments under review, payments by other people, payments without a matter, failed payouts, refunds to approve, failed refunds, fraud warnings, payments that the provider holds, disputes and unpaid bills',
  );
  expect(checkedText(['promise_missed', 'promise_due'])).toBe('promised updates');
});

import { expect, test } from 'vitest';
import { bankDetailsText } from './bank-details-advice.ts';

test('a firm promises to send no new bank details only from the day on which it has adopted that', () => {
  const promise = 'We will not tell you about new bank details by email';
  expect(bankDetailsText('2026-11-29', '2026-11-29')).toContain(promise);
  expect(bankDetailsText('2026-11-30', '2026-11-29')).not.toContain(promise);
  expect(bankDetailsText(null, '2026-11-29')).toContain('do not pay. Call us on a number you already have.');
});

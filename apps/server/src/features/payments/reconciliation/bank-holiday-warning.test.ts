import { expect, test } from 'vitest';
import { bankHolidayWarning } from './bank-holiday-warning.ts';

test('warns in the last half year for which bank holidays are known, and after it', () => {
  expect(bankHolidayWarning(new Date('2028-07-03T12:00:00Z'))).toBeNull();
  for (const now of ['2028-07-06T12:00:00Z', '2029-03-01T12:00:00Z']) {
    expect(bankHolidayWarning(new Date(now))).toMatch(/^bank holidays are known until 2028-12-31 only/);
  }
});

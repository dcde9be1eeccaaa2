import { withFreshTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { bankHolidayWarning } from './bank-holiday-warning.ts';

const stored = withFreshTestDatabase();
const warningOn = (now: string) => bankHolidayWarning(stored.database, new Date(now));

test('warns in the last half year for which bank holidays are known, and after it', async () => {
  expect(await warningOn('2028-07-03T12:00:00Z')).toBeNull();
  for (const now of ['2028-07-06T12:00:00Z', '2029-03-01T12:00:00Z'])
    expect(await warningOn(now)).toMatch(/^bank holidays are known until 2028-12-31 only/);
});

test('warns while no bank holidays are known', async () => {
  await stored.pool.query("insert into firm_data (kind, version, value) values ('bank_holidays', 2, '[]')");
  expect(await warningOn('2026-07-03T12:00:00Z')).toMatch(/^no bank holidays are known/);
});

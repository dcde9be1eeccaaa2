import { withFreshTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { readLedger } from './read-ledger.ts';

const testDatabase = withFreshTestDatabase();

/** Stores movements of £1.00 that belong to no payment. */
async function storeMovements(movements: { id: string; at: string }[]): Promise<void> {
  for (const { id, at } of movements) {
    await testDatabase.pool.query(
      `insert into balance_transactions
         (provider, transaction_id, kind, amount, fee, currency, created_at, available_on, fetched_at)
       values ('sandbox', $1, 'charge', 100, 0, 'gbp', $2, '2026-01-01', now())`,
      [id, at],
    );
  }
}

const idsOn = async (from: string, to = from): Promise<string[]> =>
  (await readLedger(testDatabase.database, { from, to })).entries.map(({ transactionId }) => transactionId);

test.each([
  ['in winter', '2026-01-14', '2026-01-14T00:00:00Z', '2026-01-15T00:00:00Z'],
  ['in summer', '2026-06-14', '2026-06-13T23:00:00Z', '2026-06-14T23:00:00Z'],
  ['of 23 hours in March', '2026-03-29', '2026-03-29T00:00:00Z', '2026-03-29T23:00:00Z'],
  ['of 25 hours in October', '2026-10-25', '2026-10-24T23:00:00Z', '2026-10-26T00:00:00Z'],
  ['at the end of the year', '2026-12-31', '2026-12-31T00:00:00Z', '2027-01-01T00:00:00Z'],
])(
  'the ledger of a day %s in London has its movements from midnight to midnight',
  async (_when, day, starts, ends) => {
    const at = (instant: string, milliseconds: number) =>
      new Date(Date.parse(instant) + milliseconds).toISOString();
    await storeMovements([
      { id: '1 before', at: at(starts, -1) },
      { id: '2 first', at: starts },
      { id: '3 first hour', at: at(starts, 1_800_000) },
      { id: '4 last hour', at: at(ends, -1_800_000) },
      { id: '5 last', at: at(ends, -1) },
      { id: '6 after', at: ends },
    ]);
    expect(await idsOn(day)).toEqual(['2 first', '3 first hour', '4 last hour', '5 last']);
  },
);

test('the ledger lists movements oldest first, those of one moment by their reference, and days in the same order', async () => {
  await storeMovements([
    { id: 'c', at: '2026-11-03T12:00:00Z' },
    { id: 'd', at: '2026-11-02T12:00:00Z' },
    { id: 'b', at: '2026-11-03T12:00:00Z' },
    { id: 'a', at: '2026-11-04T12:00:00Z' },
    { id: 'e', at: '2026-11-03T11:59:59.999Z' },
  ]);
  expect(await idsOn('2026-11-01', '2026-11-30')).toEqual(['d', 'e', 'b', 'c', 'a']);
  const { days } = await readLedger(testDatabase.database, { from: '2026-11-01', to: '2026-11-30' });
  expect(days.map(({ day, balance }) => [day, balance])).toEqual([
    ['2026-11-02', 100],
    ['2026-11-03', 400],
    ['2026-11-04', 500],
  ]);
});

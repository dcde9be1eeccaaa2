import { withTestDatabase } from '@keyturn/testkit';
import { withStatementCount } from '@keyturn/testkit/count-statements.ts';
import { expect, test } from 'vitest';
import { deleteExpiredRows } from './delete-expired-rows.ts';
import { broadcastEvents } from './tables.ts';

const testDatabase = withTestDatabase();
const counting = withStatementCount(testDatabase);

test('deleteExpiredRows deletes old rows in batches, and neither newer ones nor those in use', async () => {
  await testDatabase.pool.query(
    `insert into broadcast_events (channel, event, ids, created_at)
     select 'channel ' || n, 'event', '{}', timestamptz '2026-11-20T12:00:00Z' + n * interval '1 minute'
     from generate_series(1, 40) as n`,
  );
  const left = async () =>
    (await testDatabase.pool.query('select channel from broadcast_events order by id')).rows.map(
      ({ channel }) => channel,
    );
  const expired = { table: broadcastEvents, age: broadcastEvents.createdAt };
  const until = new Date('2026-11-20T12:30:00Z');
  await testDatabase.database.transaction(async (transaction) => {
    await transaction.execute("select from broadcast_events where channel = 'channel 7' for update");
    const statements = await counting.countStatementsOf(async () => {
      expect(await deleteExpiredRows(counting.database, expired, until, { batchSize: 10 })).toBe(29);
    });
    expect(statements).toBe(3);
  });
  expect((await left())[0]).toBe('channel 7');
  expect(await left()).toHaveLength(11);
  expect(await deleteExpiredRows(counting.database, expired, until, { batchSize: 10 })).toBe(1);
  const newest = new Date('2026-11-20T13:00:00Z');
  expect(await deleteExpiredRows(counting.database, expired, newest, { batchSize: 4, maxBatches: 2 })).toBe(
    8,
  );
  expect(await left()).toEqual(['channel 39', 'channel 40']);
});

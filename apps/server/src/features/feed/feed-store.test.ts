import { createTestDatabase } from '@keyturn/testkit';
import pg from 'pg';
import { expect, test } from 'vitest';
import { connectDatabase } from '../../adapters/postgres/connect.ts';
import { lockFeed, settleFeed } from './feed-store.ts';

test('what was committed without waiting for the disk is written out when the feed has settled', async () => {
  const testDatabase = await createTestDatabase();
  // As in production; the cluster of the tests is a throw-away one, which waits for nothing.
  const url = new URL(testDatabase.url);
  url.searchParams.set('options', '-c synchronous_commit=on');
  const connected = connectDatabase({ url: url.href, size: 1 });
  const looking = new pg.Client({ connectionString: testDatabase.url });
  await looking.connect();
  // PostgreSQL writes out by itself every 200 ms: by chance that could come in between once, not each time.
  for (let round = 0; round < 10; round += 1) {
    await connected.database.transaction(async (transaction) => {
      await lockFeed(transaction);
      await transaction.execute('update installation set updated_at = now()');
    });
    const { rows: written } = await looking.query('select pg_current_wal_insert_lsn()::text as until');
    await settleFeed(connected.database);
    const { rows } = await looking.query('select pg_current_wal_flush_lsn() >= $1::pg_lsn as settled', [
      written[0].until,
    ]);
    expect(rows).toEqual([{ settled: true }]);
  }
  await looking.end();
  await connected.close();
  await testDatabase.drop();
});

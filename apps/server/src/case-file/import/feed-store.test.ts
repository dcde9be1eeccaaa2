import { createTestDatabase } from '@keyturn/testkit';
import pg from 'pg';
import { expect, test } from 'vitest';
import { connectDatabase } from '../../adapters/postgres/connect.ts';
import { flushFeed, lockImports } from './feed-store.ts';

test('flushFeed writes records that were committed without waiting to disk', async () => {
  const testDatabase = await createTestDatabase();
  // As in production. The test cluster runs without fsync.
  const url = new URL(testDatabase.url);
  url.searchParams.set('options', '-c synchronous_commit=on');
  const connected = connectDatabase({ url: url.href, size: 1 });
  const looking = new pg.Client({ connectionString: testDatabase.url });
  await looking.connect();
  // PostgreSQL also flushes every 200 ms, which could happen in between once, but not every time.
  for (let round = 0; round < 10; round += 1) {
    await connected.database.transaction(async (transaction) => {
      await lockImports(transaction);
      await transaction.execute('update installation set updated_at = now()');
    });
    const { rows: written } = await looking.query('select pg_current_wal_insert_lsn()::text as until');
    await flushFeed(connected.database);
    const { rows } = await looking.query('select pg_current_wal_flush_lsn() >= $1::pg_lsn as settled', [
      written[0].until,
    ]);
    expect(rows).toEqual([{ settled: true }]);
  }
  await looking.end();
  await connected.close();
  await testDatabase.drop();
});

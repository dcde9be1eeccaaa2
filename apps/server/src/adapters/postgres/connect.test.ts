import { withTestDatabase } from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { connectDatabase } from './connect.ts';

const stored = withTestDatabase();

test('a transaction whose connection is lost before its first statement gives the connection back to the pool', async () => {
  const { database, pool, close } = connectDatabase({ url: stored.url, size: 1 });
  await database.execute(sql`select 1`);
  pool.once('acquire', (client) => client.connection.stream.destroy());
  await expect(database.transaction(async () => {})).rejects.toThrow();
  const read = await database.transaction((transaction) => transaction.execute(sql`select 2 as two`));
  expect(read.rows).toEqual([{ two: 2 }]);
  await database.transaction((transaction) => transaction.execute(sql`select 3`));
  expect(pool).toMatchObject({ totalCount: 1, idleCount: 1, waitingCount: 0 });
  await close();
});

test('PostgreSQL compiles no statement of a connection', async () => {
  const { database, close } = connectDatabase({ url: stored.url, size: 1 });
  expect((await database.execute(sql`show jit`)).rows).toEqual([{ jit: 'off' }]);
  await close();
});

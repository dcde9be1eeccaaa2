import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';
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

const showSettings = sql`select name, setting from pg_settings where name in
  ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'jit') order by name`;
const settings = [
  { name: 'idle_in_transaction_session_timeout', setting: '15000' },
  { name: 'jit', setting: 'off' },
  { name: 'lock_timeout', setting: '5000' },
  { name: 'statement_timeout', setting: '10000' },
];

test('a connection has the limits of every wait, and PostgreSQL compiles none of its statements', async () => {
  const { database, close } = connectDatabase({ url: stored.url, size: 1 });
  expect((await database.execute(showSettings)).rows).toEqual(settings);
  await close();
});

test('a connection through a pooler has the same limits, although the pooler refuses them at the start-up', async () => {
  const pooler = await startFixturePooler(stored.url);
  const { database, close } = connectDatabase({ url: pooler.url, size: 1 });
  expect((await database.execute(showSettings)).rows).toEqual(settings);
  await close();
  const refused = connectDatabase({ url: `${pooler.url}?options=-c%20jit=off`, size: 1 });
  await expect(refused.pool.query('select 1')).rejects.toThrow('unsupported startup parameter: options');
  await refused.close();
  await pooler.stop();
});

/** Starts a proxy that refuses the start-up parameters that PgBouncer refuses by default. */
async function startFixturePooler(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const accepted = ['user', 'database', 'application_name', 'client_encoding', 'DateStyle', 'TimeZone'];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (startup) => {
      // The length and the version of the protocol come first.
      const words = startup.subarray(8).toString().split('\0');
      const names = words.filter((_word, index) => index % 2 === 0);
      const refused = names.find((name) => name !== '' && !accepted.includes(name));
      if (refused) {
        const parts = { S: 'FATAL', C: '08P01', M: `unsupported startup parameter: ${refused}` };
        const fields = `${Object.entries(parts)
          .map(([type, text]) => `${type}${text}\0`)
          .join('')}\0`;
        const length = Buffer.alloc(4);
        length.writeInt32BE(fields.length + 4);
        socket.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)]));
        return;
      }
      const upstream = createConnection({ host: hostname, port: Number(port) });
      upstream.on('error', () => socket.destroy());
      upstream.write(startup);
      socket.pipe(upstream).pipe(socket);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, stop: () => once(server.close(), 'close') };
}

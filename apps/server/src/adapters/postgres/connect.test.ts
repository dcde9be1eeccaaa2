import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { withTestDatabase } from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Transaction } from '../../platform/database.ts';
import { runWithSocketId } from '../../platform/request-socket.ts';
import { commitWith, runTransaction } from '../../platform/run-transaction.ts';
import { isTemporaryFailure } from '../../platform/temporary-failure.ts';
import { throughPort } from '../../testing/through-port.ts';
import { connectDatabase } from './connect.ts';

const given = withTestDatabase();

test('fault 32: a transaction that loses its connection before its first statement releases it to the pool', async () => {
  const { database, pool, close } = connectDatabase({ url: given.url, size: 1 });
  await database.execute(sql`select 1`);
  pool.once('acquire', (client) => client.connection.stream.destroy());
  await expect(database.transaction(async () => {})).rejects.toThrow();
  const read = await database.transaction((transaction) => transaction.execute(sql`select 2 as two`));
  expect(read.rows).toEqual([{ two: 2 }]);
  await database.transaction((transaction) => transaction.execute(sql`select 3`));
  expect(pool).toMatchObject({ totalCount: 1, idleCount: 1, waitingCount: 0 });
  await close();
});

test('fault 32: a database whose host name cannot be resolved is a temporary failure', async () => {
  const { database, close } = connectDatabase({
    url: 'postgres://keyturn@database.invalid/keyturn',
    size: 1,
  });
  const failure = await database.execute(sql`select 1`).catch((error: unknown) => error);
  expect(isTemporaryFailure(failure)).toBe(true);
  await close();
});

test('a transaction has its own limit for statements, which PostgreSQL and the driver apply to no other', {
  timeout: 30_000,
}, async () => {
  const { database, close } = connectDatabase({ url: given.url, size: 1 });
  const sleep = (seconds: number, statementTimeout: number) =>
    runTransaction(database, (transaction) => transaction.execute(sql`select pg_sleep(${seconds})`), {
      statementTimeout,
    });
  await expect(sleep(5, 100)).rejects.toMatchObject({ cause: { code: '57014' } });
  // Longer than the driver waits for other answers.
  await sleep(12, 20_000);
  expect((await database.execute(showSettings)).rows).toEqual(settings);
  await close();
});

describe('a pipelined transaction', () => {
  const pipelined = { isPipelined: true };
  const insert = (transaction: Transaction, name: string) =>
    transaction.execute(sql`insert into pipelined values (${name})`);
  const stored = async () => (await given.pool.query('select name from pipelined')).rows;
  beforeEach(() =>
    given.pool
      .query('create table if not exists pipelined (name text primary key); truncate pipelined')
      .then(() => {}),
  );

  test('a pipelined transaction sends its first statements in one packet, and its last one with commit', async () => {
    const relay = await startRelay(given.url);
    const { database, close } = connectDatabase({ url: relay.url, size: 1 });
    await database.execute(sql`select 1`);
    const before = relay.sent();
    await runTransaction(
      database,
      async (transaction) => {
        const both = await Promise.all([
          transaction.execute(sql`select 1 as number`),
          transaction.execute(sql`select 2 as number`),
        ]);
        expect(both.flatMap(({ rows }) => rows)).toEqual([{ number: 1 }, { number: 2 }]);
        await commitWith(transaction, insert(transaction, 'one'));
      },
      pipelined,
    );
    expect(relay.sent() - before).toBe(2);
    expect(await stored()).toEqual([{ name: 'one' }]);
    await close();
    await relay.stop();
  });

  test('a pipelined transaction stores nothing and releases its connection when its work or last statement fails', async () => {
    const { database, pool, close } = connectDatabase({ url: given.url, size: 1 });
    const failing = (work: (transaction: Transaction) => Promise<unknown>) =>
      runTransaction(
        database,
        async (transaction) => {
          await insert(transaction, 'one');
          await work(transaction);
        },
        pipelined,
      );
    await expect(failing(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    const twice = failing((transaction) => commitWith(transaction, insert(transaction, 'one')));
    await expect(twice).rejects.toMatchObject({ cause: { code: '23505' } });
    expect(await stored()).toEqual([]);
    await runTransaction(database, (transaction) => insert(transaction, 'two'), pipelined);
    expect(await stored()).toEqual([{ name: 'two' }]);
    expect(pool).toMatchObject({ totalCount: 1, idleCount: 1, waitingCount: 0 });
    await close();
  });

  test('a pipelined transaction that could not be opened ends before it stores anything', async () => {
    const { database, pool, close } = connectDatabase({ url: given.url, size: 1 });
    pool.once('connect', (client) => {
      const query = client.query.bind(client) as (...values: unknown[]) => Promise<unknown>;
      const refusingBegin = (...values: unknown[]) =>
        query(...(values[0] === 'begin' ? ['refused'] : values));
      Object.assign(client, { query: refusingBegin });
    });
    const started = runTransaction(
      database,
      async (transaction) => {
        await transaction.execute(sql`select 1`);
        await insert(transaction, 'one');
      },
      pipelined,
    );
    await expect(started).rejects.toMatchObject({ cause: { code: '42601' } });
    expect(await stored()).toEqual([]);
    await close();
  });

  test('a pipelined transaction sets the socket id of the request', async () => {
    const { database, close } = connectDatabase({ url: given.url, size: 1 });
    const read = () =>
      runTransaction(
        database,
        async (transaction) =>
          (await transaction.execute(sql`select current_setting('keyturn.socket_id', true) as socket`)).rows,
        pipelined,
      );
    expect(await runWithSocketId('123.456', read)).toEqual([{ socket: '123.456' }]);
    await close();
  });
});

const showSettings = sql`select name, setting from pg_settings where name in
  ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'jit') order by name`;
const settings = [
  { name: 'idle_in_transaction_session_timeout', setting: '15000' },
  { name: 'jit', setting: 'off' },
  { name: 'lock_timeout', setting: '5000' },
  { name: 'statement_timeout', setting: '10000' },
];

test('a connection has all timeouts, and JIT compilation is off', async () => {
  const { database, close } = connectDatabase({ url: given.url, size: 1 });
  expect((await database.execute(showSettings)).rows).toEqual(settings);
  await close();
});

test('a connection through a pooler has the same timeouts, although the pooler refuses them as start-up parameters', async () => {
  const pooler = await startFixturePooler(given.url);
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
      // The message starts with its length and the protocol version.
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
  const url = throughPort(databaseUrl, (server.address() as AddressInfo).port);
  return { url, stop: () => once(server.close(), 'close') };
}

/** Starts a proxy that counts what it receives for PostgreSQL. Statements in one packet count once. */
async function startRelay(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  let sent = 0;
  const server = createServer((socket) => {
    const upstream = createConnection({ host: hostname, port: Number(port) });
    socket.on('data', () => {
      sent += 1;
    });
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = throughPort(databaseUrl, (server.address() as AddressInfo).port);
  return { url, sent: () => sent, stop: () => once(server.close(), 'close') };
}

import { withTestDatabase } from '@keyturn/testkit';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untilBlocked } from '../../testing/until-blocked.ts';
import { shareConnections } from './shared-connections.ts';

const stored = withTestDatabase();
let pool: pg.Pool;
beforeEach(() => {
  pool = new pg.Pool({ connectionString: stored.url, max: 4, pipeline: true });
  // `pool.end` resolves before its connections have closed, and the removal of the database may end them first.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
});
afterEach(() => pool.end());

const backend = { text: 'select pg_backend_pid() as pid' };
const locked = { text: 'select pg_advisory_lock_shared(1)' };

/** Runs `work` while statements that ask for the lock wait. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  const owner = await stored.pool.connect();
  try {
    await owner.query('select pg_advisory_lock(1)');
    await work();
  } finally {
    await owner.query('select pg_advisory_unlock(1)');
    owner.release();
  }
}

describe('reads that share connections', () => {
  test('reads that share connections are sent while others are under way, and give the connection back after the last one', async () => {
    const { read } = shareConnections(pool, { connections: 1, underWay: 3 });
    let all: Promise<pg.QueryResult[]> | undefined;
    await whileLocked(async () => {
      all = Promise.all([read(locked), read(backend), read(backend)]);
      await untilBlocked(stored);
      expect(pool).toMatchObject({ totalCount: 1, idleCount: 0, waitingCount: 0 });
    });
    const [, second, third] = (await all) ?? [];
    expect(second?.rows).toEqual(third?.rows);
    expect(pool).toMatchObject({ totalCount: 1, idleCount: 1 });
    await read(backend);
    expect(pool).toMatchObject({ totalCount: 1, idleCount: 1 });
  });

  test('reads that share connections use another connection before they share one', async () => {
    const { read } = shareConnections(pool, { connections: 2, underWay: 3 });
    let waiting: Promise<unknown> | undefined;
    await whileLocked(async () => {
      waiting = read(locked);
      await untilBlocked(stored);
      expect((await read(backend)).rows).toHaveLength(1);
      expect((await read(backend)).rows).toHaveLength(1);
      expect(pool).toMatchObject({ totalCount: 2, idleCount: 1 });
    });
    await waiting;
  });

  test('reads that share connections get a connection to themselves once each shared one has its most statements', async () => {
    const { read } = shareConnections(pool, { connections: 1, underWay: 2 });
    let waiting: Promise<unknown> | undefined;
    await whileLocked(async () => {
      waiting = Promise.all([read(locked), read(locked)]);
      await untilBlocked(stored);
      expect((await read(backend)).rows).toHaveLength(1);
      expect(pool).toMatchObject({ totalCount: 2, idleCount: 1 });
    });
    await waiting;
  });

  test('reads that share connections do not fail with another statement of their connection', async () => {
    const { read } = shareConnections(pool, { connections: 1, underWay: 3 });
    const results = await Promise.allSettled([read(backend), read({ text: 'select 1 / 0' }), read(backend)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(pool).toMatchObject({ totalCount: 1, idleCount: 1 });
  });

  test('fault 32: reads that share connections fail when their connection breaks, and the next one gets a new connection', async () => {
    const { read } = shareConnections(pool, { connections: 1, underWay: 3 });
    await whileLocked(async () => {
      let next: Promise<pg.QueryResult> | undefined;
      pool.once('acquire', (client) =>
        setImmediate(() => {
          client.once('error', () => {
            next = read(backend);
          });
          client.connection.stream.destroy();
        }),
      );
      const [first, second] = await Promise.allSettled([read(locked), read(locked)]);
      expect([first.status, second.status]).toEqual(['rejected', 'rejected']);
      expect((await next)?.rows).toHaveLength(1);
    });
    expect(pool).toMatchObject({ totalCount: 1, idleCount: 1 });
  });

  test('fault 33: reads that share connections fail together when no connection can be opened, and the next one tries again', async () => {
    const { read } = shareConnections(pool, { connections: 1, underWay: 3 });
    const { options } = pool as unknown as { options: { connectionString: string } };
    options.connectionString = `${stored.url}-of-another-firm`;
    const failed = await Promise.allSettled([read(backend), read(backend)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    options.connectionString = stored.url;
    expect((await read(backend)).rows).toHaveLength(1);
  });

  test('reads that share connections are sent in one packet if requests of one turn of the event loop ask for them', async () => {
    const { read } = shareConnections(pool, { connections: 1, underWay: 8 });
    await read(backend);
    const client = await pool.connect();
    let packets = 0;
    const { stream } = client.connection;
    const writev = stream._writev;
    stream._writev = (chunks, done) => {
      packets += 1;
      writev?.call(stream, chunks, done);
    };
    client.release();
    await Promise.all([read(backend), read(backend), read(backend)]);
    expect(packets).toBe(1);
  });
});

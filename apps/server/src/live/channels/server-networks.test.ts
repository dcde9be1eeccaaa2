import {
  buildCase,
  buildHistoryEntry,
  createTestServer,
  type TestServer,
  withTestDatabase,
} from '@keyturn/testkit';
import PusherServer from 'pusher';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  closeTestClients,
  openSignedInClient,
  type SignedInSocket,
  testApp,
  testAppEnv,
} from '../../testing/real-time/channel-test-clients.ts';
import { createTestRedis, redisProgram, type TestRedis } from '../../testing/real-time/start-redis.ts';

const testDatabase = withTestDatabase();
const recorded = 'App\\Events\\HistoryRecorded';

/** Starts servers on the same database, and stops them after each test. */
function useServers() {
  const servers: TestServer[] = [];
  afterEach(async () => {
    closeTestClients();
    for (const server of servers.splice(0)) await server.stop();
  });
  return async (count: number, env: NodeJS.ProcessEnv): Promise<TestServer[]> => {
    for (let number = 0; number < count; number++)
      servers.push(await createTestServer({ database: testDatabase, env: { ...testAppEnv, ...env } }));
    return servers;
  };
}

const buildOneCase = () => buildCase(testDatabase.database, { clients: [{}] });
const addEntry = async (caseId: string) => (await buildHistoryEntry(testDatabase.database, { caseId })).id;

async function openSubscriber(server: TestServer, built: { id: string; clientId: string }) {
  const client = await openSignedInClient(server, built.clientId);
  expect(await client.subscribeWithAuth(`private-case.${built.id}`)).toBe(200);
  return client;
}

/**
 * Expects a client to receive these history entries, each once and in order. Events of other kinds may be from before
 * its subscription.
 */
async function expectEntries(client: SignedInSocket, entries: readonly string[]) {
  const received: string[] = [];
  while (received.length < entries.length)
    received.push(...((await client.next(recorded)).data as { ids: string[] }).ids);
  expect(received).toEqual(entries);
  await client.processed();
  expect(client.inbox.filter(({ event }) => event === recorded)).toEqual([]);
}

const engines = ['PostgreSQL', 'Redis'] as const;
describe.each(engines)('servers that are connected by %s', (engine) => {
  const isSkipped = engine === 'Redis' && redisProgram === null;
  let redis: TestRedis | undefined;
  beforeAll(async () => {
    if (engine === 'PostgreSQL' || isSkipped) return;
    redis = await createTestRedis();
    await redis.start();
  });
  afterAll(() => redis?.kill());
  const startServers = useServers();
  const start = async (count: number) => {
    const servers = await startServers(count, redis ? { KEYTURN_REALTIME_REDIS_URL: redis.url } : {});
    await Promise.all(servers.map(untilConnected));
    return servers;
  };

  test.skipIf(isSkipped)(
    'protocol 46: three servers deliver each event of 20 cases once and in order to 60 connections',
    async () => {
      const servers = await start(3);
      const cases = await Promise.all(Array.from({ length: 20 }, buildOneCase));
      const clients = await Promise.all(
        cases.flatMap((built) =>
          servers.map(async (server) => ({ built, client: await openSubscriber(server, built) })),
        ),
      );
      const entries = new Map(cases.map(({ id }) => [id, [] as string[]]));
      for (let round = 0; round < 3; round++) {
        for (const { id } of cases) entries.get(id)?.push(await addEntry(id));
      }
      await Promise.all(
        clients.map(({ built, client }) => expectEntries(client, entries.get(built.id) ?? [])),
      );
    },
  );

  test.skipIf(isSkipped)('protocol 46: an event with many channels reaches the clients of each', async () => {
    const [first, second] = (await start(2)) as [TestServer, TestServer];
    const cases = await Promise.all(Array.from({ length: 150 }, buildOneCase));
    const clients = await Promise.all([
      openSubscriber(first, cases[0] as (typeof cases)[0]),
      openSubscriber(second, cases[149] as (typeof cases)[0]),
    ]);
    // One transaction, whose events are too many for a notification.
    const entries = await testDatabase.database.transaction(async (transaction) => {
      const ids: string[] = [];
      for (const { id } of cases) ids.push((await buildHistoryEntry(transaction, { caseId: id })).id);
      return ids;
    });
    await expectEntries(clients[0], [entries[0] ?? '']);
    await expectEntries(clients[1], [entries[149] ?? '']);
  });

  test.skipIf(isSkipped)(
    'protocol 46: messages of any length between servers keep their order, and presence is shared',
    async () => {
      const [first, second] = (await start(2)) as [TestServer, TestServer];
      const built = await buildCase(testDatabase.database, { clients: [{}, { firstName: 'Tom' }] });
      const client = await openSubscriber(second, built);
      const room = `presence-case.${built.id}`;
      await client.subscribeWithAuth(room);
      const tom = await openSignedInClient(first, built.clientIds[1] ?? '');
      await tom.subscribeWithAuth(room);
      expect(await client.next('pusher_internal:member_added')).toMatchObject({
        data: { user_info: { first_name: 'Tom' } },
      });
      const publisher = new PusherServer({
        appId: testApp.id,
        ...testApp,
        host: '127.0.0.1',
        port: new URL(first.url).port,
        useTLS: false,
      });
      const lengths = [10, 10_000, 20, 9_000, 30];
      for (const length of lengths)
        await publisher.trigger(`private-case.${built.id}`, 'Updated', { text: 'x'.repeat(length) });
      for (const length of lengths)
        expect(await client.next('Updated')).toMatchObject({ data: { text: 'x'.repeat(length) } });
    },
  );

  test.skipIf(isSkipped)(
    'protocol 46: a session that ends on one server closes its connections on another',
    async () => {
      const [first, second] = (await start(2)) as [TestServer, TestServer];
      const client = await openSubscriber(second, await buildOneCase());
      const { statusCode } = await first.app.inject({
        method: 'POST',
        url: '/api/logout',
        headers: client.headers,
      });
      expect(statusCode).toBeLessThan(300);
      expect(await client.closed).toBe(4009);
    },
  );
});

describe.skipIf(redisProgram === null)('servers that are connected by Redis', () => {
  let redis: TestRedis;
  beforeEach(async () => {
    redis = await createTestRedis();
  });
  afterEach(() => redis.kill());
  const startServers = useServers();
  const start = async (count: number) => {
    await redis.start();
    const servers = await startServers(count, { KEYTURN_REALTIME_REDIS_URL: redis.url });
    await Promise.all(servers.map(untilConnected));
    return servers;
  };
  /** Finds how many servers follow the events of a case. */
  const countFollowers = async (caseId: string) => {
    const names = (await redis.run('PUBSUB', 'CHANNELS', `*:events:private-case.${caseId}`)) as string[];
    if (names.length === 0) return 0;
    const [, count] = (await redis.run('PUBSUB', 'NUMSUB', ...names)) as [string, number];
    return count;
  };
  const findRelay = async () => {
    const [key = ''] = (await redis.run('KEYS', '*:relay')) as string[];
    return key === '' ? null : redis.run('GET', key);
  };

  test('protocol 46: events of a case go only to the servers that have its clients', async () => {
    const [first] = (await start(3)) as [TestServer];
    const built = await buildOneCase();
    const client = await openSubscriber(first, built);
    await expect.poll(() => countFollowers(built.id)).toBe(1);
    await expectEntries(client, [await addEntry(built.id)]);
    client.socket.close();
    await expect.poll(() => countFollowers(built.id)).toBe(0);
  });

  test('fault 39: servers start without Redis, report it, deliver events from the database, and connect once Redis is available', async () => {
    const servers = await startServers(2, { KEYTURN_REALTIME_REDIS_URL: redis.url });
    const built = await buildOneCase();
    const clients = await Promise.all(servers.map((server) => openSubscriber(server, built)));
    for (const { app } of servers) {
      const response = await app.inject({ url: '/readyz' });
      expect([response.statusCode, response.json().realtime]).toEqual([
        200,
        'Redis is unavailable: live updates are read from the database',
      ]);
    }
    const entries = [await addEntry(built.id), await addEntry(built.id)];
    for (const client of clients) await expectEntries(client, entries);
    await redis.start();
    await Promise.all(servers.map(untilConnected));
    const later = [await addEntry(built.id)];
    for (const client of clients) await expectEntries(client, later);
  });

  test('fault 39: no event is lost, repeated or out of order while Redis is unavailable and after it returns', async () => {
    const servers = await start(2);
    const built = await buildOneCase();
    const clients = await Promise.all(servers.map((server) => openSubscriber(server, built)));
    const entries: string[] = [];
    for (let round = 0; round < 2; round++) {
      entries.push(await addEntry(built.id));
      await redis.kill();
      for (let number = 0; number < 5; number++) entries.push(await addEntry(built.id));
      await redis.start();
      entries.push(await addEntry(built.id));
      await Promise.all(servers.map(untilConnected));
    }
    for (const client of clients) {
      await expectEntries(client, entries);
      expect(client.socket.readyState).toBe(client.socket.OPEN);
    }
  });

  test('fault 39: no event is lost or repeated while connections to Redis and of the relay are cut', async () => {
    const servers = await start(2);
    const built = await buildOneCase();
    const clients = await Promise.all(servers.map((server) => openSubscriber(server, built)));
    const entries: string[] = [];
    for (let round = 0; round < 4; round++) {
      const cut =
        round % 2 === 0
          ? redis.run('CLIENT', 'KILL', 'SKIPME', 'yes')
          : testDatabase.pool.query(
              "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'keyturn relay' and datname = current_database()",
            );
      for (let number = 0; number < 5; number++) entries.push(await addEntry(built.id));
      await cut;
      await Promise.all(servers.map(untilConnected));
      await expect.poll(findRelay).not.toBeNull();
    }
    for (const client of clients) await expectEntries(client, entries);
  });

  test('fault 39: another server publishes events after the relay has stopped', async () => {
    await start(1);
    await expect.poll(findRelay).not.toBeNull();
    const before = await findRelay();
    const servers = await startServers(1, { KEYTURN_REALTIME_REDIS_URL: redis.url });
    const [relay, other] = servers as [TestServer, TestServer];
    await untilConnected(other);
    const built = await buildOneCase();
    const client = await openSubscriber(other, built);
    servers.shift();
    const entries = [await addEntry(built.id)];
    await relay.stop();
    entries.push(await addEntry(built.id));
    await expect.poll(findRelay).not.toBe(before);
    entries.push(await addEntry(built.id));
    await expectEntries(client, entries);
  });

  test('ignores messages in Redis that this installation has not signed', async () => {
    const [server] = (await start(1)) as [TestServer];
    const built = await buildOneCase();
    const client = await openSubscriber(server, built);
    await expect.poll(() => countFollowers(built.id)).toBe(1);
    const [name = ''] = (await redis.run('PUBSUB', 'CHANNELS', '*:events:private-case.*')) as string[];
    const forged = JSON.stringify({
      transaction: '1',
      events: [[1, `private-case.${built.id}`, 'HistoryRecorded', ['forged'], null]],
    });
    for (const text of [forged, `${'A'.repeat(22)}${forged}`, 'short'])
      expect(await redis.run('PUBLISH', name, text)).toBe(1);
    await expectEntries(client, [await addEntry(built.id)]);
  });
});

/** Waits until a server is connected to Redis, if it should be. */
async function untilConnected({ app }: TestServer) {
  await expect
    .poll(async () => (await app.inject({ url: '/readyz' })).json(), { timeout: 20_000 })
    .toEqual({ status: 'ok' });
}

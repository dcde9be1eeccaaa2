import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import {
  buildCase,
  buildHistoryEntry,
  type TestServer,
  withTestDatabase,
  withTestServer,
} from '@keyturn/testkit';
import PusherServer from 'pusher';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createListener } from '../../adapters/postgres/listen.ts';
import { createNotifyNetwork } from '../../adapters/postgres/notify-network.ts';
import {
  closeTestClients,
  openSignedInClient,
  testApp,
  testAppEnv,
} from '../../testing/real-time/channel-test-clients.ts';
import { noEvents } from '../../testing/real-time/channel-test-server.ts';
import { throughPort } from '../../testing/through-port.ts';
import { createServerBus, readMessages } from './server-bus.ts';

const testDatabase = withTestDatabase();
const first = withTestServer({ database: testDatabase, env: testAppEnv });
const second = withTestServer({ database: testDatabase, env: testAppEnv });
let built: Awaited<ReturnType<typeof buildCase>>;
beforeAll(async () => {
  built = await buildCase(first.database, { clients: [{ firstName: 'Amelia' }, { firstName: 'Tom' }] });
});
afterEach(closeTestClients);

const channel = () => `private-case.${built.id}`;
const recorded = 'App\\Events\\HistoryRecorded';
const publisherOf = (server: TestServer) =>
  new PusherServer({
    appId: testApp.id,
    ...testApp,
    host: '127.0.0.1',
    port: new URL(server.url).port,
    useTLS: false,
  });

describe('two servers on one database', () => {
  test('protocol 46: two servers forward HTTP API events of any length to each other in order', async () => {
    const client = await openSignedInClient(second, built.clientId);
    await client.subscribeWithAuth(channel());
    const publisher = publisherOf(first);
    // Long messages are stored and fetched, short ones are part of the notification: the order stays the same.
    const lengths = [10, 10_000, 20, 9_000, 30, 40];
    for (const length of lengths) await publisher.trigger(channel(), 'Updated', { text: 'x'.repeat(length) });
    for (const length of lengths) {
      expect(await client.next('Updated')).toMatchObject({ data: { text: 'x'.repeat(length) } });
    }
  });

  test('protocol 46: two servers share presence joins and leaves', async () => {
    const [amelia, tom] = built.clientIds as [string, string];
    const room = `presence-case.${built.id}`;
    const here = await openSignedInClient(first, amelia);
    await here.subscribeWithAuth(room);
    const there = await openSignedInClient(second, tom);
    await there.subscribeWithAuth(room);
    expect(await here.next('pusher_internal:member_added')).toMatchObject({
      data: { user_id: tom, user_info: { first_name: 'Tom' } },
    });
    there.socket.terminate();
    expect(await here.next('pusher_internal:member_removed')).toMatchObject({ data: { user_id: tom } });
  });

  test('protocol 46: excludes the socket that caused a change, on either server', async () => {
    const [amelia] = built.clientIds as [string];
    const origin = await openSignedInClient(second, amelia);
    const other = await openSignedInClient(first, amelia);
    for (const client of [origin, other]) await client.subscribeWithAuth(channel());
    const paying = (searchId: string, headers: Record<string, string>) =>
      first.app.inject({ method: 'POST', url: `/api/case-searches/${searchId}/payments`, headers });
    await paying(built.caseSearchId, { ...origin.headers, 'x-socket-id': origin.socketId });
    await other.next('App\\Events\\PaymentUpdated');
    await origin.processed();
    expect(origin.inbox).toEqual([]);
  });

  test('protocol 43: notifies all connections about a request without a valid X-Socket-Id', async () => {
    const [amelia] = built.clientIds as [string];
    const client = await openSignedInClient(second, amelia);
    await client.subscribeWithAuth(`private-client.${amelia}`);
    for (const socketId of [undefined, '1.1', 'not a socket']) {
      const more = await buildCase(first.database, { clients: [{ id: amelia }] });
      expect(await client.next('App\\Events\\CaseUpdated')).toMatchObject({ data: { ids: [more.id] } });
      const response = await first.app.inject({
        method: 'PUT',
        url: '/api/client/active-case',
        headers: { ...client.headers, ...(socketId === undefined ? {} : { 'x-socket-id': socketId }) },
        payload: { id: more.id },
      });
      expect(response.statusCode).toBe(200);
      expect(await client.next('App\\Events\\CaseUpdated')).toMatchObject({ data: { ids: [] } });
    }
  });
});

describe('LISTEN connection', () => {
  test('protocol 47: delivers every event once and in order while the LISTEN connections are cut, and closes no connection', async () => {
    const [amelia] = built.clientIds as [string];
    const servers = [first, second];
    const clients = await Promise.all(servers.map((server) => openSignedInClient(server, amelia)));
    for (const client of clients) await client.subscribeWithAuth(channel());
    const expected: string[] = [];
    for (let round = 0; round < 5; round++) {
      const cut = testDatabase.pool.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'keyturn listen' and datname = current_database()",
      );
      for (let number = 0; number < 10; number++) {
        expected.push((await buildHistoryEntry(first.database, { caseId: built.id })).id);
        const { statusCode } = await first.app.inject({
          url: '/api/client',
          headers: clients[0]?.headers ?? {},
        });
        expect(statusCode).toBe(200);
      }
      expect((await cut).rowCount).toBe(2);
      await expect.poll(async () => (await listListeners()).length).toBe(2);
    }
    for (const client of clients) {
      const received: unknown[] = [];
      while (received.length < expected.length) received.push(...idsOf(await client.next(recorded)));
      expect(received).toEqual(expected);
      await client.processed();
      expect(client.inbox).toEqual([]);
      expect(client.socket.readyState).toBe(client.socket.OPEN);
    }
  });

  test('protocol 47: closes a connection whose session was ended on another server while it was not listening', async () => {
    const [amelia] = built.clientIds as [string];
    const client = await openSignedInClient(first, amelia);
    await client.subscribeWithAuth(channel());
    await testDatabase.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'keyturn listen' and datname = current_database()",
    );
    const { statusCode } = await second.app.inject({
      method: 'POST',
      url: '/api/logout',
      headers: client.headers,
    });
    expect(statusCode).toBeLessThan(300);
    expect(await client.closed).toBe(4009);
  });

  test('protocol 47: reopens a LISTEN connection that was unreachable or silently lost', async () => {
    const line = await openLine(testDatabase.url);
    const received: string[] = [];
    let gaps = 0;
    const listener = createListener({
      url: line.url,
      channels: ['trial'],
      onNotification: (_, payload) => received.push(payload),
      onGap: () => gaps++,
      onError: () => {},
      retryAfter: 30,
      checkEvery: 60,
    });
    const say = (word: string) => testDatabase.pool.query("select pg_notify('trial', $1)", [word]);
    line.cut();
    const starting = listener.start();
    line.mend();
    await starting;
    await say('1');
    await expect.poll(() => received).toEqual(['1']);
    expect(gaps).toBe(0);
    line.stall();
    await say('2');
    await expect.poll(() => gaps).toBe(1);
    await say('3');
    await expect.poll(() => received).toEqual(['1', '3']);
    line.cut();
    await say('4');
    line.mend();
    await expect.poll(() => gaps).toBe(2);
    await say('5');
    await expect.poll(() => received).toEqual(['1', '3', '5']);
    await listener.stop();
    line.close();
  });

  test('protocol 47: the first LISTEN connection that cannot be opened in time ends the start, with a message that names what to raise', async () => {
    const line = await openLine(testDatabase.url);
    line.cut();
    const listener = createListener({
      url: line.url,
      channels: ['trial'],
      onNotification: () => {},
      onGap: () => {},
      onError: () => {},
      retryAfter: 30,
      startTimeout: 100,
    });
    await expect(listener.start()).rejects.toThrow(
      /The connection "keyturn listen" to the database could not be opened \(.+\).*raise max_connections/,
    );
    await listener.stop();
    line.close();
  });

  test('protocol 47: reopens a connection that was silently lost before LISTEN', async () => {
    const line = await openLine(testDatabase.url);
    const errors: string[] = [];
    const received: string[] = [];
    const listener = createListener({
      url: line.url,
      channels: ['trial'],
      onNotification: (_, payload) => received.push(payload),
      onGap: () => {},
      onError: ({ message }) => errors.push(message),
      retryAfter: 30,
      timeout: 200,
    });
    line.swallow('listen "trial"');
    const starting = listener.start();
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    line.swallow(null);
    await starting;
    await testDatabase.pool.query("select pg_notify('trial', 'received')");
    await expect.poll(() => received).toEqual(['received']);
    await listener.stop();
    line.close();
  });

  test('protocol 47: sends server messages in order once the database accepts them again', async () => {
    const received: string[] = [];
    let fails = 2;
    const failing = {
      query: (text: string, values: unknown[]) => {
        if (fails-- > 0) throw new Error('the database is away');
        return testDatabase.pool.query(text, values);
      },
    };
    const own = Array.from({ length: 3_000 }, (_, number) => `trial "${number}"`);
    const waiting = [...own];
    const network = createNotifyNetwork({
      url: testDatabase.url,
      pool: failing as never,
      eventsChannel: 'no events',
      receiver: {
        events: noEvents,
        onText: (text) => received.push(...readMessages(text ?? '')),
        onMissedTexts: () => {},
        onError: () => {},
      },
    });
    await network.start();
    const bus = createServerBus({
      network,
      take: () => waiting.shift(),
      onError: () => {},
      retryAfter: 10,
    });
    bus.wake();
    await expect.poll(() => received.filter((message) => message.startsWith('trial'))).toEqual(own);
    await bus.flush();
    await network.stop();
  });
});

const idsOf = ({ data }: { data?: unknown }) => (data as { ids: string[] }).ids;

/** Lists the connections that listen. */
async function listListeners() {
  const { rows } = await testDatabase.pool.query(
    "select pid from pg_stat_activity where application_name = 'keyturn listen' and datname = current_database() and query like '%pg_snapshot_xmin%'",
  );
  return rows;
}

/** A proxy to the database that can close connections or drop their traffic. */
async function openLine(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const ends: Socket[] = [];
  let isCut = false;
  let swallowed: string | null = null;
  const proxy = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    ends.push(near, far);
    for (const end of [near, far]) end.on('error', () => {});
    near.on('data', (bytes) => {
      if (swallowed === null || !bytes.includes(swallowed)) far.write(bytes);
    });
    far.pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: throughPort(databaseUrl, (proxy.address() as AddressInfo).port),
    cut: () => {
      isCut = true;
      for (const end of ends.splice(0)) end.destroy();
    },
    mend: () => {
      isCut = false;
    },
    /** Drops data that contains this text on its way to the database. */
    swallow: (words: string | null) => {
      swallowed = words;
    },
    /** Silently drops all traffic of the current connections; later connections work. */
    stall: () => {
      for (const end of ends.splice(0)) {
        end.unpipe();
        end.pause();
      }
    },
    close: () => {
      proxy.close();
      for (const end of ends) end.destroy();
    },
  };
}

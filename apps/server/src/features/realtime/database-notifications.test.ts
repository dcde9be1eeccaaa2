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
import { createServerBus, serverBusChannel } from '../../adapters/postgres/server-bus.ts';
import {
  closeTestClients,
  openSignedInClient,
  testApp,
  testAppEnv,
} from '../../testing/real-time/channel-test-clients.ts';

const testDatabase = withTestDatabase();
const one = withTestServer({ database: testDatabase, env: testAppEnv });
const two = withTestServer({ database: testDatabase, env: testAppEnv });
let built: Awaited<ReturnType<typeof buildCase>>;
beforeAll(async () => {
  built = await buildCase(one.database, { clients: [{ firstName: 'Amelia' }, { firstName: 'Tom' }] });
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
  test('protocol 46: tell each other what the HTTP API publishes, in order, however long it is', async () => {
    const client = await openSignedInClient(two, built.clientId);
    await client.listen(channel());
    const publisher = publisherOf(one);
    // Long ones are put down and read again, short ones go along with the notification: the order stays.
    const lengths = [10, 10_000, 20, 9_000, 30, 40];
    for (const length of lengths) await publisher.trigger(channel(), 'Told', { text: 'x'.repeat(length) });
    for (const length of lengths) {
      expect(await client.next('Told')).toMatchObject({ data: { text: 'x'.repeat(length) } });
    }
  });

  test('protocol 46: know who is present on either, and who is no longer', async () => {
    const [amelia, tom] = built.clientIds as [string, string];
    const room = `presence-case.${built.id}`;
    const here = await openSignedInClient(one, amelia);
    await here.listen(room);
    const there = await openSignedInClient(two, tom);
    await there.listen(room);
    expect(await here.next('pusher_internal:member_added')).toMatchObject({
      data: { user_id: tom, user_info: { first_name: 'Tom' } },
    });
    there.socket.terminate();
    expect(await here.next('pusher_internal:member_removed')).toMatchObject({ data: { user_id: tom } });
  });

  test('protocol 46: leave out the socket that asked, on whichever of them it is', async () => {
    const [amelia] = built.clientIds as [string];
    const asking = await openSignedInClient(two, amelia);
    const other = await openSignedInClient(one, amelia);
    for (const client of [asking, other]) await client.listen(channel());
    const paying = (searchId: string, headers: Record<string, string>) =>
      one.app.inject({ method: 'POST', url: `/api/case-searches/${searchId}/payments`, headers });
    await paying(built.caseSearchId, { ...asking.headers, 'x-socket-id': asking.socketId });
    await other.next('App\\Events\\PaymentUpdated');
    await asking.processed();
    expect(asking.inbox).toEqual([]);
  });

  test('protocol 43: a request without X-Socket-Id, or with one that is no socket, is told to everybody', async () => {
    const [amelia] = built.clientIds as [string];
    const client = await openSignedInClient(two, amelia);
    await client.listen(`private-client.${amelia}`);
    for (const socketId of [undefined, '1.1', 'not a socket']) {
      const more = await buildCase(one.database, { clients: [{ id: amelia }] });
      expect(await client.next('App\\Events\\CaseUpdated')).toMatchObject({ data: { ids: [more.id] } });
      const answer = await one.app.inject({
        method: 'PUT',
        url: '/api/client/active-case',
        headers: { ...client.headers, ...(socketId === undefined ? {} : { 'x-socket-id': socketId }) },
        payload: { id: more.id },
      });
      expect(answer.statusCode).toBe(200);
      expect(await client.next('App\\Events\\CaseUpdated')).toMatchObject({ data: { ids: [] } });
    }
  });
});

describe('the connection that listens', () => {
  test('protocol 47: that breaks is opened again, everybody is sent back to catch up, and events go on; the API never stops', async () => {
    const [amelia] = built.clientIds as [string];
    const clients = [await openSignedInClient(one, amelia), await openSignedInClient(two, amelia)];
    for (const client of clients) await client.listen(channel());
    const { rowCount } = await testDatabase.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'keyturn listen' and datname = current_database()",
    );
    expect(rowCount).toBe(2);
    // Nobody is told of this: who comes back reads it.
    await buildHistoryEntry(one.database, { caseId: built.id });
    const { statusCode } = await one.app.inject({ url: '/api/client', headers: clients[0]?.headers ?? {} });
    expect(statusCode).toBe(200);
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([1001, 1001]);
    for (const server of [one, two]) {
      const back = await openSignedInClient(server, amelia);
      await back.listen(channel());
      const entry = await buildHistoryEntry(one.database, { caseId: built.id });
      expect(await back.next(recorded)).toMatchObject({ data: { ids: [entry.id] } });
    }
  });

  test('protocol 47: that cannot be opened for a while, or is gone without a word, is opened as soon as it can be', async () => {
    const line = await openLine(testDatabase.url);
    const heard: string[] = [];
    let gaps = 0;
    const listener = createListener({
      url: line.url,
      channels: ['trial'],
      onNotification: (_, payload) => heard.push(payload),
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
    await expect.poll(() => heard).toEqual(['1']);
    expect(gaps).toBe(0);
    line.stall();
    await say('2');
    await expect.poll(() => gaps).toBe(1);
    await say('3');
    await expect.poll(() => heard).toEqual(['1', '3']);
    line.cut();
    await say('4');
    line.mend();
    await expect.poll(() => gaps).toBe(2);
    await say('5');
    await expect.poll(() => heard).toEqual(['1', '3', '5']);
    await listener.stop();
    line.close();
  });

  test('protocol 47: that is gone without a word before it listens is opened anew all the same', async () => {
    const line = await openLine(testDatabase.url);
    const errors: string[] = [];
    const heard: string[] = [];
    const listener = createListener({
      url: line.url,
      channels: ['trial'],
      onNotification: (_, payload) => heard.push(payload),
      onGap: () => {},
      onError: ({ message }) => errors.push(message),
      retryAfter: 30,
      timeout: 200,
    });
    line.swallow('listen "trial"');
    const starting = listener.start();
    await expect.poll(() => errors.length, { timeout: 5_000 }).toBeGreaterThan(0);
    line.swallow(null);
    await starting;
    await testDatabase.pool.query("select pg_notify('trial', 'heard')");
    await expect.poll(() => heard).toEqual(['heard']);
    await listener.stop();
    line.close();
  });

  test('protocol 47: words that the database did not take are said when it does, in their order', async () => {
    const heard: string[] = [];
    const listener = createListener({
      url: testDatabase.url,
      channels: [serverBusChannel],
      onNotification: (_, payload) => {
        void words.read(payload).then((said) => heard.push(...said));
      },
      onGap: () => {},
      onError: () => {},
    });
    await listener.start();
    let fails = 2;
    const failing = {
      query: (text: string, values: unknown[]) => {
        if (fails-- > 0) throw new Error('the database is away');
        return testDatabase.pool.query(text, values);
      },
    };
    const words = createServerBus(failing as never, () => {}, 10);
    const own = Array.from({ length: 3_000 }, (_, number) => `trial "${number}"`);
    for (const word of own) words.publish(word);
    await expect
      .poll(() => heard.filter((word) => word.startsWith('trial')), { timeout: 5_000 })
      .toEqual(own);
    await words.flush();
    await listener.stop();
  });
});

/** A line to the database that can be cut, or carry nothing. */
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
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    cut: () => {
      isCut = true;
      for (const end of ends.splice(0)) end.destroy();
    },
    mend: () => {
      isCut = false;
    },
    /** What holds these words is lost on its way to the database. */
    swallow: (words: string | null) => {
      swallowed = words;
    },
    /** What is open now carries nothing any more, and says nothing of it; what is opened later works. */
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

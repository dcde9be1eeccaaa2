import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeTestClients, openRawClient } from '../../testing/real-time/channel-test-clients.ts';
import {
  startTestChannelServer,
  type TestChannelServer,
  type TestNetwork,
} from '../../testing/real-time/channel-test-server.ts';

let network: TestNetwork;
let here: TestChannelServer;
let there: TestChannelServer;
const intervals = {
  heartbeatEvery: 40,
  peerTimeout: 200,
  reconnectAllCooldown: 300,
  batchSize: 2,
  batchEvery: 50,
};
beforeEach(async () => {
  network = new Set();
  here = await startTestChannelServer({ network, intervals });
  there = await startTestChannelServer({ network, intervals });
});
afterEach(async () => {
  closeTestClients();
  await here.stop();
  await there.stop();
});

async function listener(server: TestChannelServer, channel: string, userId?: string) {
  const client = await openRawClient(server);
  client.subscribe(channel, userId === undefined ? undefined : { user_id: userId });
  const { data } = await client.next('pusher_internal:subscription_succeeded');
  const ids = (data as { presence?: { ids: string[] } }).presence?.ids;
  return { ...client, ids };
}

describe('two servers', () => {
  test('protocol 46: publish to the listeners of both, but to the socket that is left out, wherever it is', async () => {
    const [one, two] = [await listener(here, 'orders'), await listener(there, 'orders')];
    await here.publisher.trigger('orders', 'Changed', {}, { socket_id: two.socketId });
    await one.next('Changed');
    await there.publisher.trigger('orders', 'Again', {}, { socket_id: one.socketId });
    await two.next('Again');
    await one.processed();
    await two.processed();
    expect([...one.inbox, ...two.inbox]).toEqual([]);
  });

  test('protocol 46: close the connections of a user on both', async () => {
    const clients = [await openRawClient(here), await openRawClient(there)];
    for (const client of clients) {
      client.signIn('7');
      await client.next('pusher:signin_success');
    }
    await there.publisher.terminateUserConnections('7');
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([4009, 4009]);
  });

  test('protocol 46: know the members of both, also of those before they came', async () => {
    const amelia = await listener(here, 'presence-room', 'amelia');
    const tom = await listener(there, 'presence-room', 'tom');
    expect(tom.ids?.sort()).toEqual(['amelia', 'tom']);
    await amelia.next('pusher_internal:member_added');
    const late = await startTestChannelServer({ network, intervals });
    await expect.poll(() => late.channels.counts()).toMatchObject({ channels: 1, servers: 2 });
    expect((await listener(late, 'presence-room', 'tom')).ids?.sort()).toEqual(['amelia', 'tom']);
    await tom.processed();
    expect(tom.inbox).toEqual([]);
    await late.stop();
  });

  test('protocol 46: take the members of one that died for gone in its time, of one that says goodbye at once', async () => {
    const watching = await listener(here, 'presence-room', 'watching');
    await listener(there, 'presence-room', 'tom');
    await watching.next('pusher_internal:member_added');
    // Dead: it is heard of no more.
    const dying = await startTestChannelServer({
      network: new Set(),
      notifyServers: (word) => here.channels.receiveServerMessage(word),
      intervals: { heartbeatEvery: 1e6 },
    });
    await listener(dying, 'presence-room', 'dying');
    expect(await watching.next('pusher_internal:member_added')).toMatchObject({ data: { user_id: 'dying' } });
    expect(await watching.next('pusher_internal:member_removed')).toMatchObject({
      data: { user_id: 'dying' },
    });
    await there.channels.stop();
    expect(await watching.next('pusher_internal:member_removed')).toMatchObject({ data: { user_id: 'tom' } });
    expect(here.channels.counts().servers).toBe(0);
    await dying.stop();
  });

  test('know whose a connection of the other one is', async () => {
    const client = await openRawClient(there);
    here.channels.bind(client.socketId, { session: 'abc', clientId: '7' });
    await expect.poll(() => there.channels.counts().sessions).toBe(1);
    expect(here.channels.counts().sessions).toBe(0);
    there.channels.endSessions(['abc', 'xyz']);
    expect(await client.closed).toBe(4009);
  });

  test.each(['', 'no JSON', 'null', '[]', '{}', '{"from":7}', '{"from":"x","message":{"kind":"event"}}'])(
    'drop a broken word: %s',
    (word) => {
      expect(() => here.channels.receiveServerMessage(word)).not.toThrow();
    },
  );
});

describe('connections that are sent back', () => {
  test('of a client who may hear less, with those that have just come, and nobody else', async () => {
    const [bound, another, fresh] = [
      await openRawClient(here),
      await openRawClient(here),
      await openRawClient(here),
    ];
    here.channels.bind(bound.socketId, { session: 'abc', clientId: '7' });
    here.channels.bind(another.socketId, { session: 'def', clientId: '8' });
    here.channels.reconnectClients(['7']);
    expect(await bound.closed).toBe(1001);
    expect(await fresh.closed).toBe(1001);
    await another.processed();
  });

  test('all of them, go in steps, and not again and again', async () => {
    const clients = await Promise.all(Array.from({ length: 7 }, () => openRawClient(here)));
    const left: number[] = [];
    for (const client of clients) void client.closed.then(() => left.push(performance.now()));
    const began = performance.now();
    here.channels.reconnectAll();
    here.channels.reconnectAll();
    expect(here.channels.counts().connections).toBe(5);
    const codes = await Promise.all(clients.map(({ closed }) => closed));
    expect(new Set(codes)).toEqual(new Set([1001]));
    expect((left.at(-1) ?? 0) - began).toBeGreaterThan(100);
    // What came back meanwhile missed the second gap as well, and is sent back after the pause, once.
    const back = await openRawClient(here);
    for (let time = 0; time < 20; time++) here.channels.reconnectAll();
    await back.processed();
    expect(await back.closed).toBe(1001);
    // Twenty askings are one: whoever came after it stays, longer than one who is sent back would.
    const again = await openRawClient(here);
    const since = performance.now();
    await expect
      .poll(async () => again.processed().then(() => performance.now() - since), { interval: 20 })
      .toBeGreaterThan(2 * intervals.reconnectAllCooldown);
  });

  test('whose sign-in does not hold, whenever that is found out; nobody is when it cannot be known', async () => {
    let answer: (sessions: string[]) => Promise<Map<string, number>> = async () => {
      throw new Error('the database is away');
    };
    const errors: unknown[] = [];
    const strict = await startTestChannelServer({
      findLiveSessions: (sessions) => answer(sessions),
      onError: (error) => errors.push(error),
      intervals: { sessionCheckEvery: 20 },
    });
    const client = await openRawClient(strict);
    strict.channels.bind(client.socketId, { session: 'abc', clientId: '7' });
    await expect.poll(() => errors.length).toBeGreaterThan(2);
    await client.processed();
    let asked = 0;
    answer = async (sessions) => {
      asked++;
      return new Map(sessions.map((session) => [session, Date.now() + 200]));
    };
    await expect.poll(() => asked).toBe(1);
    await client.processed();
    await expect.poll(() => asked).toBeGreaterThan(1);
    answer = async () => new Map();
    expect(await client.closed).toBe(4009);
    await strict.stop();
  });
});

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

async function openSubscriber(server: TestChannelServer, channel: string, userId?: string) {
  const client = await openRawClient(server);
  client.subscribe(channel, userId === undefined ? undefined : { user_id: userId });
  const { data } = await client.next('pusher_internal:subscription_succeeded');
  const ids = (data as { presence?: { ids: string[] } }).presence?.ids;
  return { ...client, ids };
}

describe('two servers', () => {
  test('protocol 46: two servers publish to the subscribers of both, except the excluded socket', async () => {
    const [one, two] = [await openSubscriber(here, 'orders'), await openSubscriber(there, 'orders')];
    await here.publisher.trigger('orders', 'Changed', {}, { socket_id: two.socketId });
    await one.next('Changed');
    await there.publisher.trigger('orders', 'Again', {}, { socket_id: one.socketId });
    await two.next('Again');
    await one.processed();
    await two.processed();
    expect([...one.inbox, ...two.inbox]).toEqual([]);
  });

  test('protocol 46: two WebSocket servers both close the connections of a terminated user', async () => {
    const clients = [await openRawClient(here), await openRawClient(there)];
    for (const client of clients) {
      client.signIn('7');
      await client.next('pusher:signin_success');
    }
    await there.publisher.terminateUserConnections('7');
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([4009, 4009]);
  });

  test('protocol 46: a new server receives the members of the others', async () => {
    const amelia = await openSubscriber(here, 'presence-room', 'amelia');
    const tom = await openSubscriber(there, 'presence-room', 'tom');
    expect(tom.ids?.sort()).toEqual(['amelia', 'tom']);
    await amelia.next('pusher_internal:member_added');
    const late = await startTestChannelServer({ network, intervals });
    await expect.poll(() => late.channels.counts()).toMatchObject({ channels: 1, servers: 2 });
    expect((await openSubscriber(late, 'presence-room', 'tom')).ids?.sort()).toEqual(['amelia', 'tom']);
    await tom.processed();
    expect(tom.inbox).toEqual([]);
    await late.stop();
  });

  test('protocol 46: removes the members of a dead server after the timeout, and of a stopping one immediately', async () => {
    const watching = await openSubscriber(here, 'presence-room', 'watching');
    await openSubscriber(there, 'presence-room', 'tom');
    await watching.next('pusher_internal:member_added');
    // It sends no heartbeat, so it is considered dead.
    const dying = await startTestChannelServer({
      network,
      intervals: { heartbeatEvery: 1e6 },
    });
    await openSubscriber(dying, 'presence-room', 'dying');
    expect(await watching.next('pusher_internal:member_added')).toMatchObject({ data: { user_id: 'dying' } });
    expect(await watching.next('pusher_internal:member_removed')).toMatchObject({
      data: { user_id: 'dying' },
    });
    await there.channels.stop();
    expect(await watching.next('pusher_internal:member_removed')).toMatchObject({ data: { user_id: 'tom' } });
    expect(here.channels.counts().servers).toBe(0);
    await dying.stop();
  });

  test('a stopping server sends nothing after announcing its end, because others would count it as new', async () => {
    // Nothing is sent before the database can take it.
    const stopping = await startTestChannelServer({ intervals, onServerMessages: () => {} });
    stopping.channels.receiveServerMessage('{"from":"another","hello":true}');
    await openSubscriber(stopping, 'presence-room', 'amelia');
    await stopping.stop();
    const messages: unknown[] = [];
    for (let text = stopping.channels.takeServerMessage(); text; text = stopping.channels.takeServerMessage())
      messages.push(JSON.parse(text));
    expect(messages.at(-1)).toMatchObject({ bye: true });
  });

  test('binds a connection of another server to its session', async () => {
    const client = await openRawClient(there);
    here.channels.bind(client.socketId, { session: 'abc', clientId: '7' });
    await expect.poll(() => there.channels.counts().sessions).toBe(1);
    expect(here.channels.counts().sessions).toBe(0);
    there.channels.endSessions(['abc', 'xyz']);
    expect(await client.closed).toBe(4009);
  });

  test.each(['', 'not JSON', 'null', '[]', '{}', '{"from":7}', '{"from":"x","message":{"kind":"event"}}'])(
    'ignores an invalid message from another server: %s',
    (message) => {
      expect(() => here.channels.receiveServerMessage(message)).not.toThrow();
    },
  );
});

describe('forced reconnections', () => {
  test('reconnectClients closes a client’s connections, including those whose binding arrives later, but no others', async () => {
    const [bound, another, fresh, unrelated] = [
      await openRawClient(here),
      await openRawClient(here),
      await openRawClient(here),
      await openRawClient(here),
    ];
    here.channels.bind(bound.socketId, { session: 'abc', clientId: '7' });
    here.channels.bind(another.socketId, { session: 'def', clientId: '8' });
    here.channels.reconnectClients(['7']);
    const later = await openRawClient(here);
    expect(await bound.closed).toBe(1001);
    // Another server authorised this one before the change, and its message arrives after it.
    here.channels.bind(fresh.socketId, { session: 'abc', clientId: '7' });
    expect(await fresh.closed).toBe(1001);
    here.channels.bind(later.socketId, { session: 'abc', clientId: '7' });
    for (const client of [another, unrelated, later]) await client.processed();
  });

  test('reconnectAll closes connections in batches, with a cooldown between two rounds', async () => {
    const clients = await Promise.all(Array.from({ length: 7 }, () => openRawClient(here)));
    const left: number[] = [];
    for (const client of clients) void client.closed.then(() => left.push(performance.now()));
    const startedAt = performance.now();
    here.channels.reconnectAll();
    here.channels.reconnectAll();
    expect(here.channels.counts().connections).toBe(5);
    const codes = await Promise.all(clients.map(({ closed }) => closed));
    expect(new Set(codes)).toEqual(new Set([1001]));
    expect((left.at(-1) ?? 0) - startedAt).toBeGreaterThan(100);
    // A client that reconnected meanwhile is affected by the second request and reconnects once, after the cooldown.
    const returning = await openRawClient(here);
    for (let request = 0; request < 20; request++) here.channels.reconnectAll();
    await returning.processed();
    expect(await returning.closed).toBe(1001);
    // Twenty requests make one round: a client that connects after it stays connected.
    const again = await openRawClient(here);
    const since = performance.now();
    await expect
      .poll(async () => again.processed().then(() => performance.now() - since), { interval: 20 })
      .toBeGreaterThan(2 * intervals.reconnectAllCooldown);
  });

  test('closes the connections of expired sessions, and none while sessions cannot be looked up', async () => {
    let findLiveSessions: (sessions: string[]) => Promise<Map<string, number>> = async () => {
      throw new Error('the database is unavailable');
    };
    const errors: unknown[] = [];
    const strict = await startTestChannelServer({
      findLiveSessions: (sessions) => findLiveSessions(sessions),
      onError: (error) => errors.push(error),
      intervals: { sessionCheckEvery: 20 },
    });
    const client = await openRawClient(strict);
    strict.channels.bind(client.socketId, { session: 'abc', clientId: '7' });
    await expect.poll(() => errors.length).toBeGreaterThan(2);
    await client.processed();
    let lookups = 0;
    findLiveSessions = async (sessions) => {
      lookups++;
      return new Map(sessions.map((session) => [session, Date.now() + 200]));
    };
    await expect.poll(() => lookups).toBe(1);
    await client.processed();
    await expect.poll(() => lookups).toBeGreaterThan(1);
    findLiveSessions = async () => new Map();
    expect(await client.closed).toBe(4009);
    await strict.stop();
  });
});

test('sends no events to other servers while there is none, and resumes once there is one', async () => {
  const published: string[] = [];
  const alone: TestNetwork = new Set([
    (message: string) => void (message.includes('"kind":"event"') && published.push(message)),
  ]);
  const first = await startTestChannelServer({ network: alone, intervals });
  await first.publisher.trigger('orders', 'Early', {});
  expect(published).toHaveLength(1);
  const publishAlone = async () => {
    published.length = 0;
    await first.publisher.trigger('orders', 'Changed', {});
    return published.length;
  };
  await expect.poll(publishAlone).toBe(0);
  const second = await startTestChannelServer({ network: alone, intervals });
  const client = await openSubscriber(second, 'orders');
  await first.publisher.trigger('orders', 'Changed', {});
  await client.next('Changed');
  await second.stop();
  // Nothing comes back from the database any more, so messages of another server would not arrive either.
  alone.clear();
  alone.add((message) => void (message.includes('"kind":"event"') && published.push(message)));
  await expect.poll(publishAlone).toBe(1);
  await first.stop();
});

test('fault 39: a server receives missed messages once and in order after a gap in listening, and keeps its connections', async () => {
  const client = await openSubscriber(there, 'orders');
  await here.publisher.trigger('orders', 'First', {});
  await client.next('First');
  const { receiveServerMessage } = there.channels;
  network.delete(receiveServerMessage);
  await here.publisher.trigger('orders', 'Second', {});
  await here.publisher.trigger('orders', 'Third', {});
  network.add(receiveServerMessage);
  there.channels.onMissedMessages();
  await here.publisher.trigger('orders', 'Fourth', {});
  await expect.poll(() => client.inbox.length).toBe(3);
  await client.processed();
  expect(client.inbox.map(({ event }) => event)).toEqual(['Second', 'Third', 'Fourth']);
});

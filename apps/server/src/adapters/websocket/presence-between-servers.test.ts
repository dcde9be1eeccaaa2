import { withTestDatabase } from '@keyturn/testkit';
import { runLength } from '@keyturn/testkit/run-length.ts';
import { afterEach, expect, test } from 'vitest';
import { createServerBus, readMessages } from '../../live/channels/server-bus.ts';
import {
  closeTestClients,
  openRawClient,
  type RawClient,
} from '../../testing/real-time/channel-test-clients.ts';
import {
  noEvents,
  startTestChannelServer,
  type TestChannelServer,
} from '../../testing/real-time/channel-test-server.ts';
import { createNotifyNetwork } from '../postgres/notify-network.ts';

const database = withTestDatabase();
/** Each is the only member of 100 channels. When they leave, more changes wait than a server keeps, which is 10,000. */
const connections = runLength({ short: 60, long: 130 });
const members = connections * 100;

/** Ends a test that hangs, even on a busy machine. Counting 13,000 members takes longer than the usual interval. */
const busy = { timeout: 120_000, interval: 500 };

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  closeTestClients();
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts a server that exchanges messages with the others through PostgreSQL. It may be unable to send for a while. */
async function startServer(intervals: { heartbeatEvery?: number } = {}) {
  let isDatabaseAway = false;
  const pool = {
    query: (...query: [string, unknown[]]) => {
      if (isDatabaseAway && query[0].includes('pg_notify')) throw new Error('the database is away');
      return database.pool.query(...query);
    },
  };
  const network = createNotifyNetwork({
    url: database.url,
    pool: pool as never,
    eventsChannel: 'no events',
    receiver: {
      events: noEvents,
      onText: (text) => readMessages(text ?? '').forEach(server.channels.receiveServerMessage),
      onMissedTexts: () => {},
      onError: () => {},
    },
  });
  let started: TestChannelServer | undefined;
  const bus = createServerBus({
    network,
    take: () => started?.channels.takeServerMessage(),
    onError: () => {},
    retryAfter: 20,
  });
  const server = await startTestChannelServer({
    onServerMessages: () => bus.wake(),
    intervals: { announceSizesEvery: 50, ...intervals },
  });
  await network.start();
  started = server;
  bus.wake();
  closers.push(async () => {
    isDatabaseAway = false;
    await server.stop();
    await bus.flush();
    await network.stop();
  });
  return {
    ...server,
    setDatabaseAway: (isAway: boolean) => {
      isDatabaseAway = isAway;
    },
  };
}

async function openMembers(server: TestChannelServer): Promise<RawClient[]> {
  const clients = await Promise.all(Array.from({ length: connections }, () => openRawClient(server)));
  for (const [number, client] of clients.entries()) {
    for (let channel = 0; channel < 100; channel++) {
      client.subscribe(`presence-${number}-${channel}`, { user_id: `user-${number}`, user_info: {} });
    }
  }
  await expect.poll(() => server.channels.counts().channels).toBe(members);
  return clients;
}

/** Counts the presence members that a server knows, on all servers. */
async function countMembers({ publisher }: TestChannelServer): Promise<number> {
  const response = await publisher.get({ path: '/channels', params: { info: 'user_count' } });
  const { channels } = (await response.json()) as { channels: Record<string, { user_count: number }> };
  return Object.values(channels).reduce((total, { user_count }) => total + user_count, 0);
}

test(`a new server receives all of ${members} presence members, and removes them when ${connections} connections are cut at once`, async () => {
  const here = await startServer();
  const clients = await openMembers(here);
  const there = await startServer();
  await expect.poll(() => countMembers(there), busy).toBe(members);
  for (const { socket } of clients) socket.terminate();
  await expect.poll(() => countMembers(here), busy).toBe(0);
  await expect.poll(() => countMembers(there), busy).toBe(0);
});

test(`${members} presence members who left while the database was away are removed from the other servers`, async () => {
  const [here, there] = [await startServer(), await startServer()];
  await expect.poll(() => here.channels.counts().servers).toBe(1);
  const clients = await openMembers(here);
  await expect.poll(() => countMembers(there), busy).toBe(members);
  here.setDatabaseAway(true);
  const returning = await openRawClient(there);
  here.channels.bind(returning.socketId, { session: 'abc', clientId: '7' });
  await here.publisher.terminateUserConnections('7');
  for (const { socket } of clients.slice(1)) socket.terminate();
  await expect.poll(() => countMembers(here), busy).toBe(100);
  here.setDatabaseAway(false);
  await expect.poll(() => countMembers(there), busy).toBe(100);
  // Messages about single connections arrive too.
  await expect.poll(() => there.channels.counts().sessions).toBe(1);
});

test('a server that missed messages repairs its copy after the next heartbeat', async () => {
  const [here, there] = [await startServer({ heartbeatEvery: 50 }), await startServer()];
  await expect.poll(() => here.channels.counts().servers).toBe(1);
  const client = await openRawClient(here);
  client.subscribe('presence-room', { user_id: 'amelia' });
  await expect.poll(() => countMembers(there)).toBe(1);
  // The next messages of the first server reach no one.
  client.subscribe('presence-other', { user_id: 'amelia' });
  await client.next('pusher_internal:subscription_succeeded', 'presence-other');
  while (here.channels.takeServerMessage());
  await expect.poll(() => countMembers(there)).toBe(2);
});

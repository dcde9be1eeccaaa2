import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import {
  closeTestClients,
  openPusherClient,
  openRawClient,
  waitForEvent,
} from '../../testing/real-time/channel-test-clients.ts';
import {
  startTestChannelServer,
  type TestChannelServer,
} from '../../testing/real-time/channel-test-server.ts';

let server: TestChannelServer;
/** Pings after 150 ms of silence, and closes after two unanswered pings. */
let impatient: TestChannelServer;
beforeAll(async () => {
  server = await startTestChannelServer();
  impatient = await startTestChannelServer({
    limits: { pingInterval: 150, unansweredPings: 2 },
    intervals: { livenessCheckEvery: 25, idleTimeout: 600 },
  });
});
afterEach(closeTestClients);
afterAll(async () => {
  await server.stop();
  await impatient.stop();
});

describe('connections', () => {
  test('protocol 1: gives each connection a unique socket id of two numbers', async () => {
    const clients = Array.from({ length: 20 }, () => openPusherClient(server));
    await Promise.all(clients.map((client) => waitForEvent(client.connection, 'connected')));
    const ids = clients.map((client) => client.connection.socket_id);
    for (const id of ids) expect(id).toMatch(/^\d+\.\d+$/);
    expect(new Set(ids).size).toBe(20);
  });

  test('protocol 4: answers a client’s ping after the activity timeout', async () => {
    const patient = await startTestChannelServer({ limits: { activityTimeout: 1 } });
    const client = openPusherClient(patient, { activityTimeout: 60_000 });
    await waitForEvent(client.connection, 'connected');
    const manager = client.connection as never as {
      send_event(event: string, data: unknown): boolean;
      sendActivityCheck(): void;
    };
    const pings: number[] = [];
    const check = manager.sendActivityCheck.bind(manager);
    manager.sendActivityCheck = () => {
      pings.push(performance.now());
      check();
    };
    const pong = waitForEvent(client.connection, 'message');
    expect(await pong).toMatchObject({ event: 'pusher:pong' });
    expect(pings).toHaveLength(1);
    expect(client.connection.state).toBe('connected');
    await patient.stop();
  });

  test('protocol 5: pusher-js reconnects if it receives no pong', async () => {
    // This client's pings are lost on the way.
    const mute = await startTestChannelServer();
    const client = openPusherClient(mute, { activityTimeout: 100, pongTimeout: 100 });
    await waitForEvent(client.connection, 'connected');
    const first = client.connection.socket_id;
    const manager = client.connection as never as { connection: { ping(): void } };
    manager.connection.ping = () => {};
    await expect.poll(() => client.connection.socket_id).not.toBe(first);
    await expect.poll(() => client.connection.state).toBe('connected');
    await mute.stop();
  });

  test('protocol 6: pings a silent pusher-js, which answers and stays connected', async () => {
    const client = openPusherClient(impatient);
    client.subscribe('status');
    await waitForEvent(client.connection, 'connected');
    const { socket_id } = client.connection;
    const pings: unknown[] = [];
    client.connection.bind('message', ({ event }: { event: string }) => pings.push(event));
    await expect.poll(() => pings.filter((event) => event === 'pusher:ping').length).toBeGreaterThan(5);
    expect(client.connection).toMatchObject({ state: 'connected', socket_id });
  });

  test('protocol 6: closes a connection that answers no pings with 1001', async () => {
    const client = await openRawClient(impatient, { autoPong: false });
    client.subscribe('status');
    expect(await client.closed).toBe(1001);
    expect(client.inbox.filter(({ event }) => event === 'pusher:ping')).toHaveLength(2);
  });

  test.each(['ping', 'pong'] as const)(
    'protocol 7: keeps a connection open that sends only WebSocket %s frames',
    async (frameType) => {
      const client = await openRawClient(impatient);
      client.subscribe('status');
      let beats = 0;
      const beating = setInterval(() => {
        client.socket[frameType]();
        beats += 1;
      }, 50);
      // Twice the lifetime of a silent connection.
      await expect.poll(() => beats, { interval: 20, timeout: 5_000 }).toBeGreaterThan(18);
      clearInterval(beating);
      expect(client.socket.readyState).toBe(client.socket.OPEN);
      expect(client.inbox.filter(({ event }) => event === 'pusher:ping')).toEqual([]);
      expect(await client.closed).toBe(1001);
    },
  );

  // The patient server pings only after 25 seconds.
  test.each([
    ['terminated connection at once', () => server, (socket: WebSocket) => socket.terminate()],
    ['silent connection after the pings', () => impatient, (socket: WebSocket) => socket.pause()],
  ] as const)('protocol 27: removes the member of a %s', async (_, channelServer, leave) => {
    const watching = openPusherClient(channelServer(), { user: 'watching' });
    const channel = watching.subscribe('presence-room');
    await waitForEvent(channel, 'pusher:subscription_succeeded');
    const removed: string[] = [];
    channel.bind('pusher:member_removed', ({ id }: { id: string }) => removed.push(id));
    const leaving = await openRawClient(channelServer(), { autoPong: false });
    leaving.subscribe('presence-room', { user_id: 'leaving' });
    await leaving.next('pusher_internal:subscription_succeeded');
    leave(leaving.socket);
    await expect.poll(() => removed).toEqual(['leaving']);
  });

  test('closes an idle connection, but not one that is bound to a session or subscribed', async () => {
    const idle = await openRawClient(impatient);
    const bound = await openRawClient(impatient);
    const listening = await openRawClient(impatient);
    listening.subscribe('status');
    impatient.channels.bind(bound.socketId, { session: 'abc', clientId: '7' });
    const beating = setInterval(() => {
      for (const { socket } of [idle, bound, listening]) socket.ping();
    }, 50);
    expect(await idle.closed).toBe(1001);
    await bound.processed();
    await listening.processed();
    clearInterval(beating);
  });

  test('closes a connection on a private channel or with a user that is bound to no session in time', async () => {
    const strict = await startTestChannelServer({
      intervals: { livenessCheckEvery: 20, unboundTimeout: 200 },
    });
    const [unknown, named, bound, anyone] = [
      await openRawClient(strict),
      await openRawClient(strict),
      await openRawClient(strict),
      await openRawClient(strict),
    ];
    for (const client of [unknown, bound]) {
      client.subscribe('private-room');
      await client.next('pusher_internal:subscription_succeeded');
    }
    named.signIn('7');
    anyone.subscribe('status');
    strict.channels.bind(bound.socketId, { session: 'abc', clientId: '7' });
    expect(await Promise.all([unknown.closed, named.closed])).toEqual([1001, 1001]);
    await bound.processed();
    await anyone.processed();
    await strict.stop();
  });

  test('fault 65: closes a connection that sends one frame byte by byte for ever, while others are served', async () => {
    const { port } = new URL(impatient.url);
    const socket = connect(Number(port), '127.0.0.1');
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => {});
    socket.write(
      `GET /app/key?protocol=7 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    );
    socket.resume();
    socket.write(Buffer.from([0x81, 0xfe, 0x04, 0x00, 0, 0, 0, 0]));
    const trickling = setInterval(() => socket.write('a'), 40);
    await expect.poll(() => impatient.channels.counts().connections).toBe(1);
    const other = await openRawClient(impatient);
    await other.processed();
    other.socket.terminate();
    await ended;
    clearInterval(trickling);
    await expect.poll(() => impatient.channels.counts().connections).toBe(0);
  });

  test.each([
    ['with 1001, which it receives when it reads on', { closeTimeout: 60_000 }, 1001],
    ['without waiting for a client that never reads', { closeTimeout: 50 }, 1006],
  ])(
    'fault 46: closes a slow reader %s, and other clients receive everything',
    async (_how, intervals, code) => {
      const busy = await startTestChannelServer({ intervals });
      const [slow, quick] = [await openRawClient(busy), await openRawClient(busy)];
      for (const client of [slow, quick]) {
        client.subscribe('status');
        await client.next('pusher_internal:subscription_succeeded');
      }
      slow.socket.pause();
      const text = 'x'.repeat(100_000);
      let sent = 0;
      while (busy.channels.counts().connections === 2) {
        busy.channels.publish({ channel: 'status', event: 'Large', data: `"${sent}${text}"`, except: null });
        expect((await quick.next('Large')).data).toBe(`${sent}${text}`);
        sent += 1;
        expect(sent).toBeLessThan(1_000);
      }
      const connected = () =>
        new Promise<number>((resolve) => busy.http.getConnections((_, n) => resolve(n)));
      if (code === 1006) await expect.poll(connected).toBe(1);
      slow.socket.resume();
      expect(await slow.closed).toBe(code);
      await quick.processed();
      expect(busy.channels.counts().connections).toBe(1);
      await busy.stop();
    },
  );
});

test('protocol 45: closes 1,000 connections in batches with 1001 on shutdown and rejects new ones', async () => {
  const leaving = await startTestChannelServer({
    intervals: { batchSize: 100, batchEvery: 50, drainTimeout: 400 },
  });
  const clients = [];
  for (let number = 0; number < 1_000; number += 100) {
    clients.push(...(await Promise.all(Array.from({ length: 100 }, () => openRawClient(leaving)))));
  }
  for (const client of clients) client.subscribe('status');
  await Promise.all(clients.map((client) => client.next('pusher_internal:subscription_succeeded')));
  // All clients receive the last event before their connections close.
  leaving.channels.publish({ channel: 'status', event: 'Last', data: '{}', except: null });
  const closedAt: number[] = [];
  const startedAt = performance.now();
  const closing = clients.map(async ({ closed }) => {
    const code = await closed;
    closedAt.push(performance.now() - startedAt);
    return code;
  });
  const stopping = leaving.channels.stop();
  await expect(openRawClient(leaving)).rejects.toThrow('503');
  expect(new Set(await Promise.all(closing))).toEqual(new Set([1001]));
  await stopping;
  for (const client of clients) expect(client.inbox.map(({ event }) => event)).toEqual(['Last']);
  const early = closedAt.filter((at) => at < 150).length;
  expect(early).toBeLessThan(600);
  expect(leaving.channels.counts()).toMatchObject({ connections: 0, channels: 0 });
  await leaving.stop();
});

test('protocol 45: 100 pusher-js clients reconnect gradually to another server on shutdown without losing events', async () => {
  const leaving = await startTestChannelServer({
    intervals: { batchSize: 10, batchEvery: 100, drainTimeout: 2_000 },
  });
  const next = await startTestChannelServer();
  let target = leaving;
  const reconnectedAt: number[] = [];
  // Acts as the load balancer in front of servers that are replaced one after another.
  const balancer = createServer((near) => {
    if (target === next) reconnectedAt.push(performance.now());
    const far = connect(Number(new URL(target.url).port), '127.0.0.1');
    for (const end of [near, far]) end.on('error', () => {});
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
  const received = Array.from({ length: 100 }, (): string[] => []);
  const clients = await Promise.all(
    received.map(async (words) => {
      const client = openPusherClient({ url, app: leaving.app });
      const channel = client.subscribe('status');
      channel.bind('Announced', ({ word }: { word: string }) => words.push(word));
      await waitForEvent(channel, 'pusher:subscription_succeeded');
      return client;
    }),
  );
  const publishWord = (server: TestChannelServer, word: string) =>
    server.channels.publish({
      channel: 'status',
      event: 'Announced',
      data: JSON.stringify({ word }),
      except: null,
    });
  publishWord(leaving, 'last');
  target = next;
  await leaving.channels.stop();
  const haveAllReconnected = () => next.channels.counts().connections === 100 && clients.every(isSubscribed);
  await expect.poll(haveAllReconnected, { timeout: 10_000 }).toBe(true);
  publishWord(next, 'first');
  await expect.poll(() => received.every((words) => words.length === 2)).toBe(true);
  expect(received.every((words) => words.join() === 'last,first')).toBe(true);
  // Ten batches, 100 ms apart, also spread the reconnections a second later.
  expect((reconnectedAt.at(-1) ?? 0) - (reconnectedAt[0] ?? 0)).toBeGreaterThan(500);
  closeTestClients();
  balancer.close();
  await leaving.stop();
  await next.stop();
});

const isSubscribed = (client: ReturnType<typeof openPusherClient>): boolean =>
  client.connection.state === 'connected' && client.channel('status').subscribed;

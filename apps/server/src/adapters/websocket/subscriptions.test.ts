import type Pusher from 'pusher-js';
import type { Channel } from 'pusher-js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
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
beforeAll(async () => {
  server = await startTestChannelServer({ clientEvents: 'members' });
});
afterEach(() => {
  closeTestClients();
  server.authOverride = undefined;
});
afterAll(() => server.stop());

const publish = (channel: string, event = 'Changed', data: object = {}) =>
  server.publisher.trigger(channel, event, data);

/** Collects the events of a channel from now on, except Pusher's own. */
function recordEvents(channel: Channel): unknown[] {
  const received: unknown[] = [];
  channel.bind_global((event: string, data: unknown) => {
    if (!event.startsWith('pusher:')) received.push([event, data]);
  });
  return received;
}

/** Resolves when the server has processed everything this client sent before. */
async function processed(client: Pusher): Promise<void> {
  const pong = new Promise<void>((resolve) => {
    const onMessage = ({ event }: { event: string }) => {
      if (event !== 'pusher:pong') return;
      client.connection.unbind('message', onMessage);
      resolve();
    };
    client.connection.bind('message', onMessage);
  });
  client.connection.send_event('pusher:ping', {});
  await pong;
}

async function connected(options?: Parameters<typeof openPusherClient>[1]): Promise<Pusher> {
  const client = openPusherClient(server, options);
  await waitForEvent(client.connection, 'connected');
  return client;
}

describe('public channel', () => {
  test('protocol 11: delivers events from the pusher library to pusher-js', async () => {
    const client = await connected();
    const channel = client.subscribe('orders');
    const received = recordEvents(channel);
    await waitForEvent(channel, 'pusher:subscription_succeeded');
    await publish('orders', 'Changed', { ids: ['£', 'é'] });
    await expect.poll(() => received).toEqual([['Changed', { ids: ['£', 'é'] }]]);
  });

  test('protocol 12: delivers no events after unsubscribe', async () => {
    const client = await connected();
    const channel = client.subscribe('orders');
    const received = recordEvents(channel);
    await waitForEvent(channel, 'pusher:subscription_succeeded');
    client.unsubscribe('orders');
    await processed(client);
    await publish('orders');
    await processed(client);
    expect(received).toEqual([]);
    expect(server.channels.counts().channels).toBe(0);
  });

  test('protocol 13: ignores repeated unsubscribes', async () => {
    const client = await connected();
    await waitForEvent(client.subscribe('orders'), 'pusher:subscription_succeeded');
    for (let attempt = 0; attempt < 3; attempt++) {
      client.send_event('pusher:unsubscribe', { channel: 'orders' });
      client.unsubscribe('orders');
    }
    await processed(client);
    expect(client.connection.state).toBe('connected');
    await waitForEvent(client.subscribe('orders'), 'pusher:subscription_succeeded');
  });

  type Step = 'subscribe' | 'unsubscribe' | 'wait';
  test.each<[Step[], boolean]>([
    [['subscribe', 'subscribe'], true],
    [['subscribe', 'wait', 'subscribe'], true],
    [['subscribe', 'unsubscribe'], false],
    [['subscribe', 'wait', 'unsubscribe'], false],
    [['subscribe', 'unsubscribe', 'subscribe'], true],
    [['subscribe', 'unsubscribe', 'wait', 'subscribe', 'wait'], true],
  ])(
    'protocol 14: after %j pusher-js and the server agree whether it is subscribed: %s',
    async (steps, isSubscribed) => {
      const client = await connected();
      const received: unknown[] = [];
      client.bind('Changed', (data: unknown) => received.push(data));
      for (const step of steps) {
        if (step === 'wait') await processed(client);
        else client[step]('orders');
      }
      await processed(client);
      await processed(client);
      expect(client.channel('orders')?.subscribed ?? false).toBe(isSubscribed);
      await publish('orders');
      await processed(client);
      expect(received).toHaveLength(isSubscribed ? 1 : 0);
      expect(server.channels.counts().channels).toBe(isSubscribed ? 1 : 0);
    },
  );

  test('protocol 15: subscribes once when a pending subscription is cancelled and requested again', async () => {
    const client = await connected({ user: '7' });
    const channel = client.subscribe('private-orders');
    client.unsubscribe('private-orders');
    expect(channel.subscriptionCancelled).toBe(true);
    client.subscribe('private-orders');
    expect(channel.subscriptionCancelled).toBe(false);
    let succeeded = 0;
    channel.bind('pusher:subscription_succeeded', () => succeeded++);
    await expect.poll(() => channel.subscribed).toBe(true);
    await processed(client);
    expect(succeeded).toBe(1);
  });

  test('protocol 16: delivers events of many channels to one socket and of one channel to many sockets', async () => {
    const client = await connected();
    const names = Array.from({ length: 90 }, (_, number) => `orders-${number}`);
    const received: string[] = [];
    for (const name of names) client.subscribe(name).bind('Changed', () => received.push(name));
    await processed(client);
    for (let start = 0; start < names.length; start += 10) {
      await server.publisher.trigger(names.slice(start, start + 10), 'Changed', {});
    }
    await expect.poll(() => received).toEqual(names);

    const others = await Promise.all(Array.from({ length: 40 }, () => openRawClient(server)));
    for (const other of others) other.subscribe('orders');
    await Promise.all(others.map((other) => other.next('pusher_internal:subscription_succeeded')));
    await publish('orders');
    await Promise.all(others.map((other) => other.next('Changed')));
  });

  test('protocol 40: delivers 1,000 events in order to two clients', async () => {
    const first = await openRawClient(server);
    const second = await openRawClient(server);
    for (const client of [first, second]) {
      client.subscribe('orders');
      client.subscribe('private-others');
      await client.next('pusher_internal:subscription_succeeded', 'private-others');
      client.inbox.length = 0;
    }
    for (let number = 0; number < 1_000; number++) {
      const channel = number % 3 === 0 ? 'private-others' : 'orders';
      server.channels.publish({ channel, event: 'Changed', data: String(number), except: null });
    }
    await first.processed();
    await second.processed();
    const expected = Array.from({ length: 1_000 }, (_, number) => number);
    for (const { inbox } of [first, second]) expect(inbox.map(({ data }) => data)).toEqual(expected);
  });
});

describe('private channel', () => {
  test('protocol 18: accepts a subscription that the auth endpoint allows', async () => {
    const client = await connected({ user: '7' });
    const channel = client.subscribe('private-case.9');
    const received = recordEvents(channel);
    await waitForEvent(channel, 'pusher:subscription_succeeded');
    await publish('private-case.9');
    await expect.poll(() => received).toEqual([['Changed', {}]]);
  });

  const goodAuth = 'de1ea39254200260290c6c11d55a65ed1a920198e4fcd76856bc3c03ccdf6816';
  test.each<[string, unknown]>([
    ['none', ''],
    ['one of another key', `other:${goodAuth}`],
    ['one of another socket, channel and secret', `key:${goodAuth}`],
    ['a short one', `key:${goodAuth.slice(0, 20)}`],
    ['one in capitals', `key:${goodAuth.toUpperCase()}`],
  ])(
    'protocol 19: rejects a private channel with an invalid signature (%s) and keeps the connection',
    async (_, auth) => {
      const client = await openRawClient(server);
      client.subscribe('private-case.9', undefined, auth as string);
      const rejected = await client.next('pusher:subscription_error', 'private-case.9');
      expect(rejected.data).toMatchObject({ type: 'AuthError', status: 401 });
      await client.processed();
      await publish('private-case.9');
      await client.processed();
      expect(client.inbox).toEqual([]);
    },
  );

  test('protocol 19: rejects the signature of another socket or another channel', async () => {
    const owner = await openRawClient(server);
    const thief = await openRawClient(server);
    owner.subscribe('private-case.9');
    await owner.next('pusher_internal:subscription_succeeded');
    const { signChannel } = await import('@keyturn/pusher-protocol');
    thief.subscribe(
      'private-case.9',
      undefined,
      signChannel(server.app, owner.socketId, 'private-case.9').auth,
    );
    await thief.next('pusher:subscription_error');
    thief.subscribe(
      'private-case.9',
      undefined,
      signChannel(server.app, thief.socketId, 'private-case.8').auth,
    );
    await thief.next('pusher:subscription_error');
    thief.send({ event: 'pusher:subscribe', data: { channel: 'private-case.9', auth: 7 } });
    await thief.next('pusher:error');
  });

  test.each([
    ['401', { status: 401, body: '{}' }],
    ['403', { status: 403, body: '{}' }],
    ['419', { status: 419, body: '{}' }],
    ['429', { status: 429, body: '{}' }],
    ['500', { status: 500, body: '{}' }],
    ['201', { status: 201, body: '{"auth":"key:x"}' }],
    ['an HTML page', { status: 200, body: '<!doctype html>' }],
  ])(
    'protocol 20: pusher-js reports a subscription error when the auth endpoint responds with %s, and stays connected',
    async (_, response) => {
      server.authOverride = response;
      const client = await connected({ user: '7' });
      const channel = client.subscribe('private-case.9');
      const error = await waitForEvent(channel, 'pusher:subscription_error');
      expect(error).toMatchObject({
        type: 'AuthError',
        ...(response.status === 200 ? {} : { status: response.status }),
      });
      expect(channel).toMatchObject({ subscribed: false, subscriptionPending: false });
      expect(client.connection.state).toBe('connected');
      // Protocol 21: nothing was sent to the server yet, so a second subscribe is enough.
      server.authOverride = undefined;
      client.subscribe('private-case.9');
      await waitForEvent(channel, 'pusher:subscription_succeeded');
    },
  );

  test('protocol 20: pusher-js authorises again after a reconnection, despite a slow earlier response', async () => {
    server.authOverride = { status: 200, body: '{"auth":"key:of-an-earlier-connection"}', after: 300 };
    const client = await connected({ user: '7' });
    const channel = client.subscribe('private-case.9');
    await processed(client);
    server.authOverride = undefined;
    client.disconnect();
    client.connect();
    await waitForEvent(channel, 'pusher:subscription_succeeded');
    expect(channel.subscribed).toBe(true);
  });

  test('protocol 21: accepts a rejected private channel after a reconnection', async () => {
    const client = await connected({ user: '7' });
    server.authOverride = { status: 200, body: JSON.stringify({ auth: `key:${goodAuth}` }) };
    const channel = client.subscribe('private-case.9');
    const error = await waitForEvent(channel, 'pusher:subscription_error');
    expect(error).toMatchObject({ type: 'AuthError', status: 401 });
    expect(client.connection.state).toBe('connected');
    server.authOverride = undefined;
    client.disconnect();
    client.unsubscribe('private-case.9');
    const again = client.subscribe('private-case.9');
    client.connect();
    await expect.poll(() => again.subscribed).toBe(true);
  });
});

describe('client events', () => {
  test('protocol 31: the WebSocket server rejects client events unless they are enabled', async () => {
    const strict = await startTestChannelServer();
    const client = await openRawClient(strict);
    client.subscribe('private-room');
    await client.next('pusher_internal:subscription_succeeded');
    client.send({ event: 'client-typing', channel: 'private-room', data: {} });
    expect(await client.next('pusher:error')).toMatchObject({ data: { code: 4301 } });
    await client.processed();
    await strict.stop();
  });

  test('protocol 31: relays client events only to other members, with the sender’s real user id', async () => {
    const sender = openPusherClient(server, { user: 'sender' });
    const channel = sender.subscribe('presence-room');
    await waitForEvent(channel, 'pusher:subscription_succeeded');
    const [member, outsider] = [await openRawClient(server), await openRawClient(server)];
    member.subscribe('presence-room', { user_id: 'member' });
    await member.next('pusher_internal:subscription_succeeded');
    const own = recordEvents(channel);
    sender.send_event('client-typing', { user_id: 'forged', text: 'x' }, 'presence-room');
    expect(await member.next('client-typing')).toEqual({
      event: 'client-typing',
      channel: 'presence-room',
      data: { user_id: 'forged', text: 'x' },
      user_id: 'sender',
    });
    outsider.send({ event: 'client-typing', channel: 'presence-room', data: {} });
    expect(await outsider.next('pusher:error')).toMatchObject({ data: { code: 4009 } });
    outsider.subscribe('orders');
    outsider.send({ event: 'client-typing', channel: 'orders', data: {} });
    expect(await outsider.next('pusher:error')).toMatchObject({ data: { code: 4301 } });
    await processed(sender);
    expect(own.filter((entry) => JSON.stringify(entry).includes('typing'))).toEqual([]);
    await member.processed();
    expect(member.inbox).toEqual([]);
  });

  test('protocol 31: drops client events above the rate limit and then closes the connection', async () => {
    const strict = await startTestChannelServer({
      clientEvents: 'members',
      limits: { framesPerWindow: 5, violations: 3 },
    });
    const [sender, member] = [await openRawClient(strict), await openRawClient(strict)];
    for (const client of [sender, member]) {
      client.subscribe('private-room');
      await client.next('pusher_internal:subscription_succeeded');
    }
    for (let number = 0; number < 10; number++) {
      sender.send({ event: 'client-typing', channel: 'private-room', data: { number } });
    }
    expect(await sender.closed).toBe(4301);
    await member.processed();
    expect(member.inbox).toHaveLength(4);
    await strict.stop();
  });
});

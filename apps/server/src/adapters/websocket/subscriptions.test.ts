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

const tell = (channel: string, event = 'Changed', data: object = {}) =>
  server.publisher.trigger(channel, event, data);

/** What this channel hears from now on, the channel's own events aside. */
function heardOn(channel: Channel): unknown[] {
  const heard: unknown[] = [];
  channel.bind_global((event: string, data: unknown) => {
    if (!event.startsWith('pusher:')) heard.push([event, data]);
  });
  return heard;
}

/** Resolves when the server has dealt with all that this client sent before. */
async function settled(client: Pusher): Promise<void> {
  const pong = new Promise<void>((resolve) => {
    const look = ({ event }: { event: string }) => {
      if (event !== 'pusher:pong') return;
      client.connection.unbind('message', look);
      resolve();
    };
    client.connection.bind('message', look);
  });
  client.connection.send_event('pusher:ping', {});
  await pong;
}

async function connected(options?: Parameters<typeof openPusherClient>[1]): Promise<Pusher> {
  const client = openPusherClient(server, options);
  await waitForEvent(client.connection, 'connected');
  return client;
}

describe('a public channel', () => {
  test('protocol 11: brings pusher-js what the pusher library publishes', async () => {
    const client = await connected();
    const channel = client.subscribe('orders');
    const heard = heardOn(channel);
    await waitForEvent(channel, 'pusher:subscription_succeeded');
    await tell('orders', 'Changed', { ids: ['£', 'é'] });
    await expect.poll(() => heard).toEqual([['Changed', { ids: ['£', 'é'] }]]);
  });

  test('protocol 12: brings nothing after the last unsubscribe', async () => {
    const client = await connected();
    const channel = client.subscribe('orders');
    const heard = heardOn(channel);
    await waitForEvent(channel, 'pusher:subscription_succeeded');
    client.unsubscribe('orders');
    await settled(client);
    await tell('orders');
    await settled(client);
    expect(heard).toEqual([]);
    expect(server.channels.counts().channels).toBe(0);
  });

  test('protocol 13: may be left three times', async () => {
    const client = await connected();
    await waitForEvent(client.subscribe('orders'), 'pusher:subscription_succeeded');
    for (let time = 0; time < 3; time++) {
      client.send_event('pusher:unsubscribe', { channel: 'orders' });
      client.unsubscribe('orders');
    }
    await settled(client);
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
  ])('protocol 14: after %j pusher-js and the server agree on who hears: %s', async (steps, hears) => {
    const client = await connected();
    const heard: unknown[] = [];
    client.bind('Changed', (data: unknown) => heard.push(data));
    for (const step of steps) {
      if (step === 'wait') await settled(client);
      else client[step]('orders');
    }
    await settled(client);
    await settled(client);
    expect(client.channel('orders')?.subscribed ?? false).toBe(hears);
    await tell('orders');
    await settled(client);
    expect(heard).toHaveLength(hears ? 1 : 0);
    expect(server.channels.counts().channels).toBe(hears ? 1 : 0);
  });

  test('protocol 15: that is given up and wanted again before it is there is subscribed once', async () => {
    const client = await connected({ user: '7' });
    const channel = client.subscribe('private-orders');
    client.unsubscribe('private-orders');
    expect(channel.subscriptionCancelled).toBe(true);
    client.subscribe('private-orders');
    expect(channel.subscriptionCancelled).toBe(false);
    let succeeded = 0;
    channel.bind('pusher:subscription_succeeded', () => succeeded++);
    await expect.poll(() => channel.subscribed).toBe(true);
    await settled(client);
    expect(succeeded).toBe(1);
  });

  test('protocol 16: many on one socket, and many sockets on one', async () => {
    const client = await connected();
    const names = Array.from({ length: 90 }, (_, number) => `orders-${number}`);
    const heard: string[] = [];
    for (const name of names) client.subscribe(name).bind('Changed', () => heard.push(name));
    await settled(client);
    for (let from = 0; from < names.length; from += 10) {
      await server.publisher.trigger(names.slice(from, from + 10), 'Changed', {});
    }
    await expect.poll(() => heard).toEqual(names);

    const others = await Promise.all(Array.from({ length: 40 }, () => openRawClient(server)));
    for (const other of others) other.subscribe('orders');
    await Promise.all(others.map((other) => other.next('pusher_internal:subscription_succeeded')));
    await tell('orders');
    await Promise.all(others.map((other) => other.next('Changed')));
  });

  test('protocol 40: keeps the order of a thousand events, for two who are both there all the time', async () => {
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

describe('a private channel', () => {
  test('protocol 18: opens for whom the auth endpoint allows it', async () => {
    const client = await connected({ user: '7' });
    const channel = client.subscribe('private-case.9');
    const heard = heardOn(channel);
    await waitForEvent(channel, 'pusher:subscription_succeeded');
    await tell('private-case.9');
    await expect.poll(() => heard).toEqual([['Changed', {}]]);
  });

  const goodAuth = 'de1ea39254200260290c6c11d55a65ed1a920198e4fcd76856bc3c03ccdf6816';
  test.each<[string, unknown]>([
    ['none', ''],
    ['one of another key', `other:${goodAuth}`],
    ['one of another socket, channel and secret', `key:${goodAuth}`],
    ['a short one', `key:${goodAuth.slice(0, 20)}`],
    ['one in capitals', `key:${goodAuth.toUpperCase()}`],
  ])('protocol 19: stays closed with %s for a signature; only that channel hears of it', async (_, auth) => {
    const client = await openRawClient(server);
    client.subscribe('private-case.9', undefined, auth as string);
    const refused = await client.next('pusher:subscription_error', 'private-case.9');
    expect(refused.data).toMatchObject({ type: 'AuthError', status: 401 });
    await client.processed();
    await tell('private-case.9');
    await client.processed();
    expect(client.inbox).toEqual([]);
  });

  test('protocol 19: stays closed with the signature of another socket, and of another channel', async () => {
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
    ['a page', { status: 200, body: '<!doctype html>' }],
  ])(
    'protocol 20: pusher-js tells the channel when the endpoint answers %s, and stays connected',
    async (_, faulty) => {
      server.authOverride = faulty;
      const client = await connected({ user: '7' });
      const channel = client.subscribe('private-case.9');
      const error = await waitForEvent(channel, 'pusher:subscription_error');
      expect(error).toMatchObject({
        type: 'AuthError',
        ...(faulty.status === 200 ? {} : { status: faulty.status }),
      });
      expect(channel).toMatchObject({ subscribed: false, subscriptionPending: false });
      expect(client.connection.state).toBe('connected');
      // Protocol 21: where nothing was sent yet, asking once more is enough.
      server.authOverride = undefined;
      client.subscribe('private-case.9');
      await waitForEvent(channel, 'pusher:subscription_succeeded');
    },
  );

  test('protocol 20: a slow answer comes too late for a connection that was lost, and the next one asks anew', async () => {
    server.authOverride = { status: 200, body: '{"auth":"key:of-another-time"}', after: 300 };
    const client = await connected({ user: '7' });
    const channel = client.subscribe('private-case.9');
    await settled(client);
    server.authOverride = undefined;
    client.disconnect();
    client.connect();
    await waitForEvent(channel, 'pusher:subscription_succeeded');
    expect(channel.subscribed).toBe(true);
  });

  test('protocol 21: that the server refused opens after a reconnection', async () => {
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
  test('protocol 31: are refused as long as nobody turns them on', async () => {
    const strict = await startTestChannelServer();
    const client = await openRawClient(strict);
    client.subscribe('private-room');
    await client.next('pusher_internal:subscription_succeeded');
    client.send({ event: 'client-typing', channel: 'private-room', data: {} });
    expect(await client.next('pusher:error')).toMatchObject({ data: { code: 4301 } });
    await client.processed();
    await strict.stop();
  });

  test('protocol 31: reach the other members alone, with who sent them as the subscription says', async () => {
    const sender = openPusherClient(server, { user: 'sender' });
    const channel = sender.subscribe('presence-room');
    await waitForEvent(channel, 'pusher:subscription_succeeded');
    const [member, outsider] = [await openRawClient(server), await openRawClient(server)];
    member.subscribe('presence-room', { user_id: 'member' });
    await member.next('pusher_internal:subscription_succeeded');
    const own = heardOn(channel);
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
    await settled(sender);
    expect(own.filter((entry) => JSON.stringify(entry).includes('typing'))).toEqual([]);
    await member.processed();
    expect(member.inbox).toEqual([]);
  });

  test('protocol 31: beyond the rate are not passed on, and five more close', async () => {
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

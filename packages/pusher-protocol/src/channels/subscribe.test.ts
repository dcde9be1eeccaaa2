import { describe, expect, test } from 'vitest';
import { signChannel } from '../auth/signatures.ts';
import { createFakeSockets, subscribeFrame, testApp } from '../testing/fake-sockets.ts';
import { publish } from './publish.ts';

const event = { event: 'PaymentUpdated', data: '{"id":"1"}' };

describe('a public channel', () => {
  test('protocol 11: is heard by who subscribed, with frames as Pusher sends them', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.subscribe(a, 'orders');
    expect(server.takeRawFrames(a)).toEqual([
      '{"event":"pusher_internal:subscription_succeeded","data":"{}","channel":"orders"}',
    ]);
    server.applyEffects(publish(server.registry, { ...event, channels: ['orders', 'others'] }));
    expect(server.takeRawFrames(a)).toEqual([
      '{"event":"PaymentUpdated","data":"{\\"id\\":\\"1\\"}","channel":"orders"}',
    ]);
  });

  test('protocol 11: may be asked for with the data as JSON text', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.send(a, { event: 'pusher:subscribe', data: '{"channel":"orders"}' });
    expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher_internal:subscription_succeeded' }]);
  });

  test('protocol 12: is silent after the last unsubscribe', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.subscribe(a, 'orders');
    server.send(a, { event: 'pusher:unsubscribe', data: { channel: 'orders' } });
    server.takeFrames(a);
    server.applyEffects(publish(server.registry, { ...event, channels: ['orders'] }));
    expect(server.takeFrames(a)).toEqual([]);
    expect(server.registry.channels.size).toBe(0);
  });

  test('protocol 13: to unsubscribe three times is as good as once, and of what was never heard too', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.subscribe(a, 'orders');
    server.takeFrames(a);
    for (const channel of ['orders', 'orders', 'orders', 'never', '__proto__', '']) {
      server.send(a, { event: 'pusher:unsubscribe', data: { channel } });
    }
    expect(server.takeFrames(a)).toEqual([]);
    expect(server.registry.channels.size).toBe(0);
  });

  test.each([
    ['ss', 2, true],
    ['su', 1, false],
    ['sus', 2, true],
    ['suus', 2, true],
    ['usu', 1, false],
    ['sssu', 3, false],
  ])('protocol 14: after %s there were %i confirmations and it is heard: %s', (steps, confirmed, heard) => {
    const server = createFakeSockets();
    const a = server.connect();
    for (const step of steps) {
      if (step === 's') server.subscribe(a, 'orders');
      else server.send(a, { event: 'pusher:unsubscribe', data: { channel: 'orders' } });
    }
    expect(server.takeFrames(a)).toHaveLength(confirmed);
    server.applyEffects(publish(server.registry, { ...event, channels: ['orders'] }));
    expect(server.takeFrames(a)).toHaveLength(heard ? 1 : 0);
  });

  test('protocol 16: a socket listens to many channels, a channel has many sockets, and one frame is made for all', () => {
    const server = createFakeSockets({ limits: { framesPerWindow: 1000 } });
    const sockets = Array.from({ length: 1000 }, () => server.connect());
    for (const socket of sockets) server.subscribe(socket, 'all');
    const [first = ''] = sockets;
    for (let number = 1; number < 100; number++) server.subscribe(first, `own-${number}`);
    expect(server.registry.connections.get(first)?.channels.size).toBe(100);
    const effects = publish(server.registry, { ...event, channels: ['all', 'own-7'] });
    expect(effects.map((effect) => (effect.kind === 'send' ? effect.to.length : effect.kind))).toEqual([
      1000,
      1,
      'notify-servers',
    ]);
  });

  test('protocol 16: one channel more than allowed is refused, and one given up makes room', () => {
    const server = createFakeSockets({ limits: { channelsPerConnection: 2 } });
    const a = server.connect();
    for (const name of ['one', 'two', 'three']) server.subscribe(a, name);
    expect(server.takeFrames(a)[2]).toEqual({
      event: 'pusher:subscription_error',
      channel: 'three',
      data: expect.objectContaining({ type: 'LimitReached', status: 429 }),
    });
    server.send(a, { event: 'pusher:unsubscribe', data: { channel: 'one' } });
    server.subscribe(a, 'three');
    expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher_internal:subscription_succeeded' }]);
  });

  test('protocol 40: events come in the order in which they were published', () => {
    const server = createFakeSockets();
    const [a, b] = [server.connect(), server.connect()];
    for (const socket of [a, b]) server.subscribe(socket, 'orders');
    for (const socket of [a, b]) server.takeFrames(socket);
    for (let number = 0; number < 500; number++) {
      server.applyEffects(
        publish(server.registry, { channels: ['orders'], event: 'counted', data: String(number) }),
      );
    }
    for (const socket of [a, b]) {
      expect(server.takeFrames(socket).map((frame) => frame.data)).toEqual(
        Array.from({ length: 500 }, (_, n) => n),
      );
    }
  });
});

test.each([
  ['', 'Not a name'],
  ['a'.repeat(165), 'Not a name'],
  ['with space', 'Not a name'],
  ['ünlaut', 'Not a name'],
  ['a:b', 'Not a name'],
  ['#other', 'Not a name'],
  ['#server-to-user-', 'Not a name'],
  ['cache-a', 'not supported'],
  ['private-cache-a', 'not supported'],
  ['presence-cache-a', 'not supported'],
  ['private-encrypted-a', 'not supported'],
  ['private-encrypted-cache-a', 'not supported'],
])('the channel %j is refused', (channel, words) => {
  const server = createFakeSockets();
  const a = server.connect();
  server.send(a, { event: 'pusher:subscribe', data: { auth: '', channel } });
  expect(server.takeFrames(a)).toEqual([
    {
      event: 'pusher:subscription_error',
      channel,
      data: { type: 'InvalidChannel', error: expect.stringContaining(words), status: 400 },
    },
  ]);
  expect(server.registry.channels.size).toBe(0);
});

test('names that only begin like a kind are of no kind', () => {
  const server = createFakeSockets();
  const a = server.connect();
  for (const channel of ['private', 'presence', 'privateer', 'cached', '__proto__', 'constructor']) {
    server.subscribe(a, channel);
  }
  expect(server.takeFrames(a).map((frame) => frame.event)).toEqual(
    Array(6).fill('pusher_internal:subscription_succeeded'),
  );
});

describe('a private channel', () => {
  test('protocol 18: opens with the signature of the app', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.subscribe(a, 'private-case.9');
    expect(server.takeFrames(a)).toEqual([
      { event: 'pusher_internal:subscription_succeeded', channel: 'private-case.9', data: {} },
    ]);
  });

  test.each([
    ['no auth', undefined],
    ['an empty auth', ''],
    ['the auth of another socket', signChannel(testApp, '9.9', 'private-case.9').auth],
    ['the auth of another channel', signChannel(testApp, '1.1', 'private-case.8').auth],
    ['the auth of another secret', signChannel({ ...testApp, secret: 'x' }, '1.1', 'private-case.9').auth],
    ['the auth of another key', signChannel({ ...testApp, key: 'x' }, '1.1', 'private-case.9').auth],
  ])('protocol 19: stays closed with %s, and the socket stays open', (_, auth) => {
    const server = createFakeSockets();
    const a = server.connect('1.1');
    server.send(a, { event: 'pusher:subscribe', data: { auth, channel: 'private-case.9' } });
    expect(server.takeFrames(a)).toEqual([
      {
        event: 'pusher:subscription_error',
        channel: 'private-case.9',
        data: { type: 'AuthError', error: expect.any(String), status: 401 },
      },
    ]);
    expect(server.registry.channels.size).toBe(0);
    expect(server.closed.size).toBe(0);
  });

  test.each([[7], [true], [{}], [[]]])('protocol 19: an auth of %j is a malformed frame', (auth) => {
    const server = createFakeSockets();
    const a = server.connect();
    server.send(a, { event: 'pusher:subscribe', data: { auth, channel: 'private-case.9' } });
    expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher:error', data: { code: 4300 } }]);
  });

  test('protocol 21: opens after a refusal when it is asked for rightly', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.send(a, { event: 'pusher:subscribe', data: { auth: 'key:bad', channel: 'private-case.9' } });
    server.subscribe(a, 'private-case.9');
    expect(server.takeFrames(a).map((frame) => frame.event)).toEqual([
      'pusher:subscription_error',
      'pusher_internal:subscription_succeeded',
    ]);
  });
});

describe('a presence channel', () => {
  const room = 'presence-case.9';
  const anna = { user_id: '7', user_info: { name: 'Anna' } };
  const ben = { user_id: '8', user_info: { name: 'Ben' } };

  test('protocol 22: wants the very bytes that were signed', () => {
    const server = createFakeSockets();
    const a = server.connect();
    const signed = signChannel(testApp, a, room, JSON.stringify(anna));
    const changed = [
      JSON.stringify({ ...anna, user_id: '1' }),
      JSON.stringify({ user_info: anna.user_info, user_id: anna.user_id }),
      `${JSON.stringify(anna)} `,
      undefined,
    ];
    for (const channel_data of changed) {
      server.send(a, { event: 'pusher:subscribe', data: { ...signed, channel_data, channel: room } });
      expect(server.takeFrames(a)).toMatchObject([
        { event: 'pusher:subscription_error', data: { status: 401 } },
      ]);
    }
  });

  test.each([
    'not json',
    '[]',
    'null',
    '"7"',
    '{}',
    '{"user_id":""}',
    '{"user_id":null}',
    '{"user_id":1.5}',
    '{"user_id":{}}',
    '{"__proto__":{"user_id":"7"}}',
    '{"user_id":"\\ud800"}',
    '',
  ])('protocol 22: refuses well signed data that names nobody: %s', (channelData) => {
    const server = createFakeSockets();
    const a = server.connect();
    server.subscribe(a, room, channelData);
    expect(server.takeFrames(a)).toMatchObject([
      { event: 'pusher:subscription_error', data: { status: 400 } },
    ]);
    expect(server.registry.channels.size).toBe(0);
  });

  test('protocol 22: needs data, unless the user is signed in', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.subscribe(a, room);
    server.signIn(a, '7');
    server.subscribe(a, room);
    expect(server.takeFrames(a)).toMatchObject([
      { event: 'pusher:subscription_error', data: { status: 400 } },
      { event: 'pusher:signin_success' },
      { data: { presence: { count: 1, ids: ['7'], hash: { 7: null } } } },
    ]);
  });

  test('protocol 23: tells who is there, who comes and who goes', () => {
    const server = createFakeSockets();
    const [a, b] = [server.connect(), server.connect()];
    server.subscribe(a, room, anna);
    expect(server.takeRawFrames(a)).toEqual([
      '{"event":"pusher_internal:subscription_succeeded","data":"{\\"presence\\":{\\"count\\":1,\\"ids\\":[\\"7\\"],\\"hash\\":{\\"7\\":{\\"name\\":\\"Anna\\"}}}}","channel":"presence-case.9"}',
    ]);
    server.subscribe(b, room, ben);
    expect(server.takeFrames(b)).toEqual([
      {
        event: 'pusher_internal:subscription_succeeded',
        channel: room,
        data: {
          presence: { count: 2, ids: ['7', '8'], hash: { 7: { name: 'Anna' }, 8: { name: 'Ben' } } },
        },
      },
    ]);
    server.send(b, { event: 'pusher:unsubscribe', data: { channel: room } });
    expect(server.takeFrames(a)).toEqual([
      {
        event: 'pusher_internal:member_added',
        channel: room,
        data: { user_id: '8', user_info: { name: 'Ben' } },
      },
      { event: 'pusher_internal:member_removed', channel: room, data: { user_id: '8' } },
    ]);
    expect(server.takeFrames(b)).toEqual([]);
  });

  test('protocol 24: a user with two tabs comes once and goes once', () => {
    const server = createFakeSockets();
    const [a, b1, b2] = [server.connect(), server.connect(), server.connect()];
    server.subscribe(a, room, anna);
    server.subscribe(b1, room, ben);
    server.subscribe(b2, room, ben);
    server.subscribe(b2, room, ben);
    expect(server.takeFrames(b2)[0]?.data).toMatchObject({ presence: { count: 2, ids: ['7', '8'] } });
    server.disconnect(b1);
    expect(server.takeFrames(a).map((frame) => frame.event)).toEqual([
      'pusher_internal:subscription_succeeded',
      'pusher_internal:member_added',
    ]);
    server.disconnect(b2);
    expect(server.takeFrames(a).map((frame) => frame.event)).toEqual(['pusher_internal:member_removed']);
    expect(server.serverMessages.map((message) => message.kind)).toEqual([
      'member-joined',
      'member-joined',
      'member-left',
    ]);
  });

  test('protocol 25: 7 and "7" are one user; any text is an id like any other', () => {
    const server = createFakeSockets();
    const sockets = [
      { user_id: 7 },
      { user_id: '7' },
      { user_id: '__proto__', user_info: { admin: true } },
      { user_id: 'constructor' },
      { user_id: 'hasOwnProperty' },
      { user_id: '"},"x":{"' },
    ].map((data) => {
      const socket = server.connect();
      server.subscribe(socket, room, data);
      return socket;
    });
    const [frame] = server.takeRawFrames(sockets.at(-1) ?? '').slice(-1);
    const { presence } = JSON.parse(JSON.parse(frame ?? '').data as string) as {
      presence: { count: number; ids: string[]; hash: object };
    };
    const ids = ['7', '__proto__', 'constructor', 'hasOwnProperty', '"},"x":{"'];
    expect(presence.ids).toEqual(ids);
    expect(presence.count).toBe(5);
    expect(Object.keys(presence.hash).sort()).toEqual([...ids].sort());
    expect(Object.getOwnPropertyDescriptor(presence.hash, '__proto__')?.value).toEqual({ admin: true });
    for (const socket of sockets) server.disconnect(socket);
    expect(server.registry.channels.size).toBe(0);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test('protocol 26: has a hundred members, each with as many tabs as they like', () => {
    const server = createFakeSockets();
    for (let number = 1; number <= 100; number++) {
      server.subscribe(server.connect(), room, { user_id: String(number) });
    }
    const [again, late] = [server.connect(), server.connect()];
    server.subscribe(again, room, { user_id: '50' });
    server.subscribe(late, room, { user_id: '101' });
    expect(server.takeFrames(again)).toMatchObject([{ data: { presence: { count: 100 } } }]);
    expect(server.takeFrames(late)).toMatchObject([
      { event: 'pusher:subscription_error', data: { type: 'LimitReached', status: 403 } },
    ]);
  });

  test('protocol 26: takes 1 KB of data and an id of 128 characters, and not one more', () => {
    const server = createFakeSockets();
    const dataOf = (bytes: number) => {
      const empty = JSON.stringify({ user_id: '7', user_info: '' });
      const left = bytes - empty.length;
      return JSON.stringify({ user_id: '7', user_info: 'é'.repeat(left >> 1) + 'a'.repeat(left & 1) });
    };
    const bounds: [object | string, boolean][] = [
      [dataOf(1024), true],
      [dataOf(1025), false],
      [{ user_id: 'a'.repeat(128) }, true],
      [{ user_id: 'a'.repeat(129) }, false],
    ];
    for (const [data, fits] of bounds) {
      const socket = server.connect();
      server.subscribe(socket, room, data);
      expect(server.takeFrames(socket)[0]?.event).toBe(
        fits ? 'pusher_internal:subscription_succeeded' : 'pusher:subscription_error',
      );
    }
  });

  test('protocol 27: forgets a socket that was killed, and tells the others', () => {
    const server = createFakeSockets();
    const [a, b] = [server.connect(), server.connect()];
    server.subscribe(a, room, anna);
    server.subscribe(b, room, ben);
    server.takeFrames(a);
    server.disconnect(b);
    server.disconnect(b);
    expect(server.takeFrames(a)).toEqual([
      { event: 'pusher_internal:member_removed', channel: room, data: { user_id: '8' } },
    ]);
  });

  test('cannot be entered as somebody else by asking twice', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.subscribe(a, room, anna);
    server.send(a, subscribeFrame(a, room, ben));
    expect(server.takeFrames(a)[1]?.data).toMatchObject({ presence: { ids: ['7'] } });
  });
});

import { describe, expect, test } from 'vitest';
import { signChannel } from '../auth/signatures.ts';
import { createFakeSockets, subscribeFrame, takeServerMessages, testApp } from '../testing/fake-sockets.ts';
import { publish } from './publish.ts';

const event = { event: 'PaymentUpdated', data: '{"id":"1"}' };

describe('public channel', () => {
  test('protocol 11: sends an event to the subscribers of a public channel, in Pusher’s format', () => {
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

  test('protocol 11: accepts a subscription whose data is JSON text', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.send(a, { event: 'pusher:subscribe', data: '{"channel":"orders"}' });
    expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher_internal:subscription_succeeded' }]);
  });

  test('protocol 12: sends no events after unsubscribe', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.subscribe(a, 'orders');
    server.send(a, { event: 'pusher:unsubscribe', data: { channel: 'orders' } });
    server.takeFrames(a);
    server.applyEffects(publish(server.registry, { ...event, channels: ['orders'] }));
    expect(server.takeFrames(a)).toEqual([]);
    expect(server.registry.channels.size).toBe(0);
  });

  test('protocol 13: ignores repeated unsubscribes and those from unknown channels', () => {
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
  ])(
    'protocol 14: subscribe (s) and unsubscribe (u) in the order %s give %i confirmations; subscribed: %s',
    (steps, confirmed, isSubscribed) => {
      const server = createFakeSockets();
      const a = server.connect();
      for (const step of steps) {
        if (step === 's') server.subscribe(a, 'orders');
        else server.send(a, { event: 'pusher:unsubscribe', data: { channel: 'orders' } });
      }
      expect(server.takeFrames(a)).toHaveLength(confirmed);
      server.applyEffects(publish(server.registry, { ...event, channels: ['orders'] }));
      expect(server.takeFrames(a)).toHaveLength(isSubscribed ? 1 : 0);
    },
  );

  test('protocol 16: serialises one frame for all 1,000 subscribers of a channel', () => {
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

  test('protocol 16: rejects a subscription above the limit, and accepts it after an unsubscribe', () => {
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

  test('protocol 40: delivers events in the order of publication', () => {
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
  ['', 'not valid'],
  ['a'.repeat(201), 'not valid'],
  ['with space', 'not valid'],
  ['ünlaut', 'not valid'],
  ['a:b', 'not valid'],
  ['#other', 'not valid'],
  ['#server-to-user-', 'not valid'],
  ['cache-a', 'not supported'],
  ['private-cache-a', 'not supported'],
  ['presence-cache-a', 'not supported'],
  ['private-encrypted-a', 'not supported'],
  ['private-encrypted-cache-a', 'not supported'],
])('rejects a subscription to the channel %j', (channel, message) => {
  const server = createFakeSockets();
  const a = server.connect();
  server.send(a, { event: 'pusher:subscribe', data: { auth: '', channel } });
  expect(server.takeFrames(a)).toEqual([
    {
      event: 'pusher:subscription_error',
      channel,
      data: { type: 'InvalidChannel', error: expect.stringContaining(message), status: 400 },
    },
  ]);
  expect(server.registry.channels.size).toBe(0);
});

test('treats names without the full prefix as public channels', () => {
  const server = createFakeSockets();
  const a = server.connect();
  for (const channel of ['private', 'presence', 'privateer', 'cached', '__proto__', 'constructor']) {
    server.subscribe(a, channel);
  }
  expect(server.takeFrames(a).map((frame) => frame.event)).toEqual(
    Array(6).fill('pusher_internal:subscription_succeeded'),
  );
});

describe('private channel', () => {
  test('protocol 18: accepts a signed subscription to a private channel', () => {
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
  ])('protocol 19: rejects a private channel with %s and keeps the connection open', (_, auth) => {
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

  test.each([[7], [true], [{}], [[]]])(
    'protocol 19: treats a subscription with the auth %j as a malformed frame',
    (auth) => {
      const server = createFakeSockets();
      const a = server.connect();
      server.send(a, { event: 'pusher:subscribe', data: { auth, channel: 'private-case.9' } });
      expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher:error', data: { code: 4300 } }]);
    },
  );

  test('protocol 21: accepts a valid subscription after a rejected one', () => {
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

describe('presence channel', () => {
  const room = 'presence-case.9';
  const anna = { user_id: '7', user_info: { name: 'Anna' } };
  const ben = { user_id: '8', user_info: { name: 'Ben' } };

  test('protocol 22: rejects channel_data that differs from the signed bytes', () => {
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
  ])('protocol 22: rejects signed channel_data without a user id: %s', (channelData) => {
    const server = createFakeSockets();
    const a = server.connect();
    server.subscribe(a, room, channelData);
    expect(server.takeFrames(a)).toMatchObject([
      { event: 'pusher:subscription_error', data: { status: 400 } },
    ]);
    expect(server.registry.channels.size).toBe(0);
  });

  test('protocol 22: requires channel_data unless the user is signed in', () => {
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

  test('protocol 23: sends the member list, joins and leaves of a presence channel', () => {
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

  test('protocol 24: announces a user with two connections once', () => {
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
    expect(takeServerMessages(server)).toMatchObject([
      { kind: 'members', channel: room, joined: [['7', expect.any(String)]], left: [] },
      { kind: 'sizes', channels: [[room, 1]] },
    ]);
  });

  test('protocol 25: treats user ids 7 and "7" as one and accepts any text, such as __proto__', () => {
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

  test('protocol 26: rejects the 101st member, but not another connection of a member', () => {
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

  test('protocol 26: limits channel_data to 1 KB and a user id to 128 characters', () => {
    const server = createFakeSockets();
    const dataWithBytes = (bytes: number) => {
      const empty = JSON.stringify({ user_id: '7', user_info: '' });
      const left = bytes - empty.length;
      return JSON.stringify({ user_id: '7', user_info: 'é'.repeat(left >> 1) + 'a'.repeat(left & 1) });
    };
    const bounds: [object | string, boolean][] = [
      [dataWithBytes(1024), true],
      [dataWithBytes(1025), false],
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

  test('protocol 27: removes a member who disconnects and notifies the others', () => {
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

  test('keeps the first user of a repeated subscription to a presence channel', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.subscribe(a, room, anna);
    server.send(a, subscribeFrame(a, room, ben));
    expect(server.takeFrames(a)[1]?.data).toMatchObject({ presence: { ids: ['7'] } });
  });
});

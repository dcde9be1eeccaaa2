import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openConnection } from '../connection/open-and-close.ts';
import { createChannelRegistry } from '../registry.ts';
import { createFakeSockets, testApp } from '../testing/fake-sockets.ts';
import { receiveControlFrame, receiveMessage } from './receive.ts';

describe('malformed frames', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  test.each([
    ['an empty frame', ''],
    ['invalid JSON', '{'],
    ['a number', '7'],
    ['null', 'null'],
    ['an array', '["pusher:ping"]'],
    ['a missing event', '{}'],
    ['an event that is not a string', '{"event":7}'],
    ['an inherited event', '{"__proto__":{"event":"pusher:ping"}}'],
    ['an empty event', '{"event":""}'],
    ['empty data', '{"event":"pusher:subscribe","data":""}'],
    ['missing data', '{"event":"pusher:subscribe"}'],
    ['data that is an array', '{"event":"pusher:subscribe","data":["orders"]}'],
    ['data that is the JSON text of an array', '{"event":"pusher:subscribe","data":"[]"}'],
    ['a channel that is not a string', '{"event":"pusher:subscribe","data":{"channel":{}}}'],
    ['a channel with a lone surrogate', '{"event":"pusher:subscribe","data":{"channel":"\\ud800"}}'],
    ['deep nesting', `{"event":"pusher:subscribe","data":${nested(4000)}}`],
    ['deep nesting within a string', `{"event":"pusher:subscribe","data":"${nested(4000)}"}`],
    ['brackets that never close', '['.repeat(10_000)],
  ])('protocol 39: answers %s with error 4300 and keeps the connection open', (_, frame) => {
    const server = createFakeSockets();
    const a = server.connect();
    server.send(a, frame);
    expect(server.takeFrames(a)).toEqual([
      { event: 'pusher:error', data: { code: 4300, message: expect.any(String) } },
    ]);
    expect(server.closed.size).toBe(0);
  });

  test('protocol 39: closes with 4300 after five malformed frames', () => {
    const server = createFakeSockets();
    const a = server.connect();
    for (let count = 0; count < 10; count++) server.send(a, '{');
    expect(server.takeFrames(a)).toHaveLength(5);
    expect([...server.closed]).toEqual([[a, 4300]]);
  });

  test('protocol 39: closes with 1003 after a binary message', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.send(a, new TextEncoder().encode('{"event":"pusher:ping"}'));
    expect([...server.closed]).toEqual([[a, 1003]]);
  });

  test('protocol 39: accepts frames of 10 KB and closes with 1009 above that', () => {
    const server = createFakeSockets();
    const [a, b] = [server.connect(), server.connect()];
    const frame = (bytes: number) => {
      const empty = '{"event":"pusher:ping","data":""}';
      const left = bytes - empty.length;
      return empty.replace('""', `"${'é'.repeat(left >> 1)}${'a'.repeat(left & 1)}"`);
    };
    server.send(a, frame(10_240));
    expect(server.takeFrames(a)).toEqual([{ event: 'pusher:pong', data: {} }]);
    server.send(b, frame(10_241));
    server.send(a, 'a'.repeat(10_000_000));
    expect([...server.closed]).toEqual([
      [b, 1009],
      [a, 1009],
    ]);
  });
});

test.each([
  'pusher_internal:member_added',
  'pusher_internal:subscription_succeeded',
  'pusher:connection_established',
  'pusher:error',
  'pusher:signin_success',
  'PaymentUpdated',
  'client',
  'constructor',
  '__proto__',
  'toString',
])('protocol 32: ignores the event %s from a client', (event) => {
  const server = createFakeSockets({ clientEvents: 'members' });
  const [a, b] = [server.connect(), server.connect()];
  for (const socket of [a, b]) server.subscribe(socket, 'private-case.9');
  for (const socket of [a, b]) server.takeFrames(socket);
  expect(server.send(a, { event, channel: 'private-case.9', data: {} })).toEqual([]);
});

describe('client events', () => {
  const clientEvent = (channel: string, data: unknown = { x: 1 }) => ({
    event: 'client-typing',
    channel,
    data,
    user_id: 'forged',
  });

  test('protocol 31: rejects client events unless they are enabled', () => {
    const server = createFakeSockets();
    const [a, b] = [server.connect(), server.connect()];
    for (const socket of [a, b]) server.subscribe(socket, 'private-case.9');
    for (const socket of [a, b]) server.takeFrames(socket);
    server.send(a, clientEvent('private-case.9'));
    expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher:error', data: { code: 4301 } }]);
    expect(server.takeFrames(b)).toEqual([]);
  });

  test('protocol 31: relays a client event with the sender’s user id to other members and servers', () => {
    const server = createFakeSockets({ clientEvents: 'members' });
    const [a, b, c] = [server.connect(), server.connect(), server.connect()];
    server.subscribe(a, 'presence-room', { user_id: '7' });
    server.subscribe(b, 'presence-room', { user_id: '8' });
    server.subscribe(c, 'presence-other', { user_id: '9' });
    for (const socket of [a, b, c]) server.takeFrames(socket);
    server.serverMessages.length = 0;
    server.send(a, clientEvent('presence-room'));
    expect(server.takeFrames(b)).toEqual([
      { event: 'client-typing', data: { x: 1 }, channel: 'presence-room', user_id: '7' },
    ]);
    expect([...server.takeFrames(a), ...server.takeFrames(c)]).toEqual([]);
    expect(server.serverMessages).toMatchObject([{ kind: 'event', except: a, userId: '7' }]);
  });

  test('protocol 31: relays a client event on a private channel without a user id', () => {
    const server = createFakeSockets({ clientEvents: 'members' });
    const [a, b] = [server.connect(), server.connect()];
    for (const socket of [a, b]) server.subscribe(socket, 'private-case.9');
    server.takeRawFrames(b);
    server.send(a, clientEvent('private-case.9', 'text'));
    expect(server.takeRawFrames(b)).toEqual([
      '{"event":"client-typing","data":"text","channel":"private-case.9"}',
    ]);
  });

  test('protocol 31: rejects client events of non-subscribers, on public channels and above the size limit', () => {
    const server = createFakeSockets({ clientEvents: 'members', limits: { eventDataBytes: 10 } });
    const [a, b] = [server.connect(), server.connect()];
    server.subscribe(a, 'private-case.9');
    server.subscribe(a, 'orders');
    server.subscribe(b, 'orders');
    for (const socket of [a, b]) server.takeFrames(socket);
    server.send(b, clientEvent('private-case.9'));
    expect(server.takeFrames(b)).toMatchObject([{ event: 'pusher:error', data: { code: 4009 } }]);
    server.send(a, clientEvent('orders'));
    server.send(a, clientEvent('private-case.9', 'ééééé!'));
    server.send(a, { ...clientEvent('private-case.9'), event: `client-${'a'.repeat(194)}` });
    expect(server.takeFrames(a).map((frame) => frame.data)).toMatchObject([
      { code: 4301 },
      { code: 4301 },
      { code: 4301 },
    ]);
    expect([...server.takeFrames(b), ...server.closed]).toEqual([]);
  });

  test('protocol 31: counts client events towards the rate limit', () => {
    const server = createFakeSockets({ clientEvents: 'members' });
    const [a, b] = [server.connect(), server.connect()];
    for (const socket of [a, b]) server.subscribe(socket, 'private-case.9');
    server.takeFrames(b);
    for (let count = 0; count < 32; count++) server.send(a, clientEvent('private-case.9'));
    expect(server.takeFrames(b)).toHaveLength(29);
  });
});

describe('rate limit', () => {
  test('drops frames above 30 in ten seconds and reports each as an error', () => {
    const server = createFakeSockets();
    const a = server.connect();
    for (let count = 0; count < 31; count++) server.send(a, { event: 'pusher:ping' });
    const frames = server.takeFrames(a);
    expect(frames.filter((frame) => frame.event === 'pusher:pong')).toHaveLength(30);
    expect(frames[30]).toMatchObject({ event: 'pusher:error', data: { code: 4301 } });
    server.advance(9_999);
    server.send(a, { event: 'pusher:ping' });
    expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher:error' }]);
    server.advance(1);
    server.send(a, { event: 'pusher:ping' });
    expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher:pong' }]);
  });

  test('rejects a subscription above the rate limit, and closes with 4301 after five violations', () => {
    const server = createFakeSockets();
    const a = server.connect();
    for (let count = 0; count < 40; count++) server.subscribe(a, `orders-${count}`);
    expect(server.takeFrames(a)[30]).toMatchObject({
      event: 'pusher:subscription_error',
      channel: 'orders-30',
      data: { type: 'RateLimited', status: 429 },
    });
    expect([...server.closed]).toEqual([[a, 4301]]);
    expect(server.registry.channels.size).toBe(0);
  });

  test('limits WebSocket pings and pongs to 60 in ten seconds, separately from text frames', () => {
    const server = createFakeSockets();
    const a = server.connect();
    const receiveControlFrames = (count: number) => {
      for (let sent = 0; sent < count; sent++) {
        server.applyEffects(receiveControlFrame(server.registry, a, server.now()));
      }
    };
    for (let window = 0; window < 3; window++) {
      receiveControlFrames(60);
      server.send(a, { event: 'pusher:ping' });
      expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher:pong' }]);
      server.advance(10_000);
    }
    receiveControlFrames(64);
    expect(server.closed.size).toBe(0);
    receiveControlFrames(1);
    expect([...server.closed]).toEqual([[a, 4301]]);
  });
});

const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(
    fc.constantFrom('channel', 'auth', 'channel_data', 'user_data', '__proto__', 'constructor'),
    fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
  ),
);
const anyFrame = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.uint8Array(),
  anyJson.map((value) => JSON.stringify(value)),
  fc
    .record(
      {
        event: fc.oneof(
          fc.constantFrom(
            ...['pusher:ping', 'pusher:pong', 'pusher:subscribe', 'pusher:unsubscribe', 'pusher:signin'],
            ...['client-x', 'pusher_internal:member_added', 'pusher:error', '__proto__'],
          ),
          fc.string(),
        ),
        channel: fc.oneof(
          fc.constantFrom('private-a', 'presence-a', 'a', '#server-to-user-1'),
          fc.jsonValue(),
        ),
        data: fc.oneof(
          anyJson,
          anyJson.map((value) => JSON.stringify(value)),
          fc.string(),
        ),
      },
      { requiredKeys: ['event'] },
    )
    .map((frame) => JSON.stringify(frame)),
);

test('protocol 39: handles any input without throwing', () => {
  fc.assert(
    fc.property(fc.array(anyFrame, { maxLength: 8 }), (frames) => {
      const registry = createChannelRegistry(testApp, { clientEvents: 'members' });
      openConnection(registry, '1.1', 0);
      for (const frame of frames) {
        for (const effect of receiveMessage(registry, '1.1', frame, 0)) {
          if (effect.kind !== 'send') continue;
          const sent = JSON.parse(effect.frame) as { event: unknown };
          expect(sent.event).toMatch(/^(?:pusher|pusher_internal|client-)/);
          expect(effect.to).toEqual(['1.1']);
        }
      }
      for (const name of registry.channels.keys()) expect(name).not.toMatch(/^(?:private|presence)-|^#/);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFakeSockets, type FakeSockets, testApp } from '../testing/fake-sockets.ts';
import { handleHttpApiRequest } from './http-api.ts';
import { signHttpRequest } from './request-signatures.ts';

const time = 1_700_000_000_000;

/** Sends a correctly signed request. */
function request(
  server: FakeSockets,
  method: 'GET' | 'POST',
  path: string,
  content?: unknown,
  parameters: Record<string, string> = {},
) {
  const text = content === undefined ? '' : typeof content === 'string' ? content : JSON.stringify(content);
  const unsigned = { method, path: `/apps/42${path}`, body: new TextEncoder().encode(text) };
  const query = signHttpRequest(testApp, { ...unsigned, parameters }, time);
  const response = handleHttpApiRequest(server.registry, { ...unsigned, query }, time);
  server.applyEffects(response.effects);
  return { status: response.status, body: JSON.parse(response.body) as unknown };
}

const createServerWithSubscriber = (
  channels: string[],
  options: Parameters<typeof createFakeSockets>[0] = {},
) => {
  const server = createFakeSockets(options);
  const socket = server.connect();
  for (const channel of channels) {
    const isPresence = channel.startsWith('presence-');
    server.subscribe(socket, channel, isPresence ? { user_id: '7' } : null);
  }
  server.takeFrames(socket);
  server.serverMessages.length = 0;
  return { server, socket };
};

describe('POST /events', () => {
  test('protocol 33: publishes an event once to each of its channels and to the other servers', () => {
    const { server, socket } = createServerWithSubscriber(['a', 'b', 'private-c']);
    const event = { name: 'updated', data: '{"x":1}' };
    expect(request(server, 'POST', '/events', { ...event, channel: 'a' })).toEqual({ status: 200, body: {} });
    expect(server.takeRawFrames(socket)).toEqual(['{"event":"updated","data":"{\\"x\\":1}","channel":"a"}']);
    request(server, 'POST', '/events', { ...event, channels: ['a', 'private-c', 'a', 'empty'] });
    expect(server.takeFrames(socket).map((frame) => frame.channel)).toEqual(['a', 'private-c']);
    expect(server.serverMessages).toMatchObject([
      { channels: ['a'] },
      { channels: ['a', 'private-c', 'empty'] },
    ]);
  });

  test('protocol 33: excludes the socket_id of an event and ignores an unknown one', () => {
    const { server, socket } = createServerWithSubscriber(['a']);
    const event = { name: 'updated', data: '', channel: 'a' };
    request(server, 'POST', '/events', { ...event, socket_id: socket });
    expect(server.takeFrames(socket)).toEqual([]);
    expect(server.serverMessages).toMatchObject([{ except: socket }]);
    request(server, 'POST', '/events', { ...event, socket_id: '99.99' });
    expect(server.takeFrames(socket)).toHaveLength(1);
  });

  test('protocol 33: ignores a socket_id that belongs to no connection, in any form', () => {
    const { server, socket } = createServerWithSubscriber(['a']);
    for (const socketId of ['99.99', 'unknown', '']) {
      const event = { name: 'updated', data: '', channel: 'a', socket_id: socketId };
      expect(request(server, 'POST', '/events', event)).toEqual({ status: 200, body: {} });
      expect(server.takeFrames(socket)).toHaveLength(1);
    }
  });

  test.each([
    [100, 200, 200],
    [101, 200, 400],
    [100, 201, 400],
  ])(
    'protocol 33: responds to an event for %i channels with a name of %i characters with %i',
    (count, length, status) => {
      const { server } = createServerWithSubscriber([]);
      const channels = Array.from({ length: count }, (_, number) => `c${number}`.padEnd(200, 'c'));
      const event = { name: 'n'.repeat(length), data: '', channels };
      expect(request(server, 'POST', '/events', event).status).toBe(status);
    },
  );

  test.each([
    ['a'.repeat(10_240), 200],
    ['a'.repeat(10_241), 413],
    ['é'.repeat(5_120), 200],
    [`${'é'.repeat(5_120)}a`, 413],
  ])('protocol 33: accepts event data of 10 KB and responds with 413 above that', (data, status) => {
    const { server } = createServerWithSubscriber([]);
    expect(request(server, 'POST', '/events', { name: 'updated', data, channel: 'a' }).status).toBe(status);
  });

  test.each([
    ['a missing name', { data: '', channel: 'a' }],
    ['an empty name', { name: '', data: '', channel: 'a' }],
    ['a long name', { name: 'n'.repeat(201), data: '', channel: 'a' }],
    ['a reserved name', { name: 'pusher:error', data: '', channel: 'a' }],
    ['an internal name', { name: 'pusher_internal:member_added', data: '', channel: 'a' }],
    ['missing data', { name: 'updated', channel: 'a' }],
    ['data that is not a string', { name: 'updated', data: {}, channel: 'a' }],
    ['a missing channel', { name: 'updated', data: '' }],
    ['an empty array of channels', { name: 'updated', data: '', channels: [] }],
    ['channels that are not an array', { name: 'updated', data: '', channels: 7 }],
    ['a channel that is not a string', { name: 'updated', data: '', channels: ['a', 7] }],
    ['an invalid channel name', { name: 'updated', data: '', channels: ['a b'] }],
    ['a cache channel', { name: 'updated', data: '', channel: 'cache-a' }],
    ['a socket id that is not a string', { name: 'updated', data: '', channel: 'a', socket_id: 1 }],
    ['an info that is not a string', { name: 'updated', data: '', channel: 'a', info: [] }],
    ['an array', []],
    ['null', null],
    ['no JSON', 'name=updated'],
    ['truncated JSON', '{"name":"updated"'],
    ['deeply nested JSON', '['.repeat(5_000)],
    ['an empty body', ''],
  ])('protocol 38: rejects an event with %s with 400 and publishes nothing', (_, body) => {
    const { server, socket } = createServerWithSubscriber(['a']);
    expect(request(server, 'POST', '/events', body)).toEqual({
      status: 400,
      body: { error: expect.any(String) },
    });
    expect([...server.takeFrames(socket), ...server.serverMessages]).toEqual([]);
  });

  test('protocol 33: returns the requested counts of an event’s channels', () => {
    const { server } = createServerWithSubscriber(['a', 'presence-room']);
    const event = { name: 'updated', data: '', info: 'user_count,subscription_count' };
    const channels = ['a', 'presence-room', 'empty', '__proto__'];
    const { body } = request(server, 'POST', '/events', { ...event, channels });
    expect(JSON.stringify(body)).toBe(
      '{"channels":{"a":{"subscription_count":1},"presence-room":{"user_count":1},' +
        '"empty":{"subscription_count":0},"__proto__":{"subscription_count":0}}}',
    );
  });

  test('protocol 30: publishes an event to a signed-in user', () => {
    const server = createFakeSockets();
    const socket = server.connect();
    server.signIn(socket, '7');
    server.subscribe(socket, '#server-to-user-7');
    server.takeFrames(socket);
    request(server, 'POST', '/events', { name: 'updated', data: '', channels: ['#server-to-user-7'] });
    expect(server.takeFrames(socket)).toMatchObject([{ event: 'updated' }]);
  });
});

describe('POST /batch_events', () => {
  const event = (channel: string, info?: string) => ({ name: 'updated', data: '', channel, info });

  test('protocol 34: publishes a batch of ten events in order and rejects a batch of eleven', () => {
    const { server, socket } = createServerWithSubscriber(['a', 'b']);
    const batch = Array.from({ length: 10 }, (_, number) => event(number % 2 === 0 ? 'a' : 'b'));
    expect(request(server, 'POST', '/batch_events', { batch })).toEqual({ status: 200, body: { batch: {} } });
    expect(server.takeFrames(socket).map((frame) => frame.channel)).toEqual(
      batch.map(({ channel }) => channel),
    );
    expect(request(server, 'POST', '/batch_events', { batch: [...batch, event('a')] }).status).toBe(400);
  });

  test('protocol 34: returns counts for each event of a batch if any event requests them', () => {
    const { server } = createServerWithSubscriber(['a', 'presence-room']);
    const batch = [event('a', 'subscription_count'), event('a'), event('presence-room', 'user_count')];
    expect(request(server, 'POST', '/batch_events', { batch }).body).toEqual({
      batch: [{ subscription_count: 1 }, {}, { user_count: 1 }],
    });
  });

  test.each([
    [{}],
    [{ batch: {} }],
    [{ batch: [event('a'), event('a b')] }],
    [{ batch: [event('a'), null] }],
  ])('protocol 34: publishes nothing from a batch with an invalid event: %j', (body) => {
    const { server, socket } = createServerWithSubscriber(['a']);
    expect(request(server, 'POST', '/batch_events', body).status).toBe(400);
    expect(server.takeFrames(socket)).toEqual([]);
  });
});

describe('GET requests', () => {
  test('protocol 35: lists occupied channels by prefix with counts', () => {
    const { server } = createServerWithSubscriber(['a', 'private-b', 'presence-c']);
    expect(request(server, 'GET', '/channels').body).toEqual({
      channels: { a: {}, 'private-b': {}, 'presence-c': {} },
    });
    const parameters = { filter_by_prefix: 'presence-', info: 'user_count' };
    expect(request(server, 'GET', '/channels', undefined, parameters).body).toEqual({
      channels: { 'presence-c': { user_count: 1 } },
    });
  });

  test('protocol 35: returns whether a channel is occupied', () => {
    const { server } = createServerWithSubscriber(['private-case.9', 'presence-c']);
    const info = { info: 'subscription_count,user_count' };
    expect(request(server, 'GET', '/channels/private-case.9', undefined, info).body).toEqual({
      occupied: true,
      subscription_count: 1,
    });
    expect(request(server, 'GET', '/channels/presence-c', undefined, info).body).toEqual({
      occupied: true,
      user_count: 1,
    });
    expect(request(server, 'GET', '/channels/empty', undefined, info).body).toEqual({ occupied: false });
    expect(request(server, 'GET', '/channels/a%20b').status).toBe(400);
    expect(request(server, 'GET', '/channels/%').status).toBe(400);
  });

  test('protocol 35: lists each user of a presence channel once', () => {
    const { server } = createServerWithSubscriber(['a', 'presence-c']);
    server.subscribe(server.connect(), 'presence-c', { user_id: '7' });
    server.subscribe(server.connect(), 'presence-c', { user_id: '__proto__' });
    expect(request(server, 'GET', '/channels/presence-c/users').body).toEqual({
      users: [{ id: '7' }, { id: '__proto__' }],
    });
    expect(request(server, 'GET', '/channels/a/users').status).toBe(400);
    expect(request(server, 'GET', '/channels/presence-empty/users').status).toBe(404);
  });

  test('returns the number of connections', () => {
    const { server } = createServerWithSubscriber([]);
    expect(request(server, 'GET', '/connections').body).toEqual({ connections: 1 });
  });
});

test('protocol 30: terminates the connections of a user whose id needs encoding', () => {
  const server = createFakeSockets();
  const sockets = ['a/b é', 'a/b é', 'other'].map((user) => {
    const socket = server.connect();
    server.signIn(socket, user);
    return socket;
  });
  const response = request(server, 'POST', `/users/${encodeURIComponent('a/b é')}/terminate_connections`, {});
  expect(response).toEqual({ status: 200, body: {} });
  expect([...server.closed.keys()]).toEqual(sockets.slice(0, 2));
});

describe('rejected requests', () => {
  test('protocol 36: rejects a request without a valid signature before it reads the body', () => {
    const { server } = createServerWithSubscriber([]);
    const unsigned = { method: 'POST', path: '/apps/42/events', body: new Uint8Array([0xff]) };
    expect(handleHttpApiRequest(server.registry, { ...unsigned, query: '' }, time).status).toBe(401);
  });

  test.each([
    ['GET', '/apps/43/channels', 404],
    ['GET', '/apps/42', 404],
    ['GET', '/apps/42/unknown', 404],
    ['GET', '/apps/42/channels/a/users/more', 404],
    ['GET', '/x/42/channels', 404],
    ['GET', '', 404],
    ['GET', '/apps/42/events', 405],
    ['POST', '/apps/42/channels', 405],
  ])('responds to %s %j with %i', (method, path, status) => {
    const { server } = createServerWithSubscriber([]);
    const query = signHttpRequest(testApp, { method, path }, time);
    const signed = { method, path, query, body: new Uint8Array() };
    expect(handleHttpApiRequest(server.registry, signed, time).status).toBe(status);
  });

  test('protocol 38: rejects a body above the limit with 413 and invalid UTF-8 with 400', () => {
    const { server } = createServerWithSubscriber([]);
    const statusOf = (body: Uint8Array) => {
      const parts = { method: 'POST', path: '/apps/42/events', body };
      const query = signHttpRequest(testApp, parts, time);
      return handleHttpApiRequest(server.registry, { ...parts, query }, time).status;
    };
    expect(statusOf(new Uint8Array(640 * 1024 + 1))).toBe(413);
    expect(statusOf(new Uint8Array(640 * 1024))).toBe(400);
    expect(statusOf(new Uint8Array([0x7b, 0xff, 0x7d]))).toBe(400);
  });

  test('protocol 38: responds to any request with JSON and an expected status', () => {
    const { server } = createServerWithSubscriber(['presence-c']);
    const anyPath = fc.oneof(
      fc.constantFrom('/apps/42/events', '/apps/42/batch_events', '/apps/42/channels/presence-c/users'),
      fc.string({ unit: 'binary' }).map((name) => `/apps/42/channels/${name}`),
      fc.string({ unit: 'binary' }),
    );
    const anyContent = fc.oneof(
      fc.uint8Array(),
      fc.jsonValue().map((value) => new TextEncoder().encode(JSON.stringify(value))),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('GET', 'POST', 'PUT'),
        anyPath,
        anyContent,
        fc.boolean(),
        fc.string({ unit: 'binary' }),
        (method, path, body, isSigned, otherQuery) => {
          const query = isSigned ? signHttpRequest(testApp, { method, path, body }, time) : otherQuery;
          const response = handleHttpApiRequest(server.registry, { method, path, query, body }, time);
          expect([200, 400, 401, 404, 405, 413]).toContain(response.status);
          expect(typeof JSON.parse(response.body)).toBe('object');
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

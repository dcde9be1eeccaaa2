import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFakeSockets, type FakeSockets, testApp } from '../testing/fake-sockets.ts';
import { handleHttpApiRequest } from './http-api.ts';
import { signHttpRequest } from './request-signatures.ts';

const time = 1_700_000_000_000;

/** Asks as a well behaved client of the HTTP API would. */
function ask(
  server: FakeSockets,
  method: 'GET' | 'POST',
  path: string,
  content?: unknown,
  parameters: Record<string, string> = {},
) {
  const text = content === undefined ? '' : typeof content === 'string' ? content : JSON.stringify(content);
  const request = { method, path: `/apps/42${path}`, body: new TextEncoder().encode(text) };
  const query = signHttpRequest(testApp, { ...request, parameters }, time);
  const answer = handleHttpApiRequest(server.registry, { ...request, query }, time);
  server.applyEffects(answer.effects);
  return { status: answer.status, body: JSON.parse(answer.body) as unknown };
}

const listening = (channels: string[], options: Parameters<typeof createFakeSockets>[0] = {}) => {
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

describe('an event', () => {
  test('protocol 33: goes to one channel or many, once to each, and to the other servers', () => {
    const { server, socket } = listening(['a', 'b', 'private-c']);
    const event = { name: 'told', data: '{"x":1}' };
    expect(ask(server, 'POST', '/events', { ...event, channel: 'a' })).toEqual({ status: 200, body: {} });
    expect(server.takeRawFrames(socket)).toEqual(['{"event":"told","data":"{\\"x\\":1}","channel":"a"}']);
    ask(server, 'POST', '/events', { ...event, channels: ['a', 'private-c', 'a', 'nobody'] });
    expect(server.takeFrames(socket).map((frame) => frame.channel)).toEqual(['a', 'private-c']);
    expect(server.serverMessages).toMatchObject([
      { channels: ['a'] },
      { channels: ['a', 'private-c', 'nobody'] },
    ]);
  });

  test('protocol 33: spares the socket that it names, and any unknown one', () => {
    const { server, socket } = listening(['a']);
    const event = { name: 'told', data: '', channel: 'a' };
    ask(server, 'POST', '/events', { ...event, socket_id: socket });
    expect(server.takeFrames(socket)).toEqual([]);
    expect(server.serverMessages).toMatchObject([{ except: socket }]);
    ask(server, 'POST', '/events', { ...event, socket_id: '99.99' });
    expect(server.takeFrames(socket)).toHaveLength(1);
  });

  test.each([
    [10, 200],
    [11, 400],
  ])('protocol 33: to %i channels is answered %i', (count, status) => {
    const { server } = listening([]);
    const channels = Array.from({ length: count }, (_, number) => `c${number}`);
    expect(ask(server, 'POST', '/events', { name: 'told', data: '', channels }).status).toBe(status);
  });

  test.each([
    [100, 200],
    [101, 400],
  ])('protocol 33: to %i channels is answered %i where Pusher’s own limits are set', (count, status) => {
    const { server } = listening([], { limits: { channelsPerEvent: 100, eventNameLength: 200 } });
    const channels = Array.from({ length: count }, (_, number) => `c${number}`);
    const name = 'n'.repeat(200);
    expect(ask(server, 'POST', '/events', { name, data: '', channels }).status).toBe(status);
    expect(ask(server, 'POST', '/events', { name: `${name}n`, data: '', channels: ['c'] }).status).toBe(400);
  });

  test.each([
    ['a'.repeat(10_240), 200],
    ['a'.repeat(10_241), 413],
    ['é'.repeat(5_120), 200],
    [`${'é'.repeat(5_120)}a`, 413],
  ])('protocol 33: with 10 KB of data is taken, with a byte more it is 413', (data, status) => {
    const { server } = listening([]);
    expect(ask(server, 'POST', '/events', { name: 'told', data, channel: 'a' }).status).toBe(status);
  });

  test.each([
    ['no name', { data: '', channel: 'a' }],
    ['an empty name', { name: '', data: '', channel: 'a' }],
    ['a long name', { name: 'n'.repeat(101), data: '', channel: 'a' }],
    ['a name of the protocol', { name: 'pusher:error', data: '', channel: 'a' }],
    ['an internal name', { name: 'pusher_internal:member_added', data: '', channel: 'a' }],
    ['no data', { name: 'told', channel: 'a' }],
    ['data that is no text', { name: 'told', data: {}, channel: 'a' }],
    ['no channel', { name: 'told', data: '' }],
    ['an empty list of channels', { name: 'told', data: '', channels: [] }],
    ['channels that are no list', { name: 'told', data: '', channels: 7 }],
    ['a channel that is no text', { name: 'told', data: '', channels: ['a', 7] }],
    ['a channel that is no name', { name: 'told', data: '', channels: ['a b'] }],
    ['a cache channel', { name: 'told', data: '', channel: 'cache-a' }],
    ['a socket id that is none', { name: 'told', data: '', channel: 'a', socket_id: '1' }],
    ['a socket id that is no text', { name: 'told', data: '', channel: 'a', socket_id: 1 }],
    ['an info that is no text', { name: 'told', data: '', channel: 'a', info: [] }],
    ['a list', []],
    ['null', null],
    ['no JSON', 'name=told'],
    ['half of the JSON', '{"name":"told"'],
    ['deep JSON', '['.repeat(5_000)],
    ['no body', ''],
  ])('protocol 38: with %s is 400, and nobody hears of it', (_, body) => {
    const { server, socket } = listening(['a']);
    expect(ask(server, 'POST', '/events', body)).toEqual({
      status: 400,
      body: { error: expect.any(String) },
    });
    expect([...server.takeFrames(socket), ...server.serverMessages]).toEqual([]);
  });

  test('protocol 33: tells the counts that it is asked for', () => {
    const { server } = listening(['a', 'presence-room']);
    const event = { name: 'told', data: '', info: 'user_count,subscription_count' };
    const channels = ['a', 'presence-room', 'nobody', '__proto__'];
    const { body } = ask(server, 'POST', '/events', { ...event, channels });
    expect(JSON.stringify(body)).toBe(
      '{"channels":{"a":{"subscription_count":1},"presence-room":{"user_count":1},' +
        '"nobody":{"subscription_count":0},"__proto__":{"subscription_count":0}}}',
    );
  });

  test('protocol 30: to a user reaches who is signed in', () => {
    const server = createFakeSockets();
    const socket = server.connect();
    server.signIn(socket, '7');
    server.subscribe(socket, '#server-to-user-7');
    server.takeFrames(socket);
    ask(server, 'POST', '/events', { name: 'told', data: '', channels: ['#server-to-user-7'] });
    expect(server.takeFrames(socket)).toMatchObject([{ event: 'told' }]);
  });
});

describe('a batch', () => {
  const event = (channel: string, info?: string) => ({ name: 'told', data: '', channel, info });

  test('protocol 34: of ten is sent in its order, of eleven it is refused', () => {
    const { server, socket } = listening(['a', 'b']);
    const batch = Array.from({ length: 10 }, (_, number) => event(number % 2 === 0 ? 'a' : 'b'));
    expect(ask(server, 'POST', '/batch_events', { batch })).toEqual({ status: 200, body: { batch: {} } });
    expect(server.takeFrames(socket).map((frame) => frame.channel)).toEqual(
      batch.map(({ channel }) => channel),
    );
    expect(ask(server, 'POST', '/batch_events', { batch: [...batch, event('a')] }).status).toBe(400);
  });

  test('protocol 34: answers in a list as soon as one of its events asks for counts', () => {
    const { server } = listening(['a', 'presence-room']);
    const batch = [event('a', 'subscription_count'), event('a'), event('presence-room', 'user_count')];
    expect(ask(server, 'POST', '/batch_events', { batch }).body).toEqual({
      batch: [{ subscription_count: 1 }, {}, { user_count: 1 }],
    });
  });

  test.each([
    [{}],
    [{ batch: {} }],
    [{ batch: [event('a'), event('a b')] }],
    [{ batch: [event('a'), null] }],
  ])('protocol 34: with anything wrong in it sends nothing at all', (body) => {
    const { server, socket } = listening(['a']);
    expect(ask(server, 'POST', '/batch_events', body).status).toBe(400);
    expect(server.takeFrames(socket)).toEqual([]);
  });
});

describe('questions', () => {
  test('protocol 35: which channels are occupied, by prefix, with counts', () => {
    const { server } = listening(['a', 'private-b', 'presence-c']);
    expect(ask(server, 'GET', '/channels').body).toEqual({
      channels: { a: {}, 'private-b': {}, 'presence-c': {} },
    });
    const parameters = { filter_by_prefix: 'presence-', info: 'user_count' };
    expect(ask(server, 'GET', '/channels', undefined, parameters).body).toEqual({
      channels: { 'presence-c': { user_count: 1 } },
    });
  });

  test('protocol 35: whether one channel is occupied', () => {
    const { server } = listening(['private-case.9', 'presence-c']);
    const info = { info: 'subscription_count,user_count' };
    expect(ask(server, 'GET', '/channels/private-case.9', undefined, info).body).toEqual({
      occupied: true,
      subscription_count: 1,
    });
    expect(ask(server, 'GET', '/channels/presence-c', undefined, info).body).toEqual({
      occupied: true,
      user_count: 1,
    });
    expect(ask(server, 'GET', '/channels/nobody', undefined, info).body).toEqual({ occupied: false });
    expect(ask(server, 'GET', '/channels/a%20b').status).toBe(400);
    expect(ask(server, 'GET', '/channels/%').status).toBe(400);
  });

  test('protocol 35: who is on a presence channel, each user once', () => {
    const { server } = listening(['a', 'presence-c']);
    server.subscribe(server.connect(), 'presence-c', { user_id: '7' });
    server.subscribe(server.connect(), 'presence-c', { user_id: '__proto__' });
    expect(ask(server, 'GET', '/channels/presence-c/users').body).toEqual({
      users: [{ id: '7' }, { id: '__proto__' }],
    });
    expect(ask(server, 'GET', '/channels/a/users').status).toBe(400);
    expect(ask(server, 'GET', '/channels/presence-nobody/users').status).toBe(404);
  });

  test('how many are connected', () => {
    const { server } = listening([]);
    expect(ask(server, 'GET', '/connections').body).toEqual({ connections: 1 });
  });
});

test('protocol 30: the connections of a user are closed, whatever the id is made of', () => {
  const server = createFakeSockets();
  const sockets = ['a/b é', 'a/b é', 'other'].map((user) => {
    const socket = server.connect();
    server.signIn(socket, user);
    return socket;
  });
  const answer = ask(server, 'POST', `/users/${encodeURIComponent('a/b é')}/terminate_connections`, {});
  expect(answer).toEqual({ status: 200, body: {} });
  expect([...server.closed.keys()]).toEqual(sockets.slice(0, 2));
});

describe('refusals', () => {
  test('protocol 36: come before anything is read when the signature is wrong', () => {
    const { server } = listening([]);
    const request = { method: 'POST', path: '/apps/42/events', body: new Uint8Array([0xff]) };
    expect(handleHttpApiRequest(server.registry, { ...request, query: '' }, time).status).toBe(401);
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
  ])('%s %s is %i', (method, path, status) => {
    const { server } = listening([]);
    const query = signHttpRequest(testApp, { method, path }, time);
    const request = { method, path, query, body: new Uint8Array() };
    expect(handleHttpApiRequest(server.registry, request, time).status).toBe(status);
  });

  test('protocol 38: a body above the limit is 413, bytes that are no UTF-8 are 400', () => {
    const { server } = listening([]);
    const request = (body: Uint8Array) => {
      const parts = { method: 'POST', path: '/apps/42/events', body };
      const query = signHttpRequest(testApp, parts, time);
      return handleHttpApiRequest(server.registry, { ...parts, query }, time).status;
    };
    expect(request(new Uint8Array(128 * 1024 + 1))).toBe(413);
    expect(request(new Uint8Array(128 * 1024))).toBe(400);
    expect(request(new Uint8Array([0x7b, 0xff, 0x7d]))).toBe(400);
  });

  test('protocol 38: whatever is asked, signed or not, the answer is JSON with a status of our own', () => {
    const { server } = listening(['presence-c']);
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
          const answer = handleHttpApiRequest(server.registry, { method, path, query, body }, time);
          expect([200, 400, 401, 404, 405, 413]).toContain(answer.status);
          expect(typeof JSON.parse(answer.body)).toBe('object');
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

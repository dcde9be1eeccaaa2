import { isValidChannelAuth, isValidUserAuth } from '@keyturn/pusher-protocol';
import { buildCase, withStatementCount, withTestDatabase, withTestServer } from '@keyturn/testkit';
import Fastify from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSessions } from '../../people/clients/sessions.ts';
import { signInWithHalves } from '../../testing/sign-in-with-halves.ts';
import { broadcastingRoutes } from './authorise-channels.ts';

const app = { id: 'keyturn', key: 'key', secret: 'a-secret-of-this-test' };
const socketId = '123.456';
const testDatabase = withTestDatabase();
const counted = withStatementCount(testDatabase);
const server = withTestServer({
  database: testDatabase,
  env: {
    KEYTURN_REALTIME_KEY: app.key,
    KEYTURN_REALTIME_SECRET: app.secret,
    KEYTURN_PUBLIC_URL: 'https://clients.example.com',
  },
});
let built: Awaited<ReturnType<typeof buildCase>>;
let bearer: { authorization: string };
beforeAll(async () => {
  built = await buildCase(server.database, { clients: [{ firstName: 'Amelia' }] });
  bearer = await server.signInAs(built.clientId);
});

const sendAuthRequest = (
  fields: object,
  headers: Record<string, string> = bearer,
  path = '/broadcasting/auth',
) =>
  server.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(fields),
  });
const channel = () => `private-case.${built.id}`;

describe('auth endpoints', () => {
  test('protocol 18: signs a case channel for a client on the case, requested as form or JSON', async () => {
    const byJson = await sendAuthRequest({ socket_id: socketId, channel_name: channel() });
    const byForm = await server.app.inject({
      method: 'POST',
      url: '/broadcasting/auth',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...bearer },
      payload: new URLSearchParams({ socket_id: socketId, channel_name: channel() }).toString(),
    });
    for (const response of [byJson, byForm]) {
      expect(response.statusCode).toBe(200);
      expect(response.headers['cache-control']).toBe('no-store');
      expect(isValidChannelAuth(app, response.json().auth, socketId, channel(), null)).toBe(true);
    }
  });

  test('protocol 23: signs a presence channel with only the client’s first name', async () => {
    const name = `presence-case.${built.id}`;
    const { auth, channel_data } = (
      await sendAuthRequest({ socket_id: socketId, channel_name: name })
    ).json();
    expect(JSON.parse(channel_data)).toEqual({
      user_id: built.clientId,
      user_info: { first_name: 'Amelia' },
    });
    expect(isValidChannelAuth(app, auth, socketId, name, channel_data)).toBe(true);
  });

  test('protocol 28: signs a client’s sign-in with a string id', async () => {
    const { auth, user_data } = (
      await sendAuthRequest({ socket_id: socketId }, bearer, '/broadcasting/user-auth')
    ).json();
    expect(JSON.parse(user_data).id).toBe(built.clientId);
    expect(isValidUserAuth(app, auth, socketId, user_data)).toBe(true);
  });

  test.each<[string, (stranger: { id: string; clientId: string }) => object, number]>([
    ['another client’s case', ({ id }) => ({ channel_name: `private-case.${id}` }), 403],
    ['another client’s presence channel', ({ id }) => ({ channel_name: `presence-case.${id}` }), 403],
    ['another client’s own channel', ({ clientId }) => ({ channel_name: `private-client.${clientId}` }), 403],
    ['an invalid case id', () => ({ channel_name: 'private-case.1' }), 403],
    ['an unknown channel', () => ({ channel_name: 'private-orders' }), 403],
    ['a public channel', () => ({ channel_name: 'status' }), 403],
    ['an encrypted channel', ({ id }) => ({ channel_name: `private-encrypted-case.${id}` }), 403],
    ['a sign-in in disguise', () => ({ channel_name: ':user::{"id":"7","name":"A"}' }), 400],
    ['a name with a colon', () => ({ channel_name: 'private-case.1:x' }), 400],
    ['a missing channel', () => ({}), 400],
    ['an empty list of channels', () => ({ channel_name: [] }), 400],
    ['a list that contains no name', () => ({ channel_name: [7] }), 400],
    ['an invalid socket id', () => ({ channel_name: 'private-case.1', socket_id: '1.2:x' }), 400],
    ['a missing socket id', () => ({ channel_name: 'private-case.1', socket_id: undefined }), 400],
  ])('protocol 20: rejects a request for %s and signs nothing', async (_, fields, status) => {
    const response = await sendAuthRequest({
      socket_id: socketId,
      ...fields(await buildCase(server.database)),
    });
    expect(response.statusCode).toBe(status);
    expect(response.json()).toEqual({ message: expect.any(String) });
  });

  test('fault 58: authorises no channel for JSON with a repeated field', async () => {
    const payload = `{"socket_id":"${socketId}","channel_name":"${channel()}","channel_name":"${channel()}"}`;
    const headers = { 'content-type': 'application/json', ...bearer };
    const response = await server.app.inject({ method: 'POST', url: '/broadcasting/auth', headers, payload });
    expect({ status: response.statusCode, code: response.json().code }).toEqual({
      status: 400,
      code: 'malformed_json',
    });
  });

  test('signs the allowed channels of a list, and rejects each channel of another client', async () => {
    const other = await buildCase(server.database);
    const own = [channel(), `private-client.${built.clientId}`, `presence-case.${built.id}`];
    const foreign = [
      `private-case.${other.id}`,
      `private-client.${other.clientId}`,
      `presence-case.${other.id}`,
    ];
    const response = await sendAuthRequest({ socket_id: socketId, channel_name: [...own, ...foreign] });
    expect(response.statusCode).toBe(200);
    const { channels } = response.json();
    for (const name of own) {
      const { auth, channel_data = null } = channels[name];
      expect(isValidChannelAuth(app, auth, socketId, name, channel_data)).toBe(true);
    }
    for (const name of foreign) expect(channels[name]).toEqual({ status: 403, message: expect.any(String) });
  });

  test('finds the session and the access to all channels in one statement', async () => {
    const sessions = createSessions({
      database: counted.database,
      clock: () => new Date(),
      expiresIn: 43_200,
      idleAfter: 1_800,
    });
    const authServer = Fastify();
    await authServer.register(
      broadcastingRoutes({
        app,
        channels: { bind: () => true },
        authenticate: sessions.authenticate,
        countRequest: async () => {},
        paths: { channel: '/broadcasting/auth', user: '/broadcasting/user-auth' },
        cookies: { isHttps: false, origin: null },
        refetchWithin: () => 250,
      }),
    );
    const channel_name = [channel(), `private-client.${built.clientId}`, `presence-case.${built.id}`];
    const authorise = async () => {
      const payload = JSON.stringify({ socket_id: socketId, channel_name });
      const headers = { 'content-type': 'application/json', ...bearer };
      const request = { method: 'POST', url: '/broadcasting/auth', headers, payload } as const;
      const response = await authServer.inject(request);
      const { channels } = response.json();
      expect(channel_name.map((name) => channels[name].status)).toEqual([200, 200, 200]);
      expect(response.headers['x-refetch-within']).toBe('250');
    };
    expect(await counted.listStatementsOf(authorise)).toEqual(['read_channel_access']);
  });

  test.each(['/broadcasting/auth', '/broadcasting/user-auth'])(
    'protocol 42: responds with 401 without a valid session: %s',
    async (path) => {
      const fields = { socket_id: socketId, channel_name: channel() };
      expect((await sendAuthRequest(fields, {}, path)).statusCode).toBe(401);
      const old = await server.signInAs(built.clientId);
      expect((await sendAuthRequest(fields, old, path)).statusCode).toBe(200);
      await server.app.inject({ method: 'POST', url: '/api/logout', headers: old });
      expect((await sendAuthRequest(fields, old, path)).statusCode).toBe(401);
    },
  );

  test('auth endpoints accept only POST and send no CORS headers', async () => {
    const query = `socket_id=${socketId}&channel_name=${channel()}&callback=steal`;
    const response = await server.app.inject({
      method: 'GET',
      url: `/broadcasting/auth?${query}`,
      headers: bearer,
    });
    expect(response.body).not.toContain('auth":"');
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('rejects an auth request above 16 KB with 413', async () => {
    expect(
      (await sendAuthRequest({ socket_id: socketId, channel_name: 'x'.repeat(17_000) })).statusCode,
    ).toBe(413);
  });

  test('limits the rate of channel authorisation requests for each client', async () => {
    const busy = await server.signInAs((await buildCase(server.database)).clientId);
    const statuses = [];
    for (let attempt = 0; attempt < 130; attempt++) {
      statuses.push(
        (await sendAuthRequest({ socket_id: socketId }, busy, '/broadcasting/user-auth')).statusCode,
      );
    }
    expect(statuses.slice(0, 120).every((status) => status === 200)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
    expect(
      (await sendAuthRequest({ socket_id: socketId }, bearer, '/broadcasting/user-auth')).statusCode,
    ).toBe(200);
  });
});

describe('a token with its cookie', () => {
  const fields = () => ({ socket_id: socketId, channel_name: channel() });
  const signIn = async () => {
    const { authorization, cookie } = await signInWithHalves(server, built.clientId, { prefix: '__Host-' });
    return { authorization, cookie: `theme=dark; ${cookie}` };
  };

  test.each([
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'https://clients.example.com' },
    { origin: 'http://localhost:80', host: 'localhost:80' },
    {},
  ])('a token authorises a channel together with its cookie from our own pages: %j', async (page) => {
    const response = await sendAuthRequest(fields(), { ...(await signIn()), ...page });
    expect(response.statusCode).toBe(200);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['without its cookie', { cookie: undefined }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['from another origin', { origin: 'https://evil.test' }],
    ['from a null origin', { origin: 'null' }],
  ])('a token of our own pages does not authorise a channel %s', async (_, headers) => {
    const sent = { ...(await signIn()), ...headers };
    const present = Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined);
    expect((await sendAuthRequest(fields(), Object.fromEntries(present))).statusCode).toBe(401);
  });

  test('the cookie of a sign-in alone does not authorise a channel, as plain text either, which any page can send', async () => {
    const { cookie } = await signIn();
    for (const type of ['application/json', 'text/plain']) {
      const response = await sendAuthRequest(fields(), { cookie, 'content-type': type });
      expect(response.statusCode).toBe(401);
    }
  });

  test('the cookie of a sign-in does not authorise a channel with the token of another one', async () => {
    const { cookie } = await signIn();
    const { authorization } = await signIn();
    expect((await sendAuthRequest(fields(), { cookie, authorization })).statusCode).toBe(401);
  });
});

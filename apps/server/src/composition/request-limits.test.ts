import { type CallKey, calls } from '@keyturn/contract';
import {
  buildCase,
  countStatements,
  createTestDatabase,
  createTestServer,
  type TestDatabase,
  type TestServer,
} from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Settings } from '../settings/read-settings.ts';
import { composeRequestLimits } from './compose-request-limits.ts';

/** Higher than the number of requests that the tests of a client’s limits send from one address. */
const requestsPerAddress = 10;
const limits = {
  KEYTURN_REQUESTS_PER_ADDRESS: String(requestsPerAddress),
  KEYTURN_READS_PER_CLIENT: '3',
  KEYTURN_CHANGES_PER_CLIENT: '3',
};
const id = '0198c0de-0000-7000-8000-000000000000';

let database: TestDatabase;
let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await createTestServer({ env: limits, database });
  other = await createTestServer({ env: limits, database });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
  await database.drop();
});

interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  url: string;
}

/** Returns a function that sends requests of a new client from a new address. */
async function createClientSender() {
  const { clientId } = await buildCase(server.database);
  return createSender(await server.signInAs(clientId));
}

let addresses = 0;
/** Returns a function that sends requests from a new address, signed out by default. */
function createSender(ownHeaders: Record<string, string> = {}) {
  addresses += 1;
  const remoteAddress = `198.51.${100 + Math.floor(addresses / 250)}.${addresses % 250}`;
  let sent = 0;
  return (to: Route, { at = server, headers = ownHeaders, fromAnywhere = false } = {}) => {
    sent += 1;
    return at.app.inject({
      ...to,
      headers: { 'content-type': 'application/json', ...headers },
      ...(to.method === 'GET' ? {} : { payload: '{}' }),
      remoteAddress: fromAnywhere ? `203.0.113.${sent}` : remoteAddress,
    });
  };
}

/** Reads the routes that the server has registered from its route tree. */
function registeredRoutes(): Route[] {
  const parents: string[] = [];
  return server.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent, part, methods] =
        /^((?:│ {3}| {4})*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
      if (indent === undefined || part === undefined) return [];
      const depth = indent.length / 4;
      parents.length = depth;
      parents.push(part);
      const url = parents.join('');
      return (methods ?? '').split(', ').map((method) => ({ method: method as Route['method'], url }));
    })
    .filter(({ method }) => ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].includes(method));
}

const sent = ({ method, url }: Route): Route => ({
  method,
  url: url.replaceAll(/:\w+/g, id).replace('*', 'any'),
});
const nameOf = ({ method, url }: Route) => `${method} ${url}`;

/** Sends requests until one is rejected by a limit. @returns that answer, and how many were accepted before */
async function sendUntilLimited(send: () => ReturnType<ReturnType<typeof createSender>>, max: number) {
  for (let accepted = 0; accepted <= max; accepted += 1) {
    const answer = await send();
    if (answer.statusCode === 429) return { answer, accepted };
  }
  return null;
}

/** Pages, and requests that are signed by the payment provider. */
const isUnlimited = ({ method, url }: Route) =>
  (method === 'GET' && !/^\/(api|broadcasting|firm)\//.test(url)) || url === '/api/webhooks/:provider';

describe('request limits', () => {
  test('every registered route except pages and signed requests is limited by address', async () => {
    const routes = registeredRoutes();
    const names = routes.map(nameOf);
    for (const key of Object.keys(calls)) {
      expect(names).toContain(key.replace(' ', ' /api').replaceAll(/\{(\w+)\}/g, ':$1'));
    }
    expect(names).toEqual(
      expect.arrayContaining(['POST /broadcasting/auth', 'POST /broadcasting/user-auth']),
    );
    const open: string[] = [];
    for (const route of routes) {
      const send = createSender();
      // The address has exhausted its limit; this is the first request to the route itself.
      await sendUntilLimited(() => send({ method: 'GET', url: '/api/client' }), requestsPerAddress);
      const { statusCode } = await send(sent(route));
      if (statusCode !== 429) open.push(nameOf(route));
    }
    expect(open.sort()).toEqual(routes.filter(isUnlimited).map(nameOf).sort());
  });

  test.each(['/%61pi/client', '/api/%63%6c%69%65%6e%74', 'http://any.example/api/client'])(
    'another spelling of a route’s URL does not avoid the limit of an address: %s',
    async (url) => {
      const send = createSender();
      await sendUntilLimited(() => send({ method: 'GET', url: '/api/client' }), requestsPerAddress);
      const { statusCode } = await send({ method: 'GET', url });
      expect(statusCode).toBe(429);
    },
  );

  test.each((Object.keys(calls) as CallKey[]).filter((key) => calls[key].access === 'client'))(
    'the requests of a client are limited: %s',
    async (key) => {
      const [method, path] = key.split(' ') as [Route['method'], string];
      const send = await createClientSender();
      // A sign-out ends the session, so the requests before it are other changes.
      const before = key === 'POST /logout' ? { method, url: `/api/documents/${id}/read` } : null;
      const route = { method, url: `/api${path.replaceAll(/\{\w+\}/g, id)}` };
      for (let n = 0; before && n < 3; n += 1) await send(before);
      const limited = await sendUntilLimited(() => send(route), 3);
      expect(limited?.accepted).toBe(before ? 0 : 3);
      expect(limited?.answer.json()).toEqual({
        code: 'too_many_requests',
        message: 'Too many requests. Please try again shortly.',
      });
      const seconds = Number(limited?.answer.headers['retry-after']);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(10);
    },
  );

  test.each(['/broadcasting/auth', '/broadcasting/user-auth'])(
    'the requests of a client from many addresses are limited: POST %s',
    async (url) => {
      const send = await createClientSender();
      const limited = await sendUntilLimited(
        () => send({ method: 'POST', url }, { fromAnywhere: true }),
        120,
      );
      expect(limited?.accepted).toBe(120);
    },
  );

  test('counts changes on all servers together for the rate limit', async () => {
    const send = await createClientSender();
    const route: Route = { method: 'POST', url: `/api/documents/${id}/read` };
    const statuses = [];
    for (const at of [server, other, server, other, server]) {
      statuses.push((await send(route, { at })).statusCode);
    }
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
  });

  test('counting a read for the rate limit takes no statement, and counting a change takes one', async () => {
    const counting = countStatements(database.url);
    const { countRead, countChange } = composeRequestLimits(
      { requestLimits: { perAddress: 2, readsPerClient: 2, changesPerClient: 2 } } as Settings,
      counting.pool,
    );
    expect(await counting.countStatementsOf(() => countRead('a client'))).toBe(0);
    expect(await counting.countStatementsOf(() => countChange('a client'))).toBe(1);
    await countChange('a client');
    await expect(countChange('a client')).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(await counting.countStatementsOf(() => countChange('a client').catch(() => {}))).toBe(0);
    await counting.close();
  });

  test('requests of one client do not count towards another client’s limit, nor reads towards the limit of changes', async () => {
    const [send, sendAsAnother] = [await createClientSender(), await createClientSender()];
    const read: Route = { method: 'GET', url: '/api/client' };
    const change: Route = { method: 'POST', url: `/api/documents/${id}/read` };
    await sendUntilLimited(() => send(read), 3);
    expect((await send(change)).statusCode).toBe(404);
    expect((await sendAsAnother(read)).statusCode).toBe(200);
  });
});

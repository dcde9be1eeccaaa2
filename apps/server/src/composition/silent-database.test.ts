import { buildCase, createTestDatabase, createTestServer, type TestDatabase } from '@keyturn/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDatabaseProxy } from '../testing/database-proxy.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Sends ten requests at once. @returns their statuses, and how long each took in milliseconds */
async function sendRequests(url: string, headers: Record<string, string>) {
  const started = performance.now();
  return Promise.all(
    Array.from({ length: 10 }, async () => {
      const { status } = await fetch(`${url}/api/client`, { headers, signal: AbortSignal.timeout(30_000) });
      return { status, took: performance.now() - started };
    }),
  );
}

/** What readiness says about the database; undefined if it answers. */
async function problemOfDatabase(url: string): Promise<string | undefined> {
  const readiness = (await (await fetch(`${url}/readyz`)).json()) as { database?: string };
  return readiness.database;
}

const statuses = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))];
const slowest = (answers: { took: number }[]) => Math.max(...answers.map(({ took }) => took));

test('fault 33: after a fail-over that leaves open connections silent, each request is answered within 15 s, readiness says so, and the next requests succeed', {
  timeout: 90_000,
}, async () => {
  const proxy = await startDatabaseProxy(database.url);
  const server = await createTestServer({ database: { ...database, url: proxy.url } });
  const headers = await server.signInAs((await buildCase(database.database)).clientId);
  // Opens more connections than reads share.
  await Promise.all(Array.from({ length: 12 }, () => fetch(`${server.url}/readyz`)));
  expect(statuses(await sendRequests(server.url, headers))).toEqual([200]);

  proxy.silenceOpenConnections();
  const during = sendRequests(server.url, headers);
  expect(await problemOfDatabase(server.url)).toBeDefined();
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const answers = await during;
  expect(statuses(answers)).toContain(503);
  // A request that got a new connection succeeds.
  expect([200, 503]).toEqual(expect.arrayContaining(statuses(answers)));
  expect(slowest(answers)).toBeLessThan(15_000);

  const next = await sendRequests(server.url, headers);
  expect(statuses(next)).toEqual([200]);
  expect(await problemOfDatabase(server.url)).toBeUndefined();
  await server.stop();
  await proxy.close();
});

test('fault 33: a server closes within 45 s although its open connections to the database are silent', {
  timeout: 90_000,
}, async () => {
  const proxy = await startDatabaseProxy(database.url);
  const server = await createTestServer({ database: { ...database, url: proxy.url } });
  const headers = await server.signInAs((await buildCase(database.database)).clientId);
  await sendRequests(server.url, headers);
  proxy.silenceOpenConnections();
  // A stop may cut requests.
  const during = sendRequests(server.url, headers).catch(() => []);
  const started = performance.now();
  await server.stop();
  expect(performance.now() - started).toBeLessThan(45_000);
  await during;
  await proxy.close();
});

test('fault 33: while all connections to the database are in use, requests get 503 within 6 s, readiness says so, and requests succeed afterwards', {
  timeout: 60_000,
}, async () => {
  const connections = 5;
  const server = await createTestServer({
    database,
    env: { KEYTURN_DATABASE_CONNECTIONS: String(connections) },
  });
  const headers = await server.signInAs((await buildCase(database.database)).clientId);
  await database.pool.query(
    `create function hold() returns trigger language plpgsql as 'begin perform pg_sleep(8); return null; end';
     create trigger hold after insert on login_failures execute function hold()`,
  );
  const signIns = Promise.all(
    Array.from({ length: 2 * connections }, (_, number) =>
      server.app.inject({
        method: 'POST',
        url: '/api/login',
        remoteAddress: `198.51.100.${number}`,
        payload: { email: `${number}@example.test`, password: 'wrong' },
      }),
    ),
  );
  const holding = () =>
    database.pool.query(
      "select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()",
    );
  // The job queue keeps one for its notifications.
  await expect.poll(async () => (await holding()).rowCount).toBe(connections - 1);

  const requests = sendRequests(server.url, headers);
  expect(await problemOfDatabase(server.url)).toBeDefined();
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const answers = await requests;
  expect(statuses(answers)).toEqual([503]);
  expect(slowest(answers)).toBeLessThan(6_000);

  await signIns;
  expect(statuses(await sendRequests(server.url, headers))).toEqual([200]);
  expect(await problemOfDatabase(server.url)).toBeUndefined();
  await server.stop();
});

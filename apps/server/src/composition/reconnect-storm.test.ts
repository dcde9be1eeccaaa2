import { setTimeout as pause } from 'node:timers/promises';
import {
  buildCase,
  createPaymentWorld,
  createTestDatabase,
  createTestServer,
  intentOf,
  measureSlowness,
  ownCard,
  sandboxCard,
  type TestDatabase,
  type TestServer,
} from '@keyturn/testkit';
import { runLength } from '@keyturn/testkit/run-length.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  closeTestClients,
  openRawClient,
  type RawClient,
  testApp,
  testAppEnv,
} from '../testing/real-time/channel-test-clients.ts';

const connections = runLength({ short: 120, long: 5_000 });
/** The connections for which the next server has no room. */
const rejected = connections / 10;
const connectionsPerClient = 10;
/**
 * Milliseconds of the p99: a second, and another one because the clients are in the process of the server. Thousands of them
 * slow it down too much: bench/returning-crowd.mjs measures them in another process.
 */
const maxAuthorisation = runLength({ short: 2_000, long: Number.POSITIVE_INFINITY });

let database: TestDatabase;
/** The server that a deployment stops, and the one to which its clients connect again. */
let leaving: TestServer;
let next: TestServer;
beforeAll(async () => {
  database = await createTestDatabase();
  const env = { ...testAppEnv, KEYTURN_TRUSTED_PROXIES: '1' };
  const limit = String(connections - rejected);
  leaving = await createTestServer({ database, env });
  next = await createTestServer({ database, env: { ...env, KEYTURN_REALTIME_MAX_CONNECTIONS: limit } });
});
afterAll(async () => {
  closeTestClients();
  await next.stop();
  await database.drop();
});

interface Client {
  headers: { authorization: string; 'x-forwarded-for': string };
  channel: string;
}

/** Signs clients in, each of whom opens several connections from one address. */
async function signClientsIn(): Promise<Client[]> {
  const clients: Client[] = [];
  for (let number = 0; number < connections / connectionsPerClient; number += 1) {
    const { id, clientId } = await buildCase(database.database);
    const { authorization } = await next.signInAs(clientId);
    const address = `10.0.${number >> 8}.${number & 255}`;
    clients.push({
      headers: { authorization, 'x-forwarded-for': address },
      channel: `private-case.${id}`,
    });
  }
  return clients;
}

const connect = ({ url }: TestServer, { headers }: Client) =>
  openRawClient(
    { app: testApp, address: `${url.replace('http', 'ws')}/app/${testApp.key}?protocol=7` },
    { headers },
  );

let connected = 0;
/** Connects to the next server, and again after a 503, as browsers do. @returns null if the server is full */
async function connectUnlessFull(client: Client): Promise<RawClient | null> {
  for (;;) {
    try {
      const connection = await connect(next, client);
      connected += 1;
      return connection;
    } catch (error) {
      expect((error as Error).message).toBe('Unexpected server response: 503');
      if (connected >= connections - rejected) return null;
      await pause(1_000 * Math.random());
    }
  }
}

/** Authorises and subscribes to the client’s channel. @returns the milliseconds of the authorisation */
async function subscribe({ url }: TestServer, { headers, channel }: Client, connection: RawClient) {
  const startedAt = performance.now();
  const answer = await fetch(`${url}/broadcasting/auth`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ socket_id: connection.socketId, channel_name: channel }),
  });
  const signed = (await answer.json()) as object;
  const took = performance.now() - startedAt;
  connection.send({ event: 'pusher:subscribe', data: { channel, ...signed } });
  await connection.next('pusher_internal:subscription_succeeded', channel);
  return took;
}

/** Pays for one search after another until it is aborted. @returns the statuses of the payments */
async function payUntil(signal: AbortSignal): Promise<string[]> {
  const { intents } = createPaymentWorld(next);
  const statuses: string[] = [];
  while (!signal.aborted) {
    const { caseSearchId, clientId } = await buildCase(database.database);
    const headers = { ...(await next.signInAs(clientId)), 'content-type': 'application/json' };
    // Again after a 503, as the dashboard does.
    const post = async (path: string, body: object): Promise<Record<string, string>> => {
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const answer = await fetch(`${next.url}/api${path}`, init);
      if (answer.status === 503) return pause(200).then(() => post(path, body));
      return ((await answer.json()) as { data: Record<string, string> }).data;
    };
    const { payment_id: id, client_secret: secret = '' } = await post(
      `/case-searches/${caseSearchId}/payments`,
      ownCard,
    );
    await intents.confirm(intentOf(secret), sandboxCard());
    statuses.push((await post(`/payments/${id}/refresh`, {})).status ?? '');
  }
  return statuses;
}

test('fault 41: clients of a stopped server connect to another one gradually, within its limit, while it authorises and takes payments quickly', async () => {
  const clients = await signClientsIn();
  const open: { client: Client; connection: RawClient }[] = [];
  const openOne = async (client: Client) => {
    const connection = await connect(leaving, client);
    await subscribe(leaving, client, connection);
    open.push({ client, connection });
  };
  // In groups that are smaller than the server’s queue of upgrades.
  for (let at = 0; at < clients.length; at += 50) {
    const some = clients.slice(at, at + 50);
    await Promise.all(
      some.flatMap((client) => Array.from({ length: connectionsPerClient }, () => openOne(client))),
    );
  }
  const closedAt: number[] = [];
  const authorisations: number[] = [];
  let full = 0;
  const returning = open.map(async ({ client, connection }) => {
    expect(await connection.closed).toBe(1001);
    closedAt.push(performance.now());
    const again = await connectUnlessFull(client);
    if (again) authorisations.push(await subscribe(next, client, again));
    else full += 1;
  });
  const storm = new AbortController();
  const paying = payUntil(storm.signal);
  const slowness = measureSlowness();
  const stoppedAt = performance.now();
  await leaving.stop();
  const during = measureSlowness();
  await Promise.all(returning);
  storm.abort();
  const statuses = await paying;

  const batches = Math.ceil(connections / 100);
  const drain = (batches - 1) * Math.min(5_000 / batches, 200);
  expect(Math.max(...closedAt) - stoppedAt).toBeGreaterThan(drain - 10);
  expect({ full, connected }).toEqual({ full: rejected, connected: connections - rejected });
  expect(statuses).toEqual(Array(Math.max(1, statuses.length)).fill('succeeded'));
  const sorted = authorisations.sort((one, other) => one - other);
  expect(sorted[Math.floor(sorted.length * 0.99)]).toBeLessThan(
    maxAuthorisation * Math.max(slowness, during, measureSlowness()),
  );
});

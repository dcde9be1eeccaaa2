import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildCase,
  createTestDatabase,
  createTestServer,
  fixtureDashboard,
  type TestDatabase,
} from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { createServer } from '../http/create-server.ts';
import { alertKinds } from '../platform/alert-operator.ts';
import { recordOperation } from '../platform/operations/completed-operations.ts';
import { readSettings } from '../settings/read-settings.ts';
import { startDatabaseProxy } from '../testing/database-proxy.ts';
import { createSoftwareAuthenticator } from '../testing/software-authenticator.ts';
import { compose, type Keyturn } from './compose.ts';

const lines: string[] = [];
let database: TestDatabase;
let keyturn: Keyturn;
let url: string;
const projectDirectory = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'keyturn-server-'));
beforeAll(async () => {
  database = await createTestDatabase();
  keyturn = await compose({
    settings: readSettings(
      {
        PORT: '0',
        LOG_LEVEL: 'info',
        KEYTURN_ENVIRONMENT: 'test',
        KEYTURN_DEMONSTRATION: 'off',
        KEYTURN_DATA_DIR: folder,
        KEYTURN_DASHBOARD_DIR: fixtureDashboard,
        KEYTURN_DESK_DIR: fixtureDashboard,
        KEYTURN_METRICS_PORT: '0',
      },
      projectDirectory,
    ),
    databaseUrl: database.url,
    projectDirectory,
    version: '0.0.0',
    logTo: { write: (line) => lines.push(line) },
  });
  url = await keyturn.listen();
});
afterAll(async () => {
  await keyturn.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const readMetrics = async () => (await fetch(keyturn.metricsAddress() ?? '')).text();
const logged = () => lines.map((line) => JSON.parse(line));
const post = (path: string, body: unknown, headers = {}) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('log', () => {
  test('logs the request and the event with the request’s id, and no secrets', async () => {
    const token = `kt_${'canary'.repeat(7)}x`;
    const answer = await post(
      '/api/login?access_token=canary-query',
      { email: 'canary@example.test', password: 'canary-password' },
      { authorization: `Bearer ${token}`, cookie: 'keyturn.auth=canary-cookie' },
    );
    expect(answer.status).toBe(401);
    await fetch(`${url}/api/case-searches/canary%40example.test/`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await fetch(`${url}/api/sandbox/payment-intents/pi_1_secret_canary/4539148803436467`);
    await fetch(`${url}/api/payments/${token}`);
    await post('/api/webhooks/sandbox', { client_secret: 'pi_1_secret_canary', card: '4539148803436467' });
    // A careless log call.
    keyturn.app.log.error(
      { err: new Error(`no ${token} for canary@example.test`), client_secret: 'canary' },
      `Bearer ${token}`,
    );

    const id = answer.headers.get('x-request-id');
    await expect.poll(() => logged().filter(({ reqId }) => reqId === id)).toHaveLength(2);
    const [requestLine, event] = logged().filter(({ reqId }) => reqId === id);
    expect(requestLine).toMatchObject({ event: 'request', method: 'POST', route: '/api/login', status: 401 });
    expect(requestLine.time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(event).toMatchObject({ event: 'sign-in', outcome: 'invalid_credentials', address: '127.0.0.1' });
    await expect.poll(() => logged().some((line) => line.event === 'webhook')).toBe(true);
    expect(logged().some((line) => line.event === 'access-denied')).toBe(true);
    expect(lines.join('')).toContain('Bearer [hidden]');
    expect(lines.join('').replaceAll('/api/case-searches/[email]', '')).not.toMatch(
      /canary|4539148803436467/,
    );
  });

  test('logs sign-ins and password changes with the client’s id and a keyed hash of the email', async () => {
    const { clientId } = await buildCase(database.database, {});
    const { rows } = await database.pool.query('select email from clients where id = $1', [clientId]);
    const email = rows[0].email as string;
    const token = 'z'.repeat(43);
    await database.pool.query(
      `insert into password_links (token_hash, client_id, purpose, created_at, expires_at)
       values ($1, $2, 'forgotten', now(), now() + interval '1 day')`,
      [createHash('sha256').update(token).digest(), clientId],
    );
    const lineOf = async (path: string, body: unknown) => {
      const id = (await post(path, body)).headers.get('x-request-id');
      await expect.poll(() => logged().filter(({ reqId }) => reqId === id)).toHaveLength(2);
      const [request, event] = logged().filter(({ reqId }) => reqId === id);
      expect([request.client, request.email_hash]).toEqual([event.client, event.email_hash]);
      return event;
    };
    const known = await lineOf('/api/login', { email, password: 'wrong' });
    expect(known).toMatchObject({ client: clientId, email_hash: expect.stringMatching(/^[0-9a-f]{32}$/) });
    const respelt = await lineOf('/api/password/forgot', { email: ` ${email.toUpperCase()} ` });
    expect(respelt).toMatchObject({ event: 'password-link-requested', email_hash: known.email_hash });
    const unknown = await lineOf('/api/login', { email: 'canary@example.test', password: 'wrong' });
    expect(unknown.client).toBeUndefined();
    expect(unknown.email_hash).not.toBe(known.email_hash);
    // Without the key, an attacker cannot verify a guessed address against the hash.
    expect(createHash('sha256').update(email).digest('hex')).not.toContain(known.email_hash);
    const authenticator = createSoftwareAuthenticator(url);
    const credential = authenticator.authenticate({ challenge: 'x', rpId: '127.0.0.1' });
    const wrong = 'keyturn_sign_in_attempts_total{outcome="wrong",device="unknown"}';
    const countWrong = async () => Number((await readMetrics()).split(`${wrong} `)[1]?.split('\n')[0]);
    const wrongBefore = await countWrong();
    const passkey = await lineOf('/api/passkey/login', { credential });
    expect(passkey).toMatchObject({ event: 'sign-in', outcome: 'passkey_rejected' });
    expect(await countWrong()).toBe(wrongBefore + 1);
    const set = await lineOf('/api/password/reset', { token, password: 'short' });
    expect(set).toMatchObject({ event: 'password-set', outcome: 'invalid_input', client: clientId });
    expect(lines.join('')).not.toContain(email);
  });

  test('logs the path of a staff request without its search text', async () => {
    await fetch(`${url}/api/staff/cases?q=Okafor`);
    await expect.poll(() => lines.join('')).toContain('"/api/staff/cases"');
    expect(lines.join('')).not.toContain('Okafor');
  });

  test('fault 60: escapes line breaks in paths, so that no request can forge a log line', async () => {
    const before = lines.length;
    await fetch(`${url}/api/nothing%0A%7B%22event%22:%22sign-in%22%7D`);
    await expect.poll(() => lines.length).toBeGreaterThan(before);
    for (const line of lines.slice(before)) {
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(JSON.parse(line).event).not.toBe('sign-in');
    }
  });
});

describe('metrics', () => {
  test('counts the alerts of the log by kind, and measures the age of the last backup and audit verification', async () => {
    const kindsOf = (text: string) => [
      ...text.matchAll(/^keyturn_operator_alerts_total\{kind="(\w+)"\} (\d+)$/gm),
    ];
    const before = kindsOf(await readMetrics());
    expect(before.map(([, kind]) => kind)).toEqual([...alertKinds]);
    // The metrics cannot be read completely while the table is away.
    await database.pool.query('alter table audit_links rename to away');
    await readMetrics();
    await database.pool.query('alter table away rename to audit_links');
    const at = new Date(Date.now() - 7_200_000);
    await recordOperation(database.database, { operation: 'backup', at });
    const text = await readMetrics();
    const countOf = (counted: RegExpMatchArray[], kind: string) =>
      Number(counted.find(([, name]) => name === kind)?.[2]);
    expect(countOf(kindsOf(text), 'metrics')).toBe(countOf(before, 'metrics') + 1);
    expect(logged().some(({ msg }) => msg === 'metrics could not be read')).toBe(true);
    const [, age] = /^keyturn_operation_age_seconds\{operation="backup"\} ([\d.]+)$/m.exec(text) ?? [];
    expect(Number(age)).toBeGreaterThan(7_190);
  });

  test('serves metrics on a separate port, labelled by route pattern and without personal data', async () => {
    await fetch(`${url}/api/payments/9c1185a5-c5e9-4b0b-8e61-424242424242`);
    await fetch(`${url}/api/some/where`);
    await fetch(`${url}/some/where`);
    const address = keyturn.metricsAddress() ?? '';
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect((await fetch(`${url}/metrics`)).headers.get('content-type')).toContain('text/html');
    expect((await fetch(address.replace('/metrics', '/'))).status).toBe(404);
    const answer = await fetch(address);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    const text = await answer.text();
    expect(text).toMatch(
      /keyturn_http_request_duration_seconds_count\{method="GET",route="\/api\/payments\/:id",status="401"\} \d/,
    );
    for (const metric of [
      'keyturn_database_connections{state="idle"}',
      'keyturn_jobs{state="waiting"} 0',
      'keyturn_jobs{state="failed"} 0',
      'keyturn_channel_connections 0',
      'keyturn_audit_entries ',
      'keyturn_channel_published ',
      'keyturn_http_requests_shed_total 0',
      'nodejs_eventloop_lag_seconds',
      'process_resident_memory_bytes',
      '# TYPE keyturn_payment_transitions gauge',
      '# TYPE keyturn_webhooks gauge',
      'route="/api/*"',
      'route="/*"',
    ]) {
      expect(text).toContain(metric);
    }
    expect(text).not.toMatch(/9c1185a5|where|127\.0\.0\.1/);
  });

  test.each([
    [
      'alerts.yaml',
      (source: string) => parse(source).groups[0].rules.map((rule: { expr: string }) => rule.expr),
    ],
    [
      'dashboard.json',
      (source: string) =>
        JSON.parse(source).panels.flatMap((panel: { targets: { expr: string }[] }) =>
          panel.targets.map(({ expr }) => expr),
        ),
    ],
  ])('serves every metric that deploy/monitoring/%s uses', async (file, readExpressions) => {
    const source = readFileSync(join(projectDirectory, 'deploy/monitoring', file), 'utf8');
    const expressions: string[] = readExpressions(source);
    const used = new Set(expressions.join('\n').match(/\b(keyturn|nodejs|process)_\w+/g));
    const text = await readMetrics();
    const served = new Set(
      [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    );
    expect(used.size).toBeGreaterThan(8);
    expect([...used].filter((name) => !served.has(name))).toEqual([]);
  });
});

test('fault 33: a server stays ready while the database is unreachable, and reports the problem until it is over', async () => {
  const proxy = await startDatabaseProxy(database.url);
  const disconnected = await compose({
    settings: readSettings(
      {
        PORT: '0',
        LOG_LEVEL: 'silent',
        KEYTURN_ENVIRONMENT: 'test',
        KEYTURN_DEMONSTRATION: 'off',
        KEYTURN_DATA_DIR: folder,
        KEYTURN_DASHBOARD_DIR: fixtureDashboard,
        KEYTURN_DESK_DIR: fixtureDashboard,
      },
      projectDirectory,
    ),
    databaseUrl: proxy.url,
    projectDirectory,
    version: '0.0.0',
  });
  try {
    const address = await disconnected.listen();
    const health = async () => {
      const [ready, alive] = await Promise.all([fetch(`${address}/readyz`), fetch(`${address}/healthz`)]);
      return [ready.status, alive.status, await ready.json()];
    };
    expect(await health()).toEqual([200, 200, { status: 'ok' }]);
    for (const state of ['cut', 'silent'] as const) {
      proxy.set(state);
      const problem = { status: 'ok', database: 'the database does not answer' };
      expect(await health(), state).toEqual([200, 200, problem]);
      // The page explains what the API cannot answer.
      expect((await fetch(address)).status).toBe(200);
      const headers = { authorization: `Bearer kt_${'x'.repeat(43)}` };
      expect((await fetch(`${address}/api/client`, { headers })).status).toBe(503);
      proxy.set('open');
      await expect.poll(health, { timeout: 20_000 }).toEqual([200, 200, { status: 'ok' }]);
    }
  } finally {
    proxy.set('open');
    await disconnected.close();
    await proxy.close();
  }
});

test('fault 72: a stopping server immediately reports that it is not ready, and still serves requests until it closes', async () => {
  const stopping = await compose({
    settings: readSettings(
      {
        PORT: '0',
        LOG_LEVEL: 'silent',
        KEYTURN_ENVIRONMENT: 'test',
        KEYTURN_DEMONSTRATION: 'off',
        KEYTURN_DATA_DIR: folder,
        KEYTURN_DASHBOARD_DIR: fixtureDashboard,
        KEYTURN_DESK_DIR: fixtureDashboard,
      },
      projectDirectory,
    ),
    databaseUrl: database.url,
    projectDirectory,
    version: '0.0.0',
  });
  const address = await stopping.listen();
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  // Also what happens for KEYTURN_DRAIN_SECONDS, which are none here.
  await stopping.drain();
  const [ready, healthy] = await Promise.all([fetch(`${address}/readyz`), fetch(`${address}/healthz`)]);
  expect([ready.status, healthy.status]).toEqual([503, 200]);
  // Proxies and browsers open the next connection to another server.
  expect(healthy.headers.get('connection')).toBe('close');
  await stopping.close();
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
});

test('fault 65: answers requests that arrive too slowly, or not at all, with 408, closes their connections and keeps its capacity for others', async () => {
  const capacity = 25;
  const slow = await createServer({
    handlers: {} as never,
    authenticate: async () => null,
    readMaintenance: async () => ({ general: null, case_history: null }),
    logLevel: 'silent',
    trustedProxies: 0,
    version: '1',
    apiPlugins: [],
    isReady: async () => true,
    load: { maxConcurrentRequests: capacity, lag: () => 0 },
    timeouts: { headers: 600, request: 900, checkEvery: 50 },
  });
  const address = await slow.listen({ port: 0, host: '127.0.0.1' });
  let opened = 0;
  slow.server.on('connection', () => (opened += 1));
  const connections = () =>
    new Promise<number>((done) => slow.server.getConnections((_error, count) => done(count)));
  /** Sends `start` and then one byte at a time. @returns the response */
  const sendSlowly = (start: string, rest = 'a') =>
    new Promise<string>((done) => {
      let response = '';
      let timer: NodeJS.Timeout | undefined;
      const socket = connect(Number(new URL(address).port), '127.0.0.1', () => {
        socket.write(start);
        timer = setInterval(() => socket.write(rest), 40);
      });
      socket.on('data', (part) => (response += part));
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(timer);
        done(response);
      });
    });
  const askAtOnce = async (count: number) => {
    const headers = { connection: 'close' };
    const answers = Array.from({ length: count }, () => fetch(`${address}/api/nothing`, { headers }));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  const body = 'host: a\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n';
  const answers = Array.from({ length: 20 }, () => [
    sendSlowly('GET /healthz HTTP/1.1\r\nx-a: '),
    sendSlowly(`POST /api/login HTTP/1.1\r\n${body}`),
    sendSlowly('', ''),
  ]).flat();
  await expect.poll(() => opened, { interval: 10 }).toBe(60);
  expect(await askAtOnce(5)).toEqual(Array(5).fill(404));
  for (const answer of await Promise.all(answers)) expect(answer).toContain('408');
  await expect.poll(connections).toBe(0);
  expect(await askAtOnce(capacity)).toEqual(Array(capacity).fill(404));
  await slow.close();
});

test('a server listens with a backlog of 4,096 connections', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen');
  const listening = await createTestServer();
  expect(listen.mock.calls.flat()).toContainEqual(expect.objectContaining({ backlog: 4_096 }));
  listen.mockRestore();
  await listening.stop();
});

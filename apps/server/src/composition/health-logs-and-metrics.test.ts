import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer as createListener, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, fixtureDashboard, type TestDatabase } from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer } from '../http/create-server.ts';
import { readSettings } from '../settings/read-settings.ts';
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

const logged = () => lines.map((line) => JSON.parse(line));
const post = (path: string, body: unknown, headers = {}) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('the log', () => {
  test('has a line with the request’s id, and one for the event, and no secret in any', async () => {
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
    // Whatever somebody may write in haste.
    keyturn.app.log.error(
      { err: new Error(`no ${token} for canary@example.test`), client_secret: 'canary' },
      `Bearer ${token}`,
    );

    const id = answer.headers.get('x-request-id');
    await expect.poll(() => logged().filter(({ reqId }) => reqId === id)).toHaveLength(2);
    const [one, event] = logged().filter(({ reqId }) => reqId === id);
    expect(one).toMatchObject({ event: 'request', method: 'POST', route: '/api/login', status: 401 });
    expect(one.time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(event).toMatchObject({ event: 'sign-in', outcome: 'invalid_credentials', address: '127.0.0.1' });
    await expect.poll(() => logged().some((line) => line.event === 'webhook')).toBe(true);
    expect(logged().some((line) => line.event === 'access-denied')).toBe(true);
    expect(lines.join('')).toContain('Bearer [hidden]');
    expect(lines.join('').replaceAll('/api/case-searches/[email]', '')).not.toMatch(
      /canary|4539148803436467/,
    );
  });

  test('keeps what somebody sends to one line', async () => {
    const before = lines.length;
    await fetch(`${url}/api/nothing%0A%7B%22event%22:%22sign-in%22%7D`);
    await expect.poll(() => lines.length).toBeGreaterThan(before);
    for (const line of lines.slice(before)) {
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(JSON.parse(line).event).not.toBe('sign-in');
    }
  });
});

describe('the figures', () => {
  test('are on a port of their own, by pattern, and say whose nothing is', async () => {
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
    for (const figure of [
      'keyturn_database_connections{state="idle"}',
      'keyturn_jobs{state="waiting"} 0',
      'keyturn_jobs{state="failed"} 0',
      'keyturn_channel_connections 0',
      'keyturn_channel_published ',
      'keyturn_http_requests_shed_total 0',
      'nodejs_eventloop_lag_seconds',
      'process_resident_memory_bytes',
      '# TYPE keyturn_payment_moves gauge',
      '# TYPE keyturn_webhooks gauge',
      'route="/api/*"',
      'route="/*"',
    ]) {
      expect(text).toContain(figure);
    }
    expect(text).not.toMatch(/9c1185a5|where|127\.0\.0\.1/);
  });
});

test('while the database is away or does not answer it is alive and not ready, and ready again after', async () => {
  const line = await lineTo(database.url);
  const cutOff = await compose({
    settings: readSettings(
      {
        PORT: '0',
        LOG_LEVEL: 'silent',
        KEYTURN_ENVIRONMENT: 'test',
        KEYTURN_DEMONSTRATION: 'off',
        KEYTURN_DATA_DIR: folder,
        KEYTURN_DASHBOARD_DIR: fixtureDashboard,
      },
      projectDirectory,
    ),
    databaseUrl: line.url,
    projectDirectory,
    version: '0.0.0',
  });
  try {
    const address = await cutOff.listen();
    const health = async () => {
      const [ready, alive] = await Promise.all([fetch(`${address}/readyz`), fetch(`${address}/healthz`)]);
      return [ready.status, alive.status];
    };
    expect(await health()).toEqual([200, 200]);
    for (const state of ['cut', 'silent'] as const) {
      line.set(state);
      expect(await health(), state).toEqual([503, 200]);
      line.set('open');
      await expect.poll(health, { timeout: 20_000 }).toEqual([200, 200]);
    }
  } finally {
    line.set('open');
    await cutOff.close();
    await line.close();
  }
});

test('a server that is about to stop says at once that it is not ready, and goes on serving until it is', async () => {
  const stopping = await compose({
    settings: readSettings(
      {
        PORT: '0',
        LOG_LEVEL: 'silent',
        KEYTURN_ENVIRONMENT: 'test',
        KEYTURN_DEMONSTRATION: 'off',
        KEYTURN_DATA_DIR: folder,
        KEYTURN_DASHBOARD_DIR: fixtureDashboard,
      },
      projectDirectory,
    ),
    databaseUrl: database.url,
    projectDirectory,
    version: '0.0.0',
  });
  const address = await stopping.listen();
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  const closed = stopping.close();
  const [ready, healthy] = await Promise.all([
    stopping.app.inject({ url: '/readyz' }),
    stopping.app.inject({ url: '/healthz' }),
  ]);
  expect([ready.statusCode, healthy.statusCode]).toEqual([503, 200]);
  await closed;
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
});

test('a head that comes drop by drop is answered 408 and holds no place', async () => {
  const slow = await createServer({
    handlers: {} as never,
    authenticate: async () => null,
    readMaintenance: async () => ({ general: null, case_history: null }),
    logLevel: 'silent',
    trustedProxies: 0,
    version: '1',
    apiPlugins: [],
    isReady: async () => true,
    timeouts: { headers: 200, request: 400, checkEvery: 50 },
  });
  await slow.listen({ port: 0, host: '127.0.0.1' });
  const { port } = slow.server.address() as { port: number };
  const end = (start: string) =>
    new Promise<string>((done) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(start));
      let heard = '';
      const dripping = setInterval(() => socket.write('a'), 40);
      socket.on('data', (part) => (heard += part));
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(dripping);
        done(heard);
      });
    });
  expect(await end('GET /healthz HTTP/1.1\r\nx-a: ')).toContain('408');
  expect(
    await end(
      'POST /api/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n',
    ),
  ).toContain('408');
  await slow.close();
});

/** A way to the database: open, cut (nothing gets through, and what was under way ends), or silent (nothing comes back). */
async function lineTo(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'silent' = 'open';
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  const listening = createListener((near) => {
    if (state === 'cut') return near.destroy();
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.on('data', (part) => {
        if (state === 'open') other.write(part);
      });
    }
  });
  await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listening.address() as AddressInfo).port}`;
  return {
    url: url.href,
    set(next: typeof state) {
      // What went into the silence does not come back by itself.
      if (next === 'cut' || state === 'silent') end();
      state = next;
    },
    close: () =>
      new Promise((closed) => {
        end();
        listening.close(closed);
      }),
  };
}

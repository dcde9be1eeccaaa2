import { type CallKey, calls } from '@keyturn/contract';
import {
  buildClient,
  countStatements,
  createTestClock,
  type TestClock,
  withTestDatabase,
} from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectDatabase } from '../../adapters/postgres/connect.ts';
import { signInRoutes } from '../../doors/client/sign-in-routes.ts';
import type { CallHandlers } from '../../http/call-handlers.ts';
import { createServer } from '../../http/create-server.ts';
import { createSecretBox } from '../../platform/credentials/secret-box.ts';
import type { Database } from '../../platform/database.ts';
import { createKnownDevices } from '../credentials/known-devices.ts';
import { createLoginThrottle } from '../credentials/login-throttle.ts';
import { createPasswords, type Passwords } from '../credentials/passwords.ts';
import { clientFactorRules } from './factors/client-factor-rules.ts';
import { createSessions } from './sessions.ts';
import type { SignInOutcome } from './sign-in.ts';

const password = 'turn-the-key-2026';
const wrong = 'turn-the-key-2025';

const stored = withTestDatabase();
let clock: TestClock;
const passwords = createPasswords();
const servers: FastifyInstance[] = [];

beforeAll(async () => {
  await buildClient(stored.database, { email: 'amelia@example.test', password });
  await buildClient(stored.database, { email: 'Zoë.O’Neill@Example.Test', password });
  await buildClient(stored.database, { email: 'invited@example.test' });
});
beforeEach(async () => {
  clock = createTestClock('2026-05-04T09:00:00Z');
  await stored.database.execute(sql`truncate login_failures, sessions, known_devices`);
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const dependenciesOf = (database: Database, used: Passwords) => {
  const sessions = createSessions({ database, clock, expiresIn: 43_200, idleAfter: 1_800 });
  return { ...othersOf(database, used), sessions, factorRules: clientFactorRules };
};

const othersOf = (database: Database, used: Passwords) => ({
  database,
  passwords: used,
  secrets: createSecretBox(['a test'], 'client'),
  productName: 'Keyturn',
  devices: createKnownDevices({ database, clock }),
  throttle: createLoginThrottle({ database, clock }),
  clock,
  codeClock: clock,
  alertOperator: () => {},
});

/** A server with only the sign-in calls. */
async function serve(
  database: Database = stored.database,
  used: Passwords = passwords,
  onSignIn?: (attempt: SignInOutcome) => void,
) {
  const others = (Object.keys(calls) as CallKey[]).map((key) => [
    key,
    async () => expect.fail(`${key} was called`),
  ]);
  const dependencies = { ...dependenciesOf(database, used), onSignIn };
  const { sessions } = dependencies;
  const server = await createServer({
    handlers: {
      ...(Object.fromEntries(others) as CallHandlers),
      ...signInRoutes(dependencies),
    },
    authenticate: sessions.authenticate,
    logLevel: 'silent',
    trustedProxies: 1,
    version: '1.0.0',
    apiPlugins: [],
    isReady: async () => true,
    readMaintenance: async () => ({ general: null, case_history: null }),
  });
  servers.push(server);
  return {
    login: (email: string, secret: string, address = '198.51.100.1', cookie?: string) =>
      server.inject({
        method: 'POST',
        url: '/api/login',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': address,
          ...(cookie === undefined ? {} : { cookie }),
        },
        payload: JSON.stringify({ email, password: secret }),
      }),
    logout: (token: string) =>
      server.inject({ method: 'POST', url: '/api/logout', headers: { authorization: `Bearer ${token}` } }),
    sessions,
  };
}

/** The real password functions, with counted calls. */
function countedPasswords() {
  const counted = {
    looks: 0,
    ...passwords,
    matches: (secret: string, hash: string | null) => {
      counted.looks++;
      return passwords.matches(secret, hash);
    },
  };
  return counted;
}

describe('signing in', () => {
  test('sign-in returns a token that authenticates the client for twelve hours', async () => {
    const { login, sessions } = await serve();
    const response = await login('amelia@example.test', password);
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    const { data } = response.json();
    expect(data).toEqual({
      access_token: expect.stringMatching(/^kt_/),
      token_type: 'Bearer',
      expires_in: 43_200,
    });
    expect(await sessions.authenticate(data.access_token, { touch: true })).not.toBeNull();
  });

  test('sign-in returns a new token each time', async () => {
    const { login } = await serve();
    const [one, other] = [
      await login('amelia@example.test', password),
      await login('amelia@example.test', password),
    ];
    expect(one.json().data.access_token).not.toBe(other.json().data.access_token);
  });

  test.each([
    'AMELIA@Example.TEST',
    '  amelia@example.test\t',
    'zoë.o’neill@example.test',
    'ZOË.O’NEILL@EXAMPLE.TEST',
  ])('signing in accepts the email written as %j', async (email) => {
    const { login } = await serve();
    expect((await login(email, password)).statusCode).toBe(200);
  });

  test('fault 69: sign-in answers the same for a wrong password, an unknown email and a client without a password', async () => {
    const { login } = await serve();
    const answers = [
      await login('amelia@example.test', wrong),
      await login('nobody@example.test', wrong),
      await login('invited@example.test', wrong),
      await login('nobody@example.test', 'k'.repeat(1_000)),
      await login('amelia@example.test', 'k'.repeat(1_000)),
      await login("' or 1=1 --", "' or 1=1 --"),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toEqual({
        message: 'These credentials do not match our records.',
        code: 'invalid_credentials',
      });
      const { 'x-request-id': _id, date: _date, ...headers } = answer.headers;
      const { 'x-request-id': _firstId, date: _firstDate, ...first } = answers[0]?.headers ?? {};
      expect(headers).toEqual(first);
      expect(answer.body).toBe(answers[0]?.body);
    }
  });

  test('fault 69: sign-in does the same work for a known and an unknown email', async () => {
    const counted = countStatements(stored.url);
    const looking = countedPasswords();
    const { login } = await serve(counted.database, looking);
    await login('nobody@example.test', wrong);
    const known = await counted.countStatementsOf(() => login('amelia@example.test', wrong));
    const unknown = await counted.countStatementsOf(() => login('someone@example.test', wrong));
    const withoutPassword = await counted.countStatementsOf(() => login('invited@example.test', wrong));
    expect([unknown, withoutPassword]).toEqual([known, known]);
    expect(looking.looks).toBe(4);
    await counted.close();
  });

  test.each(['amelia@example.test\u0000', 'amelia\ud83d@example.test'])(
    'signing in treats an email that the database cannot store as unknown: %j',
    async (email) => {
      const routes = signInRoutes(dependenciesOf(stored.database, passwords));
      const signingIn = routes['POST /login']({
        body: { email, password },
        params: undefined,
        query: undefined,
        about: () => {},
        idempotencyKey: undefined,
        client: undefined,
        address: '198.51.100.1',
        userAgent: null,
        device: { token: null, remember: () => {} },
        challenge: { value: null, set: () => {}, clear: () => {} },
        newToken: undefined,
        origin: 'https://clients.example.test',
      });
      await expect(signingIn).rejects.toMatchObject({ code: 'invalid_credentials' });
    },
  );

  test('sign-in rejects the correct password after five failures, for known and unknown emails alike', async () => {
    const { login } = await serve();
    for (const email of ['amelia@example.test', 'nobody@example.test']) {
      for (let n = 1; n <= 5; n++) expect((await login(email, wrong)).statusCode).toBe(401);
      const refused = await login(email.toUpperCase(), password);
      expect(refused.statusCode).toBe(429);
      expect(refused.headers['retry-after']).toBe('60');
      expect(refused.json()).toEqual({
        message: 'Too many login attempts. Please try again in 60 seconds.',
        code: 'too_many_login_attempts',
      });
    }
    clock.advance(60_000);
    expect((await login('amelia@example.test', password)).statusCode).toBe(200);
  });

  test('a successful sign-in resets the failure count', async () => {
    const { login } = await serve();
    for (let round = 0; round < 2; round++) {
      for (let n = 1; n <= 4; n++) await login('amelia@example.test', wrong, '203.0.113.9');
      expect((await login('amelia@example.test', password, '203.0.113.9')).statusCode).toBe(200);
    }
  });

  test('sign-in attempts are counted by the address from the trusted proxy, not by the caller’s claim', async () => {
    const { login } = await serve();
    for (let n = 1; n <= 20; n++) await login(`client-${n}@example.test`, wrong, `10.0.0.${n}, 203.0.113.5`);
    expect((await login('amelia@example.test', password, '10.9.9.9, 203.0.113.5')).statusCode).toBe(429);
    expect((await login('amelia@example.test', password, '10.0.0.1, 203.0.113.6')).statusCode).toBe(200);
  });

  test('fault 69: sign-in checks the password only five times for fifty concurrent guesses on two servers', async () => {
    const otherPool = connectDatabase({ url: stored.url, size: 10 });
    const looking = countedPasswords();
    const two = [await serve(stored.database, looking), await serve(otherPool.database, looking)] as const;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        two[n % 2 ? 1 : 0].login('amelia@example.test', `guess number ${n}`, `198.51.100.${n}`),
      ),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(45);
    expect(looking.looks).toBe(5);
    await otherPool.close();
  });

  const deviceFrom = (answer: { headers: { 'set-cookie'?: unknown } }) =>
    String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';

  test('fault 69: a client can sign in on a known device while an attacker sends wrong passwords from the same address', async () => {
    const { login } = await serve();
    const first = await login('amelia@example.test', password);
    expect(first.headers['set-cookie']).toMatch(
      /^keyturn-device=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    );
    const cookie = `theme=dark; ${deviceFrom(first)}`;
    for (let n = 1; n <= 25; n++) await login('amelia@example.test', wrong);
    expect((await login('amelia@example.test', password)).statusCode).toBe(429);
    const again = await login('amelia@example.test', password, undefined, cookie);
    expect(again.statusCode).toBe(200);
    expect(deviceFrom(again)).toBe(deviceFrom(first));
  });

  test('sign-in does not treat a device as known for other clients, or with a forged cookie', async () => {
    const { login } = await serve();
    const cookie = deviceFrom(await login('zoë.o’neill@example.test', password));
    for (let n = 1; n <= 5; n++) await login('amelia@example.test', wrong, `198.51.100.${n}`);
    for (const device of [cookie, `keyturn-device=${'A'.repeat(43)}`, 'keyturn-device=']) {
      expect((await login('amelia@example.test', password, undefined, device)).statusCode).toBe(429);
    }
    clock.advance(60_000);
    const planted = await login(
      'amelia@example.test',
      password,
      undefined,
      `keyturn-device=${'A'.repeat(43)}`,
    );
    expect(deviceFrom(planted)).not.toContain('A'.repeat(43));
    const shared = await login('amelia@example.test', password, undefined, cookie);
    expect(deviceFrom(shared)).toBe(cookie);
  });

  test('sign-in throttles wrong passwords on a known device as well', async () => {
    const { login } = await serve();
    const cookie = deviceFrom(await login('amelia@example.test', password));
    for (let n = 1; n <= 5; n++) {
      expect((await login('amelia@example.test', wrong, `198.51.100.${n}`, cookie)).statusCode).toBe(401);
    }
    expect((await login('amelia@example.test', password, undefined, cookie)).statusCode).toBe(429);
  });

  test('sign-in removes known devices after 180 days without use, and keeps at most twenty devices of a client', async () => {
    const { login } = await serve();
    const cookies = [];
    for (let n = 0; n < 21; n++) {
      clock.advance(1_000);
      cookies.push(deviceFrom(await login('amelia@example.test', password)));
    }
    for (let n = 1; n <= 5; n++) await login('amelia@example.test', wrong);
    expect((await login('amelia@example.test', password, undefined, cookies[0])).statusCode).toBe(429);
    expect((await login('amelia@example.test', password, undefined, cookies[20])).statusCode).toBe(200);
    clock.advance(180 * 86_400_000);
    for (let n = 1; n <= 5; n++) await login('amelia@example.test', wrong);
    expect((await login('amelia@example.test', password, undefined, cookies[20])).statusCode).toBe(429);
  });

  test('each sign-in attempt is reported with its outcome, and whether the device is known', async () => {
    const outcomes: SignInOutcome[] = [];
    const { login } = await serve(stored.database, passwords, (outcome) => outcomes.push(outcome));
    const cookie = deviceFrom(await login('amelia@example.test', password));
    for (let n = 1; n <= 6; n++) await login('amelia@example.test', wrong);
    await login('amelia@example.test', wrong, undefined, cookie);
    expect(outcomes).toEqual([
      { outcome: 'signed_in', device: 'unknown' },
      ...Array(5).fill({ outcome: 'wrong', device: 'unknown' }),
      { outcome: 'throttled', device: 'unknown' },
      { outcome: 'wrong', device: 'known' },
    ]);
  });

  test('sign-in attempts whose password was never checked are not counted', async () => {
    const full = createPasswords({ concurrency: 1, maxQueued: 0 });
    await full.matches('the stand-in is ready', null);
    const { login } = await serve(stored.database, full);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => login('amelia@example.test', password, `198.51.100.${n}`)),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 429)).toEqual([]);
    expect(statuses).toContain(200);
    expect(statuses).toContain(503);
    const { rows } = await stored.pool.query('select 1 from login_failures');
    // Only the emails about the successful ones are counted.
    expect(rows).toHaveLength(statuses.filter((status) => status === 200).length);
  });
});

describe('signing out', () => {
  test('signing out ends only the current session on the server', async () => {
    const { login, logout, sessions } = await serve();
    const [token, other] = [
      await login('amelia@example.test', password),
      await login('amelia@example.test', password),
    ].map((answer) => answer.json().data.access_token as string) as [string, string];
    const answer = await logout(token);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect((await logout(token)).statusCode).toBe(401);
    expect(await sessions.authenticate(other, { touch: true })).not.toBeNull();
  });
});

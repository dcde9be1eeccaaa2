import { createTestClock, createTestDatabase, type TestClock, type TestDatabase } from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectDatabase } from '../../adapters/postgres/connect.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Lane, signInLanes } from './attempt-lanes.ts';
import { createLoginThrottle, type LoginAttempt, type LoginThrottle } from './login-throttle.ts';

let stored: TestDatabase;
let otherPool: ReturnType<typeof connectDatabase>;
let clock: TestClock;
/** Throttles of two servers on one database. */
let here: LoginThrottle;
let there: LoginThrottle;

beforeAll(async () => {
  stored = await createTestDatabase();
  otherPool = connectDatabase({ url: stored.url, size: 10 });
});
afterAll(async () => {
  await otherPool.close();
  await stored.drop();
});
beforeEach(async () => {
  await stored.database.execute(sql`truncate login_failures`);
  clock = createTestClock('2026-05-04T09:00:00Z');
  here = createLoginThrottle({ database: stored.database, clock });
  there = createLoginThrottle({ database: otherPool.database, clock });
});

const fail = async (throttle: LoginThrottle, email: string, address: string) =>
  (await throttle.admit(unknownDeviceLanes(email, address))).failed();

const refused = (promise: Promise<unknown>): Promise<DomainError> =>
  promise.then(
    () => expect.fail('the attempt was admitted'),
    (error: unknown) => (error instanceof DomainError ? error : Promise.reject(error)),
  );

const unknownDeviceLanes = (email: string, address: string) =>
  signInLanes('client', email, { address, device: null, isKnown: false });
const knownDeviceLane = (email: string, device: string) =>
  signInLanes('client', email, { address: '192.0.2.1', device, isKnown: true });
const address = (n: number) => `198.51.100.${n}`;
const manyServers = () =>
  Array.from({ length: 10 }, (_, n) =>
    createLoginThrottle({ database: n % 2 ? stored.database : otherPool.database, clock }),
  );

const countFailures = async () => {
  const { rows } = await stored.pool.query<{ count: number }>(
    'select count(*)::int as count from login_failures',
  );
  return rows[0]?.count;
};

describe('login throttle', () => {
  test('the login throttle rejects the sixth attempt in a minute for one email, from any address', async () => {
    for (let n = 1; n <= 5; n++) await fail(here, 'amelia@example.test', address(n));
    const refusal = await refused(here.admit(unknownDeviceLanes('amelia@example.test', address(6))));
    expect(refusal.code).toBe('too_many_login_attempts');
    expect(refusal.retryAfter).toBe(60);
    expect(refusal.message).toBe('Too many login attempts. Please try again in 60 seconds.');
    await expect(here.admit(unknownDeviceLanes('tom@example.test', address(1)))).resolves.toBeDefined();
  });

  test('the login throttle admits an attempt after the number of seconds it announced', async () => {
    await fail(here, 'amelia@example.test', address(1));
    clock.advance(20_500);
    for (let n = 2; n <= 5; n++) await fail(here, 'amelia@example.test', address(n));
    const refusal = await refused(here.admit(unknownDeviceLanes('amelia@example.test', address(6))));
    expect(refusal.retryAfter).toBe(40);
    clock.advance(39_000);
    expect(
      (await refused(here.admit(unknownDeviceLanes('amelia@example.test', address(6))))).retryAfter,
    ).toBe(1);
    clock.advance(1_000);
    await fail(here, 'amelia@example.test', address(6));
    expect(
      (await refused(here.admit(unknownDeviceLanes('amelia@example.test', address(6))))).retryAfter,
    ).toBe(20);
  });

  test('the login throttle does not extend the wait for rejected attempts', async () => {
    for (let n = 1; n <= 5; n++) await fail(here, 'amelia@example.test', address(n));
    for (let n = 0; n < 10; n++) {
      clock.advance(5_000);
      await refused(here.admit(unknownDeviceLanes('amelia@example.test', address(6))));
    }
    clock.advance(10_000);
    await expect(here.admit(unknownDeviceLanes('amelia@example.test', address(6)))).resolves.toBeDefined();
  });

  test('the login throttle rejects the twenty-first attempt in a minute from one address, for any email', async () => {
    for (let n = 1; n <= 20; n++) await fail(here, `client-${n}@example.test`, address(1));
    expect(
      (await refused(here.admit(unknownDeviceLanes('amelia@example.test', address(1))))).retryAfter,
    ).toBe(60);
    await expect(here.admit(unknownDeviceLanes('amelia@example.test', address(2)))).resolves.toBeDefined();
  });

  test('the login throttle counts an IPv6 /64 network as one address', async () => {
    for (let n = 1; n <= 20; n++) await fail(here, `client-${n}@example.test`, `2001:db8:1:2::${n}`);
    await refused(here.admit(unknownDeviceLanes('amelia@example.test', '2001:db8:1:2:ffff::1')));
    await expect(
      here.admit(unknownDeviceLanes('amelia@example.test', '2001:db8:1:3::1')),
    ).resolves.toBeDefined();
  });

  /** Sends a wrong password whenever one is admitted, and returns the waits in seconds between the admitted ones. */
  async function guessFor(hours: number, lanes: () => Lane[]) {
    const until = clock().getTime() + hours * 3_600_000;
    const waits: number[] = [];
    let tries = 0;
    while (clock().getTime() < until && waits.length < 400) {
      try {
        (await (tries++ % 2 ? here : there).admit(lanes())).failed();
        waits.push(0);
      } catch (error) {
        const wait = (error as DomainError).retryAfter ?? Number.NaN;
        waits[waits.length - 1] = wait;
        clock.advance(wait * 1_000);
      }
    }
    return waits;
  }

  test('fault 69: the login throttle makes each guess for one email wait longer, from any address and on any server', async () => {
    let guesses = 0;
    const waits = await guessFor(24, () =>
      unknownDeviceLanes('amelia@example.test', address(guesses++ % 250)),
    );
    // Five immediately, twice; then one every 5 minutes, every 15, and every hour.
    const expected = [
      0,
      0,
      0,
      0,
      60,
      0,
      0,
      0,
      0,
      300,
      ...Array(9).fill(300),
      ...Array(10).fill(900),
      3_600,
      3_600,
    ];
    expect(waits.slice(0, 31)).toEqual(expected);
    expect(waits.length).toBeLessThan(60);
  });

  test('fault 69: the login throttle makes guesses from one address wait longer, for any email', async () => {
    let guesses = 0;
    const waits = await guessFor(24, () =>
      unknownDeviceLanes(`client-${guesses++}@example.test`, address(1)),
    );
    expect([waits[19], waits[59], waits[119], waits[239]]).toEqual([60, 60, 300, 900]);
    expect(waits.length).toBeLessThan(330);
  });

  test('the login throttle returns to the first delays once a day has passed without failures', async () => {
    await guessFor(3, () => unknownDeviceLanes('amelia@example.test', address(1)));
    clock.advance(86_400_000);
    for (let n = 1; n <= 5; n++) await fail(here, 'amelia@example.test', address(n));
    expect(
      (await refused(here.admit(unknownDeviceLanes('amelia@example.test', address(6))))).retryAfter,
    ).toBe(60);
  });

  test('the login throttle does not count an attacker’s guesses for a known device', async () => {
    await guessFor(6, () => unknownDeviceLanes('amelia@example.test', address(1)));
    await fail(here, 'amelia@example.test', address(1));
    const attempt = await there.admit(knownDeviceLane('amelia@example.test', 'the device'));
    expect(attempt.failed()).toEqual({ device: 1 });
    await refused(here.admit(unknownDeviceLanes('amelia@example.test', address(2))));
  });

  test('the login throttle makes guesses on a known device wait too', async () => {
    const waits = await guessFor(24, () => knownDeviceLane('amelia@example.test', 'the device'));
    expect(waits.slice(0, 5)).toEqual([0, 0, 0, 0, 60]);
    expect(waits.length).toBeLessThan(60);
  });

  test('the login throttle counts failures across servers', async () => {
    for (let n = 1; n <= 5; n++) await fail(n % 2 ? here : there, 'amelia@example.test', address(n));
    await refused(here.admit(unknownDeviceLanes('amelia@example.test', address(6))));
    await refused(there.admit(unknownDeviceLanes('amelia@example.test', address(6))));
  });

  test('the login throttle clears the email’s failures on success, but not the address’s other failures', async () => {
    for (let n = 1; n <= 4; n++) await fail(here, 'amelia@example.test', address(1));
    await (await here.admit(unknownDeviceLanes('amelia@example.test', address(1)))).succeeded();
    for (let n = 1; n <= 5; n++) await fail(here, 'amelia@example.test', address(2));
    await refused(here.admit(unknownDeviceLanes('amelia@example.test', address(2))));
    for (let n = 5; n <= 20; n++) await fail(here, `client-${n}@example.test`, address(1));
    await refused(here.admit(unknownDeviceLanes('tom@example.test', address(1))));
  });

  test('the login throttle does not count a withdrawn attempt', async () => {
    for (let n = 1; n <= 10; n++)
      await (await here.admit(unknownDeviceLanes('amelia@example.test', address(1)))).withdrawn();
    expect(await countFailures()).toBe(0);
  });

  test('the login throttle does not count an attempt whose work fails', async () => {
    const attempt = await here.admit(unknownDeviceLanes('amelia@example.test', address(1)));
    const failing = Promise.reject(new Error('the database is away'));
    await expect(attempt.withdrawnIfFails(failing)).rejects.toThrow('the database is away');
    expect(await countFailures()).toBe(0);
  });

  test('the login throttle enforces the limit for concurrent attempts on ten servers', async () => {
    const servers = manyServers();
    const attempts = await Promise.allSettled(
      Array.from({ length: 50 }, async (_, n) => {
        const attempt = await servers[n % 10]?.admit(unknownDeviceLanes('amelia@example.test', address(n)));
        // Checking the password takes a while, and the others arrive meanwhile.
        await stored.pool.query('select pg_sleep(0.02)');
        attempt?.failed();
      }),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const attempt of attempts) {
      if (attempt.status === 'rejected') {
        expect(attempt.reason).toMatchObject({ code: 'too_many_login_attempts' });
      }
    }
  });

  test('the login throttle enforces the address limit for concurrent attempts on ten servers', async () => {
    const servers = manyServers();
    const attempts = await Promise.allSettled(
      Array.from({ length: 60 }, async (_, n) =>
        (await servers[n % 10]?.admit(unknownDeviceLanes(`client-${n}@example.test`, address(1))))?.failed(),
      ),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  });

  test('the login throttle admits thirty concurrent correct passwords, ten of them for one email', async () => {
    const admitted = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const attempt = await here.admit(
          unknownDeviceLanes(n < 10 ? 'amelia@example.test' : `client-${n}@example.test`, address(1)),
        );
        await stored.pool.query('select pg_sleep(0.01)');
        await attempt.succeeded();
        return true;
      }),
    );
    expect(admitted).toHaveLength(30);
    expect(await countFailures()).toBe(0);
  });

  test('the login throttle rejects immediately when the counted failures are final', async () => {
    for (let n = 1; n <= 5; n++) await fail(here, 'amelia@example.test', address(1));
    const unsettled: LoginAttempt = await here.admit(unknownDeviceLanes('tom@example.test', address(1)));
    await refused(here.admit(unknownDeviceLanes('amelia@example.test', address(1))));
    unsettled.failed();
  });

  test('the login throttle counts an attempt as failed if its server never finished it', async () => {
    for (let n = 1; n <= 5; n++) await here.admit(unknownDeviceLanes('amelia@example.test', address(n)));
    await refused(there.admit(unknownDeviceLanes('amelia@example.test', address(6))));
  });

  test('fault 47: the login throttle never rejects for longer than a minute, even after the clock moved back', async () => {
    for (let n = 1; n <= 5; n++) await fail(here, 'amelia@example.test', address(n));
    clock.advance(-600_000);
    expect(
      (await refused(here.admit(unknownDeviceLanes('amelia@example.test', address(6))))).retryAfter,
    ).toBe(60);
  });

  test('the login throttle stores no emails or addresses and deletes old failures', async () => {
    for (let n = 1; n <= 5; n++) await fail(here, 'amelia@example.test', address(n));
    const { rows } = await stored.pool.query<{ subject: Buffer }>('select subject from login_failures');
    expect(rows).toHaveLength(10);
    expect(rows.every(({ subject }) => subject.length === 32)).toBe(true);
    clock.advance(86_400_001);
    await fail(here, 'tom@example.test', address(9));
    expect(await countFailures()).toBe(2);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildCase,
  createPaymentWorld,
  createTestClock,
  fixtureInstallationId,
  startTestPayment,
  type TestClock,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { drizzle } from 'drizzle-orm/node-postgres';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHighWaterMarkFile } from '../../adapters/files/high-water-mark-file.ts';
import { type PaymentProvider, ProviderUnavailable } from '../ports/provider.ts';
import { type ContinuityDependencies, createContinuity } from './continuity.ts';
import { resumePayments } from './continuity-store.ts';

const database = withFreshTestDatabase();
let clock: TestClock;
let folder: string;
let alerts: string[];
beforeEach(() => {
  clock = createTestClock();
  folder = mkdtempSync(join(tmpdir(), 'keyturn-high-water-mark-'));
  alerts = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const paused = { code: 'payments_paused' };

/** The continuity of a server, over the sandbox. */
function open(change: Partial<ContinuityDependencies> = {}) {
  const { dependencies } = createPaymentWorld(database, { clock });
  return createContinuity({
    ...dependencies,
    highWaterMark: null,
    alertOperator: (message) => alerts.push(message),
    ...change,
  });
}
/** Resets the database, as a restore does. */
const setBack = (change: string) => database.pool.query(`update payment_continuity set ${change}`);
/** Removes all payments, as a restore does. */
async function losePayments() {
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  await client.query('delete from payments');
  await client.query('delete from sandbox_intents');
  await client.query('commit');
  client.release();
}
/** A sandbox with an additional intent of this installation that has no payment in the database. */
function withForgottenIntent(status: 'succeeded' | 'cancelled' = 'succeeded'): PaymentProvider {
  const { provider } = createPaymentWorld(database, { clock }).dependencies;
  return {
    ...provider,
    listIntentLabels: async () => [
      {
        intentId: 'pi_forgotten',
        status,
        amount: 18_000,
        createdAt: clock(),
        description: '',
        paymentId: '7d9f0a9c-1f0e-4b1e-8a58-0d9a6f2f1c11',
        caseId: null,
        kind: 'search',
        method: 'card',
        installationId: fixtureInstallationId,
        searchId: null,
        clientId: null,
        matterId: null,
        receiptNumber: null,
      },
    ],
  };
}

test('accepts payments after comparing the record with the provider once', async () => {
  let comparisons = 0;
  const { provider } = createPaymentWorld(database, { clock }).dependencies;
  const continuity = open({
    provider: {
      ...provider,
      listIntentLabels: (since) => {
        comparisons += 1;
        return provider.listIntentLabels(since);
      },
    },
  });
  for (let payment = 0; payment < 20; payment += 1) await continuity.checkOpen();
  expect(comparisons).toBe(1);
  clock.advance(11 * 60_000);
  await continuity.checkOpen();
  expect(comparisons).toBe(2);
});

test('fault 74: pauses payments while the provider cannot list its intents', async () => {
  const { provider } = createPaymentWorld(database, { clock }).dependencies;
  let isAvailable = false;
  const listIntentLabels = (since: Date) =>
    isAvailable ? provider.listIntentLabels(since) : Promise.reject(new ProviderUnavailable('no connection'));
  const continuity = open({ provider: { ...provider, listIntentLabels } });
  await expect(continuity.checkOpen()).rejects.toMatchObject(paused);
  isAvailable = true;
  clock.advance(10_000);
  await continuity.checkOpen();
  expect(alerts).toEqual([]);
});

test('fault 74: pauses payments on all servers when the provider has a payment that the database lacks', async () => {
  const other = open();
  await other.checkOpen();
  await expect(open({ provider: withForgottenIntent() }).checkOpen()).rejects.toMatchObject(paused);
  await expect(other.checkOpen()).rejects.toMatchObject(paused);
  expect(alerts[0]).toMatch(/^payments are paused: .*keyturn payments recover/);
});

describe('with two accounts', () => {
  /** The sandbox and a copy of it as the firm's other account; each can be unavailable. */
  const twoAccounts = () => {
    const { provider } = createPaymentWorld(database, { clock }).dependencies;
    const away = new Set<string>();
    const withName = (name: 'sandbox' | 'stripe_business'): PaymentProvider => ({
      ...provider,
      name,
      listIntentLabels: (since) =>
        away.has(name)
          ? Promise.reject(new ProviderUnavailable('no connection'))
          : provider.listIntentLabels(since),
    });
    const active = [withName('sandbox'), withName('stripe_business')];
    return { away, change: { provider: active[0] as PaymentProvider, providers: { active, former: [] } } };
  };

  test.each([
    ['sandbox', 'stripe_business'],
    ['stripe_business', 'sandbox'],
  ] as const)(
    'fault 88: an outage of the account %s pauses its own payments and not those of %s',
    async (first, second) => {
      const { away, change } = twoAccounts();
      const continuity = open(change);
      await continuity.compare();
      away.add(first);
      clock.advance(11 * 60_000);
      await continuity.checkOpen();
      await continuity.checkOpen(second);
      await expect(continuity.checkOpen(first)).rejects.toMatchObject(paused);
      for (let minutes = 0; minutes < 40; minutes += 8) {
        clock.advance(8 * 60_000);
        await continuity.checkOpen(second);
        await expect(continuity.checkOpen(first)).rejects.toMatchObject(paused);
      }
      expect(alerts).toEqual([expect.stringMatching(/^an account of the payment provider does not answer/)]);
      away.clear();
      clock.advance(10_000);
      await continuity.checkOpen(first);
    },
  );

  test('fault 88: an account that was unavailable is compared from the moment at which all accounts last answered', async () => {
    const { away, change } = twoAccounts();
    const before = open(change);
    await before.compare();
    away.add('stripe_business');
    clock.advance(3_600_000);
    await before.checkOpen('sandbox');
    const asked: Date[] = [];
    const [client, business] = change.providers.active;
    const listIntentLabels: PaymentProvider['listIntentLabels'] = (since) => {
      asked.push(since);
      return (client as PaymentProvider).listIntentLabels(since);
    };
    const active = [client, { ...business, listIntentLabels }] as PaymentProvider[];
    const later = open({ ...change, providers: { active, former: [] } });
    await later.checkOpen('stripe_business');
    // Created before both accounts were last compared.
    expect(asked[0]?.getTime()).toBeLessThanOrEqual(clock().getTime() - 3_600_000 - 60_000);
  });

  test('fault 91: no account accepts payments after a restore while one that may know lost payments does not answer', async () => {
    const { away, change } = twoAccounts();
    const [, business] = change.providers.active as [PaymentProvider, PaymentProvider];
    const highWaterMark = () => createHighWaterMarkFile(join(folder, 'data', 'payments-witness.json'));
    await open({ ...change, highWaterMark: highWaterMark() }).compare();
    // The database and the high-water mark are both restored to that moment; a payment at the client account is lost.
    const forgotten = withForgottenIntent();
    const client: PaymentProvider = {
      ...forgotten,
      listIntentLabels: (since) =>
        away.has('sandbox')
          ? Promise.reject(new ProviderUnavailable('no connection'))
          : forgotten.listIntentLabels(since),
    };
    const providers = { active: [client, business], former: [] };
    const after = open({ provider: client, providers, highWaterMark: highWaterMark() });
    away.add('sandbox');
    for (const name of ['stripe_business', 'sandbox', undefined] as const) {
      await expect(after.checkOpen(name)).rejects.toMatchObject(paused);
      await expect(after.compare()).rejects.toThrow(ProviderUnavailable);
    }
    expect(alerts).toEqual([
      expect.stringMatching(/may know payments .*no payments are accepted until it does/),
    ]);
    away.clear();
    expect(await after.compare()).toBe(false);
    await expect(after.checkOpen('stripe_business')).rejects.toMatchObject(paused);
    expect(alerts[1]).toMatch(/^payments are paused: .*keyturn payments recover/);
  });

  test('fault 91: after a standby has taken over, no account accepts payments until all have been compared again', async () => {
    const { away, change } = twoAccounts();
    let timeline: string | null = null;
    const pool = new Proxy(database.pool, {
      get: (target, key) =>
        key === 'query'
          ? async (...given: [text: string, values?: unknown[]]) => {
              const answer = await target.query<{ timeline?: string }>(...given);
              const [row] = answer.rows;
              if (timeline && row?.timeline) row.timeline = timeline;
              return answer;
            }
          : Reflect.get(target, key, target),
    });
    const asked: number[] = [];
    const active = change.providers.active.map((provider) => ({
      ...provider,
      listIntentLabels: (since: Date) => {
        asked.push(clock().getTime() - since.getTime());
        return provider.listIntentLabels(since);
      },
    }));
    const continuity = open({
      provider: active[0] as PaymentProvider,
      providers: { active, former: [] },
      database: drizzle({ client: pool }),
    });
    await continuity.compare();
    away.add('sandbox');
    await continuity.compare();
    await continuity.checkOpen('stripe_business');
    timeline = '0000000A';
    await setBack("checked_until = checked_until - interval '1 hour'");
    await expect(continuity.checkOpen('stripe_business')).rejects.toMatchObject(paused);
    away.clear();
    asked.length = 0;
    await continuity.compare();
    // Compared since the moment stored in the standby, because this server's own comparisons were of another
    // database.
    expect(asked).toEqual([3_660_000, 3_660_000]);
    await continuity.checkOpen('stripe_business');
  });

  test('fault 88: while an account never answers, the other one is compared only since its own last comparison', async () => {
    const { away, change } = twoAccounts();
    const asked: number[] = [];
    const active = change.providers.active.map((provider) => ({
      ...provider,
      listIntentLabels: (since: Date) => {
        if (provider.name === 'sandbox') asked.push(clock().getTime() - since.getTime());
        return provider.listIntentLabels(since);
      },
    }));
    const continuity = open({ provider: active[0] as PaymentProvider, providers: { active, former: [] } });
    await continuity.compare();
    away.add('stripe_business');
    asked.length = 0;
    for (let minutes = 0; minutes < 60; minutes += 10) {
      clock.advance(600_000);
      await continuity.compare();
    }
    const tenMinutesAndOverlap = 660_000;
    expect(asked).toEqual(Array(6).fill(tenMinutesAndOverlap));
  });

  test('fault 88: payments at an account that does not answer compare the accounts once in ten seconds', async () => {
    const { away, change } = twoAccounts();
    const [client, business] = change.providers.active as [PaymentProvider, PaymentProvider];
    let comparisons = 0;
    const counted: PaymentProvider = {
      ...client,
      listIntentLabels: (since) => {
        comparisons += 1;
        return client.listIntentLabels(since);
      },
    };
    const providers = { active: [counted, business], former: [] };
    const start = () => open({ provider: counted, providers });
    const payments = async (continuity: ReturnType<typeof start>) => {
      comparisons = 0;
      for (let second = 0; second < 20; second += 2) {
        await expect(continuity.checkOpen('stripe_business')).rejects.toMatchObject(paused);
        clock.advance(2_000);
      }
      return comparisons;
    };
    const continuity = start();
    await continuity.compare();
    away.add('stripe_business');
    clock.advance(660_000);
    expect(await payments(continuity)).toBe(2);
    await continuity.checkOpen('sandbox');
    expect(await payments(start())).toBe(2);
    away.clear();
    await continuity.compare();
    await continuity.checkOpen('stripe_business');
  });

  test('fault 88: payments are paused while neither account answers', async () => {
    const { away, change } = twoAccounts();
    away.add('sandbox').add('stripe_business');
    const continuity = open(change);
    await expect(continuity.checkOpen()).rejects.toMatchObject(paused);
    await expect(continuity.compare()).rejects.toThrow(ProviderUnavailable);
  });
});

test('ignores cancelled intents without a payment', async () => {
  await open({ provider: withForgottenIntent('cancelled') }).checkOpen();
});

test('fault 74: detects a database that was restored while the server runs', async () => {
  const continuity = open();
  for (let round = 0; round < 3; round += 1) await continuity.compare();
  await setBack('rounds = 1');
  await expect(continuity.checkOpen()).rejects.toMatchObject(paused);
});

test('fault 74: detects a database that was restored while the server was stopped, with a file outside the database', async () => {
  const highWaterMark = () => createHighWaterMarkFile(join(folder, 'data', 'payments-witness.json'));
  const before = open({ highWaterMark: highWaterMark() });
  for (let round = 0; round < 3; round += 1) await before.compare();
  await open({ highWaterMark: highWaterMark() }).checkOpen();
  await setBack('rounds = 1');
  await expect(open({ highWaterMark: highWaterMark() }).checkOpen()).rejects.toMatchObject(paused);
});

test('fault 74: detects that a payment of the last seconds was lost', async () => {
  const continuity = open();
  const { dependencies } = createPaymentWorld(database, { clock, dependencies: { continuity } });
  const { clientId, caseSearchId } = await buildCase(database.database);
  await startTestPayment(dependencies, { clientId, caseSearchId });
  await startTestPayment(dependencies, { clientId, caseSearchId });
  await continuity.checkOpen();
  await losePayments();
  await expect(continuity.checkOpen()).rejects.toMatchObject(paused);
});

test('fault 74: accepts payments after a recovery, although unpaid payments that a running server remembers are lost', async () => {
  const continuity = open();
  const { dependencies } = createPaymentWorld(database, { clock, dependencies: { continuity } });
  const { clientId, caseSearchId } = await buildCase(database.database);
  await startTestPayment(dependencies, { clientId, caseSearchId });
  await losePayments();
  await expect(continuity.checkOpen()).rejects.toMatchObject(paused);
  await resumePayments(database.database, { checkedUntil: clock(), left: [] });
  await continuity.checkOpen();
  await startTestPayment(dependencies, { clientId, caseSearchId });
  await losePayments();
  await expect(continuity.checkOpen()).rejects.toMatchObject(paused);
});

test('accepts a payment that is restarted before its intent was created', async () => {
  const continuity = open();
  const { dependencies } = createPaymentWorld(database, {
    clock,
    dependencies: { continuity },
    provider: () => ({ createIntent: () => Promise.reject(new ProviderUnavailable('no connection')) }),
  });
  const { clientId, caseSearchId } = await buildCase(database.database);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await expect(startTestPayment(dependencies, { clientId, caseSearchId })).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
  }
});

test('fault 74: compares a longer period when the clock went back', async () => {
  const starts: Date[] = [];
  const { provider } = createPaymentWorld(database, { clock }).dependencies;
  const continuity = open({
    provider: {
      ...provider,
      listIntentLabels: async (since) => {
        starts.push(since);
        return [];
      },
    },
  });
  await continuity.checkOpen();
  clock.advance(-2 * 86_400_000);
  await continuity.checkOpen();
  expect(starts).toHaveLength(2);
  expect(starts[1]?.getTime()).toBeLessThan(clock().getTime() - 20 * 86_400_000);
});

import {
  buildCase,
  buildMatter,
  createPaymentWorld,
  createTestClock,
  createTestServer,
  intentOf,
  ownCard,
  type StripeSimulator,
  sandboxCard,
  startStripeSimulator,
  stripeSettings,
  type TestServer,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelAfterDeclinesHandler } from '../checkout/cancel-after-declines.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { type PaymentProvider, ProviderUnavailable } from '../ports/provider.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { type AttemptLimits, createPaymentAttempts } from './payment-attempts.ts';

const usual: AttemptLimits = { starts: { client: 10, address: 30 }, declines: { client: 8, address: 20 } };
const declined = '4000000000000002';

describe('the limits against card testing', () => {
  const testDatabase = withFreshTestDatabase();

  function openWorld(limits = usual) {
    const clock = createTestClock('2026-11-21T09:00:00Z');
    const alerts: string[] = [];
    const alertOperator = (message: string) => void alerts.push(message);
    const attempts = createPaymentAttempts({ limits, clock, alertOperator });
    const world = createPaymentWorld(testDatabase, { clock, dependencies: { attempts } });
    return { ...world, clock, alerts };
  }
  /** A client with this many searches to pay. */
  async function clientWith(searches: number) {
    const { clientId, matters } = await buildCase(testDatabase.database, {
      matters: [{ searches: Array.from({ length: searches }, () => ({})) }],
    });
    return { clientId, searches: matters[0]?.searchIds ?? [] };
  }
  const start = (
    dependencies: PaymentDependencies,
    clientId: string,
    caseSearchId = '',
    address = '198.51.100.7',
  ) =>
    startSearchPayment(dependencies, {
      clientId,
      caseSearchId,
      confirmed: ownCard,
      idempotencyKey: undefined,
      address,
    });
  const refused = { code: 'too_many_payment_attempts' };

  test('lets a client start ten payments in an hour, and another once the first is an hour old', async () => {
    const { dependencies, clock, alerts } = openWorld();
    const { clientId, searches } = await clientWith(12);
    for (const search of searches.slice(0, 10)) {
      await start(dependencies, clientId, search);
      clock.advance(60_000);
    }
    await expect(start(dependencies, clientId, searches[10])).rejects.toMatchObject({
      ...refused,
      retryAfter: 3_000,
      message: 'There have been too many payment attempts. Please try again in 50 minutes, or call us.',
    });
    // Resuming an open payment is not a new start.
    await start(dependencies, clientId, searches[3]);
    expect(alerts).toHaveLength(1);
    clock.advance(3_000_000);
    await start(dependencies, clientId, searches[10]);
    await expect(start(dependencies, clientId, searches[11])).rejects.toMatchObject(refused);
  });

  test('enforces the limit of starts for concurrent requests to several servers', async () => {
    const servers = [openWorld(), openWorld(), openWorld()];
    const { clientId, searches } = await clientWith(20);
    const outcomes = await Promise.allSettled(
      searches.map((search, index) => {
        const { dependencies } = servers[index % servers.length] as (typeof servers)[number];
        return start(dependencies, clientId, search);
      }),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const { rows } = await testDatabase.pool.query('select count(*)::int as payments from payments');
    expect(rows).toEqual([{ payments: 10 }]);
  });

  test('counts starts per address across clients, and an IPv6 network as one address', async () => {
    const { dependencies } = openWorld({ ...usual, starts: { client: 3, address: 5 } });
    const people = [await clientWith(3), await clientWith(3)];
    const outcomes: PromiseSettledResult<unknown>[] = [];
    for (const [index, { clientId, searches }] of people.entries()) {
      for (const [turn, search] of searches.entries()) {
        const address = `2001:db8:0:1::${index}${turn}`;
        outcomes.push(...(await Promise.allSettled([start(dependencies, clientId, search, address)])));
      }
    }
    expect(outcomes.map(({ status }) => status)).toEqual([...Array(5).fill('fulfilled'), 'rejected']);
    const [, { clientId, searches } = await clientWith(1)] = people;
    await start(dependencies, clientId, searches[2], '2001:db8:0:2::1');
  });

  /** Submits a card, and handles its webhooks as a server does. */
  async function tryCard(
    { intents, dependencies, eventsOf }: ReturnType<typeof openWorld>,
    secret: string | null,
    number = declined,
  ) {
    const intent = await intents.confirm(intentOf(secret), sandboxCard(number));
    for (const event of await eventsOf(intentOf(secret))) await handleWebhookEvent(dependencies, event);
    return intent;
  }
  /** Runs the queued jobs. */
  async function runJobs({ dependencies }: ReturnType<typeof openWorld>) {
    const { rows } = await testDatabase.pool.query(
      'delete from graphile_worker._private_jobs returning payload',
    );
    for (const { payload } of rows) await cancelAfterDeclinesHandler(dependencies).work(payload);
    return rows.length;
  }
  const countDeclines = async () =>
    (
      await testDatabase.pool.query(
        "select count(*)::int as declines from payment_attempts where kind = 'decline'",
      )
    ).rows[0].declines;

  test('fault 20: counts a decline once when its webhook arrived while the provider was unavailable', async () => {
    const world = openWorld();
    const { dependencies, intents, eventsOf } = world;
    const { clientId, searches } = await clientWith(1);
    const intentId = intentOf((await start(dependencies, clientId, searches[0])).client_secret);
    await intents.confirm(intentId, sandboxCard(declined));
    const retrieveIntent = () => Promise.reject(new ProviderUnavailable('no connection'));
    const unavailable = { ...dependencies, provider: { ...dependencies.provider, retrieveIntent } };
    for (const event of await eventsOf(intentId)) await handleWebhookEvent(unavailable, event);
    expect(await countDeclines()).toBe(1);
    await syncPaymentFromProvider(dependencies, intentId, { name: 'reconciliation' });
    expect(await countDeclines()).toBe(1);
    // The next decline, which no webhook reports, is counted too.
    await intents.confirm(intentId, sandboxCard('4000000000009995'));
    await syncPaymentFromProvider(dependencies, intentId, { name: 'reconciliation' });
    expect(await countDeclines()).toBe(2);
  });

  test('counts a decline and syncs its payment at the same time without a deadlock', async () => {
    const { dependencies, intents, eventsOf } = openWorld();
    const { clientId, searches } = await clientWith(1);
    const { client_secret, payment_id } = await start(dependencies, clientId, searches[0]);
    await intents.confirm(intentOf(client_secret), sandboxCard(declined));
    const [event] = await eventsOf(intentOf(client_secret));
    if (!event) throw new Error('the sandbox sent no event');
    let handled = Promise.resolve();
    await testDatabase.database.transaction(async (learning) => {
      await learning.execute(sql`select 1 from payments where id = ${payment_id} for update`);
      handled = handleWebhookEvent(dependencies, event);
      await expect.poll(waiting).toBe(1);
      const { rows } = await learning.execute(
        sql`select pg_try_advisory_xact_lock(hashtextextended('payment attempts ' || ${clientId}, 0)) as is_free`,
      );
      expect(rows).toEqual([{ is_free: true }]);
    });
    await handled;
    expect(await countDeclines()).toBe(1);
  });
  const waiting = async () =>
    (
      await testDatabase.pool.query(
        "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      )
    ).rows[0].waiting;

  test('cancels payments at the former provider too, but none that is under review', async () => {
    const world = openWorld();
    const { dependencies, intents } = world;
    const { clientId, searches } = await clientWith(2);
    const [first, reviewed] = [
      await start(dependencies, clientId, searches[0]),
      await start(dependencies, clientId, searches[1]),
    ];
    await testDatabase.pool.query("update payments set review_reason = 'test' where id = $1", [
      reviewed.payment_id,
    ]);
    const atStripe: PaymentProvider = { ...dependencies.provider, name: 'stripe' };
    const changed = {
      ...dependencies,
      provider: atStripe,
      providers: { active: [], former: [dependencies.provider] },
    };
    await cancelAfterDeclinesHandler(changed).work({ paymentId: first.payment_id, clientId });
    expect(await intents.find(intentOf(first.client_secret))).toMatchObject({ status: 'canceled' });
    expect(await intents.find(intentOf(reviewed.client_secret))).toMatchObject({
      status: 'requires_payment_method',
    });
    const { rows } = await testDatabase.pool.query('select status from payments where id = $1', [
      first.payment_id,
    ]);
    expect(rows).toEqual([{ status: 'cancelled' }]);
  });

  test('fault 20: counts each declined card once, even if its webhook is repeated, and lets a client continue after three', async () => {
    const world = openWorld();
    const { clientId, searches } = await clientWith(1);
    const { client_secret, payment_id } = await start(world.dependencies, clientId, searches[0]);
    for (const number of [declined, declined, '4000000000009995'])
      await tryCard(world, client_secret, number);
    for (const event of await world.eventsOf(intentOf(client_secret)))
      await handleWebhookEvent(world.dependencies, event);
    expect(await countDeclines()).toBe(3);
    expect(await runJobs(world)).toBe(0);
    expect(await start(world.dependencies, clientId, searches[0])).toMatchObject({ payment_id });
    expect((await tryCard(world, client_secret, '4242424242424242')).status).toBe('succeeded');
  });

  test('counts a decline once when it was synced before its webhook came', async () => {
    const world = openWorld();
    const { clientId, searches } = await clientWith(1);
    const { client_secret } = await start(world.dependencies, clientId, searches[0]);
    await world.intents.confirm(intentOf(client_secret), sandboxCard(declined));
    await syncPaymentFromProvider(world.dependencies, intentOf(client_secret), { name: 'reconciliation' });
    expect(await countDeclines()).toBe(1);
    for (const event of await world.eventsOf(intentOf(client_secret)))
      await handleWebhookEvent(world.dependencies, event);
    expect(await countDeclines()).toBe(1);
  });

  test('cancels every open payment of a client at the provider with their eighth decline', async () => {
    const world = openWorld();
    const { clientId, searches } = await clientWith(3);
    const one = await start(world.dependencies, clientId, searches[0]);
    const other = await start(world.dependencies, clientId, searches[1]);
    for (let tries = 0; tries < 8; tries += 1) await tryCard(world, one.client_secret);
    await runJobs(world);
    for (const { client_secret, payment_id } of [one, other]) {
      expect((await tryCard(world, client_secret, '4242424242424242')).status).toBe('canceled');
      const { rows } = await testDatabase.pool.query('select status from payments where id = $1', [
        payment_id,
      ]);
      expect(rows).toEqual([{ status: 'cancelled' }]);
    }
    expect(world.alerts).toEqual([expect.stringContaining('testing stolen ones')]);
    for (const search of searches) {
      await expect(start(world.dependencies, clientId, search)).rejects.toMatchObject({
        ...refused,
        retryAfter: 86_400,
        message: 'There have been too many payment attempts. Please try again in 24 hours, or call us.',
      });
    }
    world.clock.advance(86_400_001);
    await start(world.dependencies, clientId, searches[2]);
  });

  test('cancels only the payment of the declined card when an address reaches its limit', async () => {
    const world = openWorld({ ...usual, declines: { client: 4, address: 6 } });
    const [tester, next, neighbour] = [await clientWith(1), await clientWith(1), await clientWith(1)];
    const startFirst = ({ clientId, searches }: typeof tester) =>
      start(world.dependencies, clientId, searches[0]);
    const theirs = await startFirst(tester);
    const nextPayment = await startFirst(next);
    const neighbours = await startFirst(neighbour);
    for (let tries = 0; tries < 4; tries += 1) await tryCard(world, theirs.client_secret);
    for (let tries = 0; tries < 2; tries += 1) await tryCard(world, nextPayment.client_secret);
    await runJobs(world);
    expect((await tryCard(world, nextPayment.client_secret, '4242424242424242')).status).toBe('canceled');
    expect((await tryCard(world, neighbours.client_secret, '4242424242424242')).status).toBe('succeeded');
  });

  test('retries the cancellation of payments while the provider is unavailable', async () => {
    const world = openWorld({ ...usual, declines: { client: 4, address: 20 } });
    const { clientId, searches } = await clientWith(1);
    const { client_secret } = await start(world.dependencies, clientId, searches[0]);
    for (let tries = 0; tries < 4; tries += 1) await tryCard(world, client_secret);
    const { rows } = await testDatabase.pool.query('select payload from graphile_worker._private_jobs');
    const unavailable = {
      ...world.dependencies,
      provider: {
        ...world.dependencies.provider,
        cancelIntent: () => Promise.reject(new Error('the provider is unavailable')),
      },
    };
    await expect(cancelAfterDeclinesHandler(unavailable).work(rows[0].payload)).rejects.toThrow(
      'is unavailable',
    );
    expect(await runJobs(world)).toBe(1);
    expect((await tryCard(world, client_secret, '4242424242424242')).status).toBe('canceled');
  });

  test('deletes idempotency keys after 30 days, and keeps younger ones and all payments', async () => {
    const { dependencies, clock } = openWorld();
    const { clientId, searches } = await clientWith(1);
    await start(dependencies, clientId, searches[0], '198.51.100.78');
    await testDatabase.pool.query(
      `insert into payment_idempotency_keys (client_id, key, content_hash, payment_id, created_at)
       select client_id, 'key ' || age, '\\x00', id, $1::timestamptz - age * interval '1 day'
       from payments, unnest(array[29, 30, 31]) as age where client_id = $2`,
      [clock(), clientId],
    );
    await dependencies.attempts.deleteExpired(testDatabase.database);
    const { rows } = await testDatabase.pool.query(
      "select key from payment_idempotency_keys where key like 'key %' and client_id = $1",
      [clientId],
    );
    expect(rows).toEqual([{ key: 'key 29' }]);
  });

  test('deletes attempts after a day, and stores no address', async () => {
    const { dependencies, clock } = openWorld();
    const { clientId, searches } = await clientWith(1);
    await start(dependencies, clientId, searches[0], '198.51.100.77');
    const count = async () =>
      (await testDatabase.pool.query('select a::text as row from payment_attempts a')).rows;
    expect(await count()).toEqual([{ row: expect.not.stringContaining('198.51.100.77') }]);
    clock.advance(86_399_000);
    await dependencies.attempts.deleteExpired(testDatabase.database);
    expect(await count()).toHaveLength(1);
    clock.advance(1_000);
    await dependencies.attempts.deleteExpired(testDatabase.database);
    expect(await count()).toEqual([]);
  });
});

describe('a server that is used for card testing', () => {
  const env = {
    KEYTURN_PAYMENT_STARTS_PER_CLIENT: '3',
    KEYTURN_PAYMENT_STARTS_PER_ADDRESS: '30',
    KEYTURN_CARD_DECLINES_PER_CLIENT: '4',
    KEYTURN_CARD_DECLINES_PER_ADDRESS: '20',
    KEYTURN_TRUSTED_PROXIES: '1',
  };
  let simulator: StripeSimulator;
  let sandbox: TestServer;
  let stripe: TestServer;
  beforeAll(async () => {
    simulator = await startStripeSimulator();
    sandbox = await createTestServer({ env });
    stripe = await createTestServer({
      env: { ...env, ...stripeSettings(simulator) },
    });
  });
  afterAll(async () => {
    await sandbox.stop();
    await stripe.stop();
    await simulator.stop();
  });

  async function open(server: TestServer) {
    const { clientId, id } = await buildCase(server.database);
    const { searchIds } = await buildMatter(server.database, { caseId: id, searches: [{}, {}, {}, {}] });
    const headers = await server.signInAs(clientId);
    const start = (search: string | undefined, forwarded = '203.0.113.9') =>
      server.app.inject({
        method: 'POST',
        url: `/api/case-searches/${search}/payments`,
        headers: { ...headers, 'x-forwarded-for': forwarded },
        payload: ownCard,
      });
    const statusOf = async (paymentId: string) =>
      (await server.app.inject({ url: `/api/payments/${paymentId}`, headers })).json().data.status;
    return { searchIds, start, statusOf };
  }

  test('answers 429 with Retry-After and a message when a client is throttled', async () => {
    const { searchIds, start } = await open(sandbox);
    for (const search of searchIds.slice(0, 3)) expect((await start(search)).statusCode).toBe(200);
    const answer = await start(searchIds[3]);
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_500);
    expect(answer.json()).toEqual({
      code: 'too_many_payment_attempts',
      message: 'There have been too many payment attempts. Please try again in 60 minutes, or call us.',
    });
  });

  test('cancels the intent at Stripe when only webhooks report the declines', async () => {
    const { searchIds, start, statusOf } = await open(stripe);
    const started = (await start(searchIds[0])).json().data;
    const intentId = intentOf(started.client_secret);
    for (let tries = 0; tries < 4; tries += 1) {
      expect(() => simulator.intents.confirm(intentId, 'pm_card_chargeDeclinedInsufficientFunds')).toThrow();
      const last = simulator.webhooks.waiting.at(-1);
      if (last) await simulator.webhooks.deliver(`${stripe.url}/api/webhooks/stripe`, last);
    }
    await expect.poll(() => statusOf(started.payment_id), { timeout: 10_000 }).toBe('cancelled');
    expect(simulator.intents.find(intentId)).toMatchObject({ status: 'canceled' });
    expect((await start(searchIds[0])).json().code).toBe('too_many_payment_attempts');
  });
});

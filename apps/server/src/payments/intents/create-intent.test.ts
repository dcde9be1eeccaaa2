import {
  buildCase,
  createPaymentWorld,
  createTestClock,
  createTestDatabase,
  intentOf,
  measureSlowness,
  ownCard,
  type StripeSimulator,
  startStripeSimulator,
  type TestDatabase,
} from '@keyturn/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createStripeProvider } from '../../adapters/stripe/create-stripe-provider.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { IdempotencyKeyConflict } from '../ports/provider.ts';

let testDatabase: TestDatabase;
let simulator: StripeSimulator;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  simulator = await startStripeSimulator(createTestClock());
});
afterEach(() => simulator.stop());

/** A search to pay at the simulated Stripe. */
async function searchAtStripe() {
  const provider = createStripeProvider({
    secretKey: 'rk_test_simulated',
    publishableKey: 'pk_test_simulated',
    webhookSecrets: [simulator.webhookSecret],
    apiBase: simulator.url,
    timeout: Math.round(400 * measureSlowness()),
  });
  const { clock } = simulator;
  const world = createPaymentWorld(testDatabase, { provider: () => provider, clock });
  const { clientId, caseSearchId } = await buildCase(testDatabase.database);
  const start = (confirmed: { price?: number } = {}) =>
    startSearchPayment(world.dependencies, {
      clientId,
      caseSearchId,
      confirmed: { ...ownCard, ...confirmed },
      idempotencyKey: undefined,
    });
  const payments = async () =>
    (
      await testDatabase.pool.query('select * from payments where case_search_id = $1 order by created_at', [
        caseSearchId,
      ])
    ).rows;
  const costs = (gross: number) =>
    testDatabase.pool.query(
      'update case_searches set price_net = $2, price_vat = 0, price_gross = $2 where id = $1',
      [caseSearchId, gross],
    );
  return { ...world, provider, start, payments, costs };
}
const made = () => simulator.calls.filter(({ request }) => request === 'POST /v1/payment_intents').length;
const days = 24 * 3_600_000;

test('starts a payment with one call to Stripe, and continues it by retrieving its intent', async () => {
  const { start } = await searchAtStripe();
  const started = await start();
  expect(simulator.calls.map(({ request }) => request)).toEqual(['POST /v1/payment_intents']);
  expect(await start()).toEqual(started);
  expect(simulator.calls.slice(1).map(({ request }) => request)).toEqual([
    `GET /v1/payment_intents/${intentOf(started.client_secret)}`,
  ]);
});

test('fault 19: puts a payment under review, and gives out no secret, if its intent has another amount', async () => {
  const { provider, dependencies, start, payments, alerts } = await searchAtStripe();
  const { createIntent } = provider;
  dependencies.provider.createIntent = async (terms) => ({ ...(await createIntent(terms)), amount: 1 });
  await expect(start()).rejects.toMatchObject({ code: 'payment_under_review' });
  expect(await payments()).toMatchObject([{ review_reason: expect.stringContaining('the amount is 1') }]);
  expect(alerts).toHaveLength(1);
});

describe('fault 7: an idempotency key that Stripe has forgotten', () => {
  test('before using an old key, looks up an intent that was created but never stored by its metadata', async () => {
    const { start, payments } = await searchAtStripe();
    simulator.faults.push('broken after', 'broken after', 'broken after');
    await expect(start()).rejects.toMatchObject({ code: 'provider_unavailable' });
    simulator.clock.advance(1.1 * days);
    const before = made();
    const { client_secret } = await start();
    expect(made()).toBe(before);
    expect(simulator.intents.all().map(({ id }) => id)).toEqual([intentOf(client_secret)]);
    expect(await payments()).toMatchObject([{ provider_intent_id: intentOf(client_secret) }]);
  });

  test('creates one intent for concurrent requests with an old key if Stripe has none', async () => {
    const { start } = await searchAtStripe();
    simulator.faults.push('broken before', 'broken before', 'broken before');
    await expect(start()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(simulator.intents.all()).toEqual([]);
    simulator.clock.advance(1.1 * days);
    await Promise.all([start(), start()]);
    expect(simulator.intents.all()).toHaveLength(1);
  });

  test('creates no intent with an idempotency key that has expired while Stripe is unavailable', async () => {
    const { start } = await searchAtStripe();
    simulator.faults.push('broken after', 'broken after', 'broken after');
    await expect(start()).rejects.toMatchObject({ code: 'provider_unavailable' });
    simulator.clock.advance(1.1 * days);
    simulator.faults.push(503, 503, 503);
    await expect(start()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(simulator.intents.all()).toHaveLength(1);
  });
});

describe('fault 9: a changed price', () => {
  test('cancels the intent at the old price, and requires the new price to be shown before a new payment', async () => {
    const { start, payments, costs } = await searchAtStripe();
    const old = await start();
    await costs(9_900);
    await expect(start()).rejects.toMatchObject({ code: 'price_changed' });
    expect(simulator.intents.find(intentOf(old.client_secret)).status).toBe('canceled');
    expect(() => simulator.intents.confirm(intentOf(old.client_secret), 'pm_card_visa')).toThrow();
    const replacement = await start({ price: 9_900 });
    expect(replacement).toMatchObject({ amount: 9_900, status: 'requires_payment_method' });
    expect(simulator.intents.find(intentOf(replacement.client_secret)).amount).toBe(9_900);
    expect((await payments()).map(({ status }) => status).sort()).toEqual([
      'cancelled',
      'requires_payment_method',
    ]);
  });

  test('starts no payment at a price that the client was not shown', async () => {
    const { start, payments, costs } = await searchAtStripe();
    await costs(9_900);
    await expect(start({ price: 8_800 })).rejects.toMatchObject({ code: 'price_changed' });
    expect(await payments()).toEqual([]);
    expect(simulator.intents.all()).toEqual([]);
  });

  test('accepts a payment made at the old price at the last moment', async () => {
    const { start, costs } = await searchAtStripe();
    const old = await start();
    await costs(9_900);
    simulator.intents.confirm(intentOf(old.client_secret), 'pm_card_visa');
    await expect(start()).rejects.toMatchObject({ code: 'already_paid' });
  });

  test('cancels an intent that the same key created at another price, and uses a new key', async () => {
    const { start, payments, provider } = await searchAtStripe();
    simulator.faults.push('broken before', 'broken before', 'broken before');
    await expect(start()).rejects.toMatchObject({ code: 'provider_unavailable' });
    const [row] = await payments();
    const other = await provider.createIntent({
      paymentId: row.id,
      caseId: row.case_id,
      kind: 'search',
      method: 'card',
      amount: row.amount - 1,
      currency: 'gbp',
      description: row.description,
      idempotencyKey: row.provider_idempotency_key,
    });
    const { client_secret } = await start();
    expect(intentOf(client_secret)).not.toBe(other.intentId);
    expect(simulator.intents.find(other.intentId).status).toBe('canceled');
    expect(simulator.intents.find(intentOf(client_secret))).toMatchObject({ amount: row.amount });
    expect((await payments())[0].provider_idempotency_key).toBe(`create-intent:${row.id}:2`);
    const { rows } = await testDatabase.pool.query(
      "select 1 from payment_changes where payment_id = $1 and cause = 'another_attempt'",
      [row.id],
    );
    expect(rows).toHaveLength(1);
  });
});

test('fault 6: replaces a key that only repeats an old failure, with one new key for concurrent requests', async () => {
  const keys: string[] = [];
  const world = createPaymentWorld(testDatabase, {
    provider: (real) => ({
      createIntent: async (terms) => {
        keys.push(terms.idempotencyKey);
        if (terms.idempotencyKey.endsWith(':1')) throw new IdempotencyKeyConflict('a failure of before');
        return real.createIntent(terms);
      },
    }),
  });
  const { clientId, caseSearchId } = await buildCase(testDatabase.database);
  const request = { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: undefined };
  const started = await Promise.all([1, 2].map(() => startSearchPayment(world.dependencies, request)));
  expect(new Set(started.map(({ client_secret }) => client_secret)).size).toBe(1);
  expect(new Set(keys.filter((key) => !key.endsWith(':1'))).size).toBe(1);
});

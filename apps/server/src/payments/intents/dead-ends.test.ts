import {
  buildCase,
  buildFirm,
  createPaymentWorld,
  createTestServer,
  intentOf,
  ownCard,
  type StripeSimulator,
  startStripeSimulator,
  stripeSettings,
  type TestServer,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStripeProvider } from '../../adapters/stripe/create-stripe-provider.ts';
import { expirePayments } from '../checkout/expire-payments.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { type PaymentProvider, ProviderKeyRejected, ProviderRefused } from '../ports/provider.ts';
import { alertOnRejectedKey } from '../provider/alert-on-rejected-key.ts';
import { checkPayments } from '../reconciliation/check-payments.ts';
import { closeReview } from '../reviews/close-review.ts';
import { syncDuePayments } from './sync-due-payments.ts';

const database = withFreshTestDatabase();
let simulator: StripeSimulator;
const running: TestServer[] = [];
beforeEach(async () => {
  simulator = await startStripeSimulator();
  await buildFirm(database.database);
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  await simulator.stop();
});

/** A provider with a key of this account. */
async function providerOf(secretKey: string): Promise<PaymentProvider> {
  const provider = createStripeProvider({
    secretKey,
    publishableKey: 'pk_test',
    webhookSecrets: ['whsec_simulated'],
    apiBase: simulator.url,
  });
  await provider.readAccountId();
  return provider;
}
async function start(secretKey: string) {
  for (const server of running.splice(0)) await server.stop();
  const env = { ...stripeSettings(simulator), KEYTURN_STRIPE_SECRET_KEY: secretKey };
  const server = await createTestServer({ database, env });
  running.push(server);
  return server;
}
async function call(server: TestServer, clientId: string, path: string, payload: object = {}) {
  const headers = await server.signInAs(clientId);
  const response = await server.app.inject({ method: 'POST', url: `/api${path}`, headers, payload });
  return { status: response.statusCode, ...response.json() };
}
const world = (provider: PaymentProvider, later = 0) =>
  createPaymentWorld(database, {
    provider: () => provider,
    clock: () => new Date(Date.now() + later),
  });
const paymentOf = async (id: string) =>
  (await database.pool.query('select * from payments where id = $1', [id])).rows[0];

/** A payment that was started with a first account before the keys were changed to those of a second one. */
async function changeAccount() {
  const { clientId, caseSearchId } = await buildCase(database.database);
  const server = await start('rk_test_simulated');
  await expect
    .poll(async () => (await database.pool.query('select rounds from payment_continuity')).rows[0].rounds)
    .not.toBe('0');
  const { data } = await call(server, clientId, `/case-searches/${caseSearchId}/payments`, ownCard);
  const paymentId: string = data.payment_id;
  const second = simulator.addAccount();
  return {
    clientId,
    caseSearchId,
    paymentId,
    intentId: intentOf(data.client_secret),
    secretKey: second.secretKey,
    second,
  };
}

describe('a payment of another account of the provider', () => {
  test('a payment stores its account, and payments check names both accounts', async () => {
    const { paymentId, secretKey, second } = await changeAccount();
    expect((await paymentOf(paymentId)).provider_account_id).toBe(`${simulator.id}:test`);
    const { dependencies } = world(await providerOf(secretKey));
    const { discrepancies } = await checkPayments(dependencies, {
      since: new Date(Date.now() - 3_600_000),
      recheckDelay: 0,
    });
    expect(discrepancies).toEqual([
      { kind: 'other_account', subject: paymentId, found: expect.stringContaining(`${second.id}:test`) },
    ]);
  });

  test('fault 80: a client can cancel a payment of another account, and pay for the search again', async () => {
    const { clientId, caseSearchId, paymentId, secretKey } = await changeAccount();
    const server = await start(secretKey);
    const resumed = await call(server, clientId, `/case-searches/${caseSearchId}/payments`, ownCard);
    expect(resumed).toMatchObject({ status: 503, code: 'payment_being_checked' });
    expect((await call(server, clientId, `/payments/${paymentId}/cancel`)).data).toMatchObject({
      status: 'cancelled',
    });
    const again = await call(server, clientId, `/case-searches/${caseSearchId}/payments`, ownCard);
    expect(again.data.payment_id).not.toBe(paymentId);
  });

  test('fault 80: a payment of another account expires with one alert, and is not checked before', async () => {
    const { paymentId, intentId, secretKey } = await changeAccount();
    const { dependencies, alerts } = world(await providerOf(secretKey), 91 * 60_000);
    const calls = simulator.calls.length;
    await syncDuePayments(dependencies);
    expect(simulator.calls.slice(calls).map(({ request }) => request)).not.toContain(
      `GET /v1/payment_intents/${intentId}`,
    );
    await expirePayments(dependencies);
    expect(await paymentOf(paymentId)).toMatchObject({ status: 'cancelled', last_cause: 'expired' });
    expect(alerts).toEqual([expect.stringMatching(/^a payment was cancelled only in Keyturn/)]);
  });

  test('fault 80: the operator can cancel a payment of another account, and "sync" names the account', async () => {
    const { paymentId, secretKey } = await changeAccount();
    const { dependencies } = world(await providerOf(secretKey));
    await expect(closeReview(dependencies, paymentId, 'sync')).rejects.toThrow(
      new RegExp(`created at account ${simulator.id}:test: set the keys of that account`),
    );
    expect(await closeReview(dependencies, paymentId, 'cancel')).toMatchObject({ status: 'cancelled' });
  });
});

test('fault 80: a payment that the provider permanently refuses to create is cancelled, and does not block its search', async () => {
  const provider = await providerOf('rk_test_simulated');
  const refusing: PaymentProvider = {
    ...provider,
    createIntent: () =>
      Promise.reject(new ProviderRefused('Stripe refused: invalid_request_error, amount_too_small')),
  };
  const { clientId, caseSearchId } = await buildCase(database.database);
  const request = { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: undefined };
  const refused = world(refusing);
  await expect(startSearchPayment(refused.dependencies, request)).rejects.toMatchObject({
    code: 'not_payable',
  });
  expect(refused.alerts).toHaveLength(1);
  const { payment_id } = await startSearchPayment(world(provider).dependencies, request);
  expect(await paymentOf(payment_id)).toMatchObject({ status: 'requires_payment_method' });
});

test('fault 81: after a key was rolled, the client is asked not to pay again and the operator is alerted immediately', async () => {
  const account = simulator.addAccount();
  const { clientId, caseSearchId } = await buildCase(database.database);
  const lines: string[] = [];
  const env = {
    ...stripeSettings(simulator),
    KEYTURN_STRIPE_SECRET_KEY: account.secretKey,
    LOG_LEVEL: 'error',
  };
  const server = await createTestServer({ database, env, logTo: { write: (line) => lines.push(line) } });
  running.push(server);
  const { data } = await call(server, clientId, `/case-searches/${caseSearchId}/payments`, ownCard);
  account.intents.confirm(intentOf(data.client_secret), 'pm_card_visa');
  account.secretKeys.clear();
  const refreshed = await call(server, clientId, `/payments/${data.payment_id}/refresh`);
  expect(refreshed.status).toBe(503);
  expect(refreshed).toMatchObject({
    code: 'payment_being_checked',
    message: 'We’re checking your payment. Please don’t pay again.',
  });
  expect(lines.join('')).toContain('the payment provider rejects our key');
  const ready = await server.app.inject('/readyz');
  expect([ready.statusCode, ready.json()]).toEqual([
    200,
    { status: 'ok', payments: 'the provider rejects our key' },
  ]);
});

test('fault 81: alerts once an hour while the provider rejects the key', async () => {
  let now = new Date('2026-11-20T09:00:00Z');
  const alerts: string[] = [];
  let isRejected = true;
  const { dependencies } = createPaymentWorld(database, {
    provider: (real) => ({
      ...real,
      retrieveIntent: (id) =>
        isRejected
          ? Promise.reject(new ProviderKeyRejected('Stripe rejects the key'))
          : real.retrieveIntent(id),
    }),
  });
  const watch = alertOnRejectedKey(dependencies.provider, {
    alertOperator: (message) => alerts.push(message),
    clock: () => now,
  });
  for (let call = 0; call < 3; call += 1) {
    await expect(watch.provider.retrieveIntent('pi_1')).rejects.toThrow(ProviderKeyRejected);
  }
  expect(alerts).toHaveLength(1);
  expect(watch.isKeyRejected()).toBe(true);
  now = new Date('2026-11-20T10:00:00Z');
  await expect(watch.provider.retrieveIntent('pi_1')).rejects.toThrow(ProviderKeyRejected);
  expect(alerts).toHaveLength(2);
  isRejected = false;
  await expect(watch.provider.retrieveIntent('pi_1')).rejects.toThrow('the sandbox has no intent');
  await watch.provider.listIntents(now);
  expect(watch.isKeyRejected()).toBe(false);
});

test('fault 72: a check of open payments ends before the next payment when the server stops', async () => {
  const server = await start('rk_test_simulated');
  for (const _ of [1, 2]) {
    const { clientId, caseSearchId } = await buildCase(database.database);
    await call(server, clientId, `/case-searches/${caseSearchId}/payments`, ownCard);
  }
  await server.stop();
  running.length = 0;
  const stopping = new AbortController();
  let asked = 0;
  const provider = await providerOf('rk_test_simulated');
  const { dependencies } = world(
    {
      ...provider,
      retrieveIntent: (intentId) => {
        asked += 1;
        stopping.abort();
        return provider.retrieveIntent(intentId);
      },
    },
    60 * 60_000,
  );
  await syncDuePayments(dependencies, stopping.signal);
  expect(asked).toBe(1);
  await syncDuePayments(dependencies);
  expect(asked).toBe(2);
});

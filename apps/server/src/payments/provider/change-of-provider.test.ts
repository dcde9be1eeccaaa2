import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { closeReview } from '../reviews/close-review.ts';
import { alertFormerPayments } from './alert-former-payments.ts';

const database = withFreshTestDatabase();
let simulator: StripeSimulator;
const running: TestServer[] = [];
/** The data directory, which contains the receipts, is kept across restarts. */
let dataDirectory: string;
beforeEach(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'keyturn-provider-'));
  simulator = await startStripeSimulator();
  await buildFirm(database.database);
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  await simulator.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

/** Starts the installation with these settings, after stopping the previous one. */
async function start(env: NodeJS.ProcessEnv) {
  for (const server of running.splice(0)) await server.stop();
  const server = await createTestServer({ database, env: { KEYTURN_DATA_DIR: dataDirectory, ...env } });
  running.push(server);
  return server;
}
const withSandbox = () => start({});
const withStripe = () => start(stripeSettings(simulator));

async function caller(server: TestServer, clientId: string) {
  const headers = await server.signInAs(clientId);
  const ask = async (method: 'GET' | 'POST', url: string) =>
    server.app.inject({
      method,
      url: `/api${url}`,
      headers,
      ...(method === 'POST' ? { payload: url.endsWith('/payments') ? ownCard : {} } : {}),
    });
  return {
    pay: async (id: string) => (await ask('POST', `/case-searches/${id}/payments`)).json(),
    cancel: async (id: string) => (await ask('POST', `/payments/${id}/cancel`)).json(),
    payments: async () => (await ask('GET', '/payments')).json().data,
    receipt: async (id: string) => ask('GET', `/payments/${id}/receipt`),
    ask,
  };
}

async function alertsAtStart(
  dependencies: Pick<Parameters<typeof alertFormerPayments>[0], 'provider' | 'providers'>,
) {
  const alerts: [string, Record<string, unknown>][] = [];
  await alertFormerPayments({
    database: database.database,
    ...dependencies,
    alertOperator: (message, details) => alerts.push([message, details]),
  });
  return alerts;
}
const named = (name: 'sandbox' | 'stripe') => ({ name }) as never;

describe('changing from the sandbox to Stripe', () => {
  test('cancels an open payment at the sandbox, and starts the search’s payment at Stripe', async () => {
    const { clientId, caseSearchId } = await buildCase(database.database);
    const old = (await (await caller(await withSandbox(), clientId)).pay(caseSearchId)).data;
    expect(old.provider).toBe('sandbox');
    const server = await withStripe();
    const client = await caller(server, clientId);
    expect(await client.payments()).toMatchObject([{ id: old.payment_id, provider: 'sandbox' }]);
    expect(
      (await client.ask('GET', `/sandbox/payment-intents/${intentOf(old.client_secret)}`)).statusCode,
    ).toBe(404);
    const replacement = (await client.pay(caseSearchId)).data;
    expect(replacement.provider).toBe('stripe');
    expect(replacement.payment_id).not.toBe(old.payment_id);
    const { rows } = await database.pool.query(
      'select p.status, i.status as at_provider from payments p join sandbox_intents i on i.id = p.provider_intent_id',
    );
    expect(rows).toEqual([{ status: 'cancelled', at_provider: 'canceled' }]);
  });

  test('lets a client cancel an open sandbox payment, and keeps sandbox receipts and history', async () => {
    const first = await buildCase(database.database);
    const second = await buildCase(database.database);
    const sandbox = await withSandbox();
    const paying = await caller(sandbox, first.clientId);
    const paid = (await paying.pay(first.caseSearchId)).data;
    await sandbox.app.inject({
      method: 'POST',
      url: `/api/sandbox/payment-intents/${intentOf(paid.client_secret)}/confirm`,
      payload: {
        client_secret: paid.client_secret,
        card: { number: '4242424242424242', exp_month: 12, exp_year: 2090, cvc: '123' },
      },
    });
    await expect.poll(async () => (await paying.payments())[0].status).toBe('succeeded');
    const open = (await (await caller(sandbox, second.clientId)).pay(second.caseSearchId)).data;

    const server = await withStripe();
    const payer = await caller(server, first.clientId);
    expect(await payer.payments()).toMatchObject([{ status: 'succeeded', provider: 'sandbox' }]);
    expect((await payer.receipt(paid.payment_id)).statusCode).toBe(200);
    expect((await payer.pay(first.caseSearchId)).code).toBe('already_paid');
    const other = await caller(server, second.clientId);
    expect((await other.cancel(open.payment_id)).data).toMatchObject({ status: 'cancelled' });
    expect(
      await alertsAtStart({
        provider: named('stripe'),
        providers: { active: [], former: [named('sandbox')] },
      }),
    ).toEqual([
      [
        'payments of the sandbox count as paid: no money was captured for them',
        { provider: 'sandbox', paid: 1 },
      ],
    ]);
  });
});

test('settles a sandbox payment that was being processed when the provider changed', async () => {
  const { clientId, caseSearchId } = await buildCase(database.database);
  const sandbox = await withSandbox();
  const started = (await (await caller(sandbox, clientId)).pay(caseSearchId)).data;
  await sandbox.app.inject({
    method: 'POST',
    url: `/api/sandbox/payment-intents/${intentOf(started.client_secret)}/confirm`,
    payload: {
      client_secret: started.client_secret,
      card: { number: '4000000000000077', exp_month: 12, exp_year: 2090, cvc: '123' },
    },
  });
  const client = await caller(sandbox, clientId);
  await expect.poll(async () => (await client.payments())[0].status).toBe('processing');
  for (const server of running.splice(0)) await server.stop();
  await database.pool.query("update sandbox_intents set settles_at = now() - interval '1 second'");
  await database.pool.query('update payments set next_check_at = now()');
  const later = await caller(await withStripe(), clientId);
  await expect.poll(async () => (await later.payments())[0].status, { timeout: 10_000 }).toBe('succeeded');
});

describe('changing from Stripe to the sandbox', () => {
  test('accepts a payment still made at Stripe while its keys are set, and starts no other', async () => {
    const { clientId, caseSearchId } = await buildCase(database.database);
    const old = (await (await caller(await withStripe(), clientId)).pay(caseSearchId)).data;
    const server = await start({ ...stripeSettings(simulator), KEYTURN_PAYMENT_PROVIDER: 'sandbox' });
    simulator.intents.confirm(intentOf(old.client_secret), 'pm_card_visa');
    const event = simulator.webhooks.waiting.at(-1);
    expect(event && (await simulator.webhooks.deliver(`${server.url}/api/webhooks/stripe`, event))).toBe(200);
    const client = await caller(server, clientId);
    expect(await client.payments()).toMatchObject([{ status: 'succeeded', provider: 'stripe' }]);
    expect((await client.pay(caseSearchId)).code).toBe('already_paid');
  });

  test('reports an unknown outcome, and alerts the operator, once Stripe’s API keys are no longer configured', async () => {
    const { clientId, caseSearchId } = await buildCase(database.database);
    const old = (await (await caller(await withStripe(), clientId)).pay(caseSearchId)).data;
    const server = await withSandbox();
    const client = await caller(server, clientId);
    expect((await client.pay(caseSearchId)).code).toBe('payment_being_checked');
    expect((await client.cancel(old.payment_id)).code).toBe('payment_being_checked');
    const [[message = '', details] = []] = await alertsAtStart({
      provider: named('sandbox'),
      providers: { active: [], former: [] },
    });
    expect(message).toMatch(/it cannot be called: set its keys/);
    expect(details).toEqual({ provider: 'stripe', open: 1 });
    const { dependencies } = createPaymentWorld(database);
    await closeReview(dependencies, old.payment_id, 'cancel');
    expect((await client.pay(caseSearchId)).data).toMatchObject({ provider: 'sandbox' });
  });
});

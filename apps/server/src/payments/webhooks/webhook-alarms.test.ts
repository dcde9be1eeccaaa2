import {
  buildCase,
  createPaymentWorld,
  createTestServer,
  intentOf,
  ownCard,
  type StripeSimulator,
  sandboxCard,
  startStripeSimulator,
  startTestPayment,
  stripeSettings,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncDuePayments } from '../intents/sync-due-payments.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { ProviderEvent } from '../ports/provider.ts';
import { handleWebhookEvent } from './handle-webhook-event.ts';
import { missingWebhooksHandler, missingWebhooksMessage } from './missing-webhooks-job.ts';
import { wrongSecretMessage } from './watch-signatures.ts';

const database = withFreshTestDatabase();

describe('webhooks with a wrong signature', () => {
  let simulator: StripeSimulator;
  beforeAll(async () => {
    simulator = await startStripeSimulator();
  });
  afterAll(() => simulator.stop());

  test('fault 83: alerts when webhooks about existing payments are rejected, but not about forged ones', async () => {
    const lines: string[] = [];
    const server = await createTestServer({
      database,
      env: { ...stripeSettings(simulator), LOG_LEVEL: 'error' },
      logTo: { write: (line) => lines.push(line) },
    });
    const url = `${server.url}/api/webhooks/stripe`;
    const { id } = simulator.intents.create({ amount: 1_000, currency: 'gbp' });
    const forged = simulator.webhooks.waiting.find(({ body }) => body.includes(id));
    if (!forged) throw new Error('there is no event');
    expect(await simulator.webhooks.deliver(url, forged, { secret: 'whsec_other', at: new Date() })).toBe(
      400,
    );
    expect(lines.join('')).not.toContain(wrongSecretMessage);

    const { clientId, caseSearchId } = await buildCase(database.database);
    const headers = await server.signInAs(clientId);
    const started = await server.app.inject({
      method: 'POST',
      url: `/api/case-searches/${caseSearchId}/payments`,
      headers,
      payload: ownCard,
    });
    const intentId = intentOf(started.json().data.client_secret);
    const own = simulator.webhooks.waiting.find(({ body }) => body.includes(intentId));
    if (!own) throw new Error('there is no event');
    const sendAndRead = async () => {
      await simulator.webhooks.deliver(url, own, { secret: 'whsec_other', at: new Date() });
      return lines.join('');
    };
    await expect.poll(sendAndRead, { timeout: 10_000 }).toContain(wrongSecretMessage);
    await server.stop();
  });
});

describe('webhooks that do not come', () => {
  const paidByAsking = async (withWebhook: boolean, cause = 'reconciliation') => {
    const world = createPaymentWorld(database);
    const { clientId, caseSearchId } = await buildCase(database.database);
    const { intentId } = await startTestPayment(world.dependencies, { clientId, caseSearchId });
    await world.intents.confirm(intentId, sandboxCard());
    if (withWebhook) {
      for (const event of await world.eventsOf(intentId)) await handleWebhookEvent(world.dependencies, event);
    } else await syncPaymentFromProvider(world.dependencies, intentId, { name: cause });
  };
  const runLater = async (minutes: number) => {
    const { dependencies, alerts } = createPaymentWorld(database, {
      clock: () => new Date(Date.now() + minutes * 60_000),
    });
    const handler = missingWebhooksHandler(dependencies);
    await handler.work({});
    await handler.work({});
    return alerts;
  };

  test('fault 83: alerts once an hour when only the periodic check found a payment', async () => {
    await paidByAsking(true);
    expect(await runLater(10)).toEqual([]);
    await paidByAsking(false);
    expect(await runLater(1)).toEqual([]);
    expect(await runLater(10)).toEqual([missingWebhooksMessage]);
    expect(await runLater(120)).toEqual([]);
  });

  test('does not alert about payments that a recovery found, because their webhooks came before the restore', async () => {
    await paidByAsking(false, 'recovered');
    expect(await runLater(10)).toEqual([]);
    await paidByAsking(false);
    expect(await runLater(10)).toEqual([missingWebhooksMessage]);
  });
});

describe('events of money that is not ours', () => {
  const event = (intentId: string, more: Partial<ProviderEvent> = {}): ProviderEvent => ({
    id: `evt_${intentId}`,
    type: 'charge.refunded',
    intentId,
    body: {},
    ...more,
  });
  const outcomes = async () =>
    (await database.pool.query('select outcome from provider_events')).rows.map(({ outcome }) => outcome);

  test('fault 82: calls the provider once about an intent without an existing payment', async () => {
    let asked = 0;
    const { dependencies, intents } = createPaymentWorld(database, {
      provider: (real) => ({
        ...real,
        retrieveIntent: (id) => {
          asked += 1;
          return real.retrieveIntent(id);
        },
      }),
    });
    const { id } = await intents.create({
      amount: 1_000,
      currency: 'gbp',
      paymentId: 'invoice_17',
      caseId: 'none',
      kind: 'other',
      method: 'card',
      idempotencyKey: 'foreign',
    });
    await handleWebhookEvent(dependencies, event(id));
    await handleWebhookEvent(dependencies, event('pi_unknown'));
    expect(asked).toBe(2);
    expect(await outcomes()).toEqual(['ignored', 'ignored']);
    await database.pool.query("update provider_events set next_check_at = now() - interval '1 day'");
    await syncDuePayments(dependencies);
    expect(asked).toBe(2);
  });

  test('fault 82: does not call the provider about an event that names another installation', async () => {
    const { dependencies } = createPaymentWorld(database, {
      provider: () => ({ retrieveIntent: () => Promise.reject(new Error('must not be asked')) }),
    });
    await handleWebhookEvent(dependencies, event('pi_1', { installationId: 'another' }));
    expect(await outcomes()).toEqual(['ignored']);
  });
});

import { createHmac } from 'node:crypto';
import {
  buildCase,
  createPaymentWorld,
  intentOf,
  ownCard,
  sandboxCard,
  withTestDatabase,
  withTestServer,
} from '@keyturn/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { signWebhook } from '../../adapters/sandbox/sandbox-signature.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { syncDuePayments } from '../intents/sync-due-payments.ts';
import { type PaymentProvider, ProviderUnavailable } from '../ports/provider.ts';
import { handleWebhookEvent } from './handle-webhook-event.ts';

const card = sandboxCard();

describe('the webhook route', () => {
  const server = withTestServer();
  let secret: string;
  beforeAll(async () => {
    const { rows } = await server.pool.query('select secret from installation');
    secret = createHmac('sha256', rows[0].secret).update('sandbox webhooks').digest('hex');
  });

  const send = (
    body: string,
    signature: string | undefined,
    { provider = 'sandbox', from = '127.0.0.1' } = {},
  ) =>
    server.app.inject({
      method: 'POST',
      remoteAddress: from,
      url: `/api/webhooks/${provider}`,
      headers: {
        'content-type': 'application/json',
        ...(signature ? { 'sandbox-signature': signature } : {}),
      },
      payload: body,
    });
  const event = (id: string) => JSON.stringify({ id, type: 'payment_intent.succeeded', intent: null });
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const count = async () =>
    (await server.pool.query('select count(*)::int as n from provider_events')).rows[0].n;

  test('fault 12: stores concurrent copies of a signed event once', async () => {
    const body = event('evt_1');
    const before = await count();
    const signature = signWebhook(body, secret, new Date());
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(body, signature)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
    expect(await count()).toBe(before + 1);
  });

  test.each([
    ['without a signature', () => undefined],
    ['signed with another secret', (body: string) => signWebhook(body, 'another', new Date())],
    ['changed after signing', (body: string) => signWebhook(`${body} `, secret, new Date())],
    ['signed six minutes ago', (body: string) => signWebhook(body, secret, minutesAgo(6))],
    ['signed six minutes ahead', (body: string) => signWebhook(body, secret, minutesAgo(-6))],
    ['with nonsense for a signature', () => 't=1,v1=zz'],
  ])('fault 14: rejects a body %s with 400 without a reason, and does not store it', async (_what, sign) => {
    const body = event('evt_forged');
    const before = await count();
    const response = await send(body, sign(body));
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({
      message: 'This webhook is not signed for this installation.',
      code: 'invalid_input',
    });
    expect(await count()).toBe(before);
  });

  test.each([
    ['an id with NUL', { id: 'evt_\0', type: 'x' }, 400],
    ['a lone surrogate', { id: 'evt_surrogate', type: 'x', note: '\ud800' }, 400],
    ['a subject that is none', { id: 'evt_subject', type: 'x', intent: 'pi_unknown', subject: 7 }, 200],
  ])('fault 14: never answers 5xx to a signed body with %s', async (_what, content, status) => {
    const body = JSON.stringify(content);
    expect((await send(body, signWebhook(body, secret, new Date()))).statusCode).toBe(status);
  });

  test('fault 15: accepts a signature that is four minutes old', async () => {
    const body = event('evt_late');
    expect((await send(body, signWebhook(body, secret, minutesAgo(4)))).statusCode).toBe(200);
  });

  test('fault 18: rejects more than 64 KB with 413, and an unknown provider with 404', async () => {
    expect((await send('x'.repeat(65 * 1024), 't=1,v1=0')).statusCode).toBe(413);
    expect((await send(event('evt_2'), undefined, { provider: 'paypal' })).statusCode).toBe(404);
  });

  test('fault 14: an address with 60 forged webhooks gets 429 for the next, and its genuine ones are accepted', async () => {
    const from = '198.51.100.9';
    const forge = () => send(event('evt_forged'), 't=1,v1=00', { from });
    const forged = await Promise.all(Array.from({ length: 60 }, forge));
    expect(new Set(forged.map(({ statusCode }) => statusCode))).toEqual(new Set([400]));
    const refused = await forge();
    expect([refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    const body = event('evt_genuine');
    expect((await send(body, signWebhook(body, secret, new Date()), { from })).statusCode).toBe(200);
  });
});

describe('a payment reported by webhooks', () => {
  const testDatabase = withTestDatabase();

  const world = (provider?: (real: PaymentProvider) => Partial<PaymentProvider>) =>
    createPaymentWorld(testDatabase, provider ? { provider } : {});
  async function toPay() {
    const built = await buildCase(testDatabase.database);
    return {
      clientId: built.clientId,
      caseSearchId: built.caseSearchId,
      confirmed: ownCard,
      idempotencyKey: undefined,
    };
  }
  const paymentOf = async (caseSearchId: string) =>
    (await testDatabase.pool.query('select * from payments where case_search_id = $1', [caseSearchId]))
      .rows[0];

  test('fault 13: marks a payment as paid once when webhooks arrive twice, concurrently and in reverse order', async () => {
    const { dependencies, intents, eventsOf } = world();
    const request = await toPay();
    const id = intentOf((await startSearchPayment(dependencies, request)).client_secret);
    await intents.confirm(id, { ...card, number: '4000000000000002' });
    await intents.confirm(id, card);
    const events = (await eventsOf(id)).reverse();
    await Promise.all(
      [...events, ...events, ...events].map((event) => handleWebhookEvent(dependencies, event)),
    );
    const payment = await paymentOf(request.caseSearchId);
    expect(payment.status).toBe('succeeded');
    const { rows } = await testDatabase.pool.query(
      `select (select count(*) from history_entries where case_id = $1 and category = 'payment')::int as entries,
        (select sum(money) from payment_changes where payment_id = $2)::int as taken`,
      [payment.case_id, payment.id],
    );
    expect(rows[0]).toEqual({ entries: 1, taken: payment.amount });
  });

  test('fault 16: settles a payment by the periodic check if its webhook never arrives', async () => {
    const { dependencies, intents } = world();
    const request = await toPay();
    const id = intentOf((await startSearchPayment(dependencies, request)).client_secret);
    await intents.confirm(id, card);
    await syncDuePayments(dependencies);
    expect((await paymentOf(request.caseSearchId)).status).toBe('succeeded');
  });

  test('fault 2: continues with the intent of a server that died before storing it', async () => {
    const dying = world((provider) => ({
      createIntent: async (terms) => {
        await provider.createIntent(terms);
        throw new ProviderUnavailable('the line went dead');
      },
    }));
    const request = await toPay();
    await expect(startSearchPayment(dying.dependencies, request)).rejects.toThrow(
      /can’t reach the payment provider/,
    );
    const { dependencies } = world();
    await startSearchPayment(dependencies, request);
    const { rows } = await testDatabase.pool.query(
      "select count(*)::int as n from sandbox_intents where metadata->>'payment_id' = $1",
      [(await paymentOf(request.caseSearchId)).id],
    );
    expect(rows[0].n).toBe(1);
  });

  test('fault 11: marks a payment as paid if its webhook arrives before its intent was stored', async () => {
    const dying = world((provider) => ({
      createIntent: async (terms) => {
        await provider.createIntent(terms);
        throw new ProviderUnavailable('the line went dead');
      },
    }));
    const request = await toPay();
    await startSearchPayment(dying.dependencies, request).catch(() => {});
    const { dependencies, intents, eventsOf } = world();
    const { rows } = await testDatabase.pool.query(
      "select id from sandbox_intents where metadata->>'payment_id' = $1",
      [(await paymentOf(request.caseSearchId)).id],
    );
    await intents.confirm(rows[0].id, card);
    for (const event of await eventsOf(rows[0].id)) await handleWebhookEvent(dependencies, event);
    expect((await paymentOf(request.caseSearchId)).status).toBe('succeeded');
  });

  test('alerts and stays unpaid when the intent has another amount', async () => {
    const { dependencies, intents, alerts, eventsOf } = world();
    const request = await toPay();
    const id = intentOf((await startSearchPayment(dependencies, request)).client_secret);
    await intents.confirm(id, card);
    await testDatabase.pool.query('update sandbox_intents set amount = amount - 1 where id = $1', [id]);
    for (const event of await eventsOf(id)) await handleWebhookEvent(dependencies, event);
    expect((await paymentOf(request.caseSearchId)).status).toBe('requires_payment_method');
    expect(alerts).toContain('a payment intent is not what we asked for');
  });

  test('fault 6: starts a payment with the next request after the provider was unavailable', async () => {
    const { dependencies } = world(() => ({
      createIntent: () => Promise.reject(new ProviderUnavailable('no connection')),
    }));
    const request = await toPay();
    await expect(startSearchPayment(dependencies, request)).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    expect((await paymentOf(request.caseSearchId)).provider_intent_id).toBeNull();
    await expect(startSearchPayment(world().dependencies, request)).resolves.toMatchObject({
      status: 'requires_payment_method',
    });
  });

  test('fault 16: syncs a payment later when the provider was unavailable at the time of the webhook', async () => {
    const { dependencies, intents, eventsOf } = world();
    const request = await toPay();
    const id = intentOf((await startSearchPayment(dependencies, request)).client_secret);
    await intents.confirm(id, card);
    const unavailable = world(() => ({
      retrieveIntent: () => Promise.reject(new ProviderUnavailable('no connection')),
    }));
    for (const event of await eventsOf(id)) await handleWebhookEvent(unavailable.dependencies, event);
    expect((await paymentOf(request.caseSearchId)).status).toBe('requires_payment_method');
    await syncDuePayments(dependencies);
    expect((await paymentOf(request.caseSearchId)).status).toBe('succeeded');
  });
});

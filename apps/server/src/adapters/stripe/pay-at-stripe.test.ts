import {
  buildCase,
  buildFirm,
  createTestServer,
  intentOf,
  ownCard,
  type StripeSimulator,
  startStripeSimulator,
  stripeSettings,
  type TestServer,
} from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Content as in the file that Stripe offers for download. */
const association = '7B227073704964223A'.repeat(20);

describe('a server with Stripe', () => {
  let simulator: StripeSimulator;
  let server: TestServer;
  beforeAll(async () => {
    simulator = await startStripeSimulator();
    // Not the server’s own checks of older payments.
    simulator.faultyCalls = /^POST /;
    server = await createTestServer({
      env: {
        ...stripeSettings(simulator, `whsec_next,${simulator.webhookSecret}`),
        KEYTURN_APPLE_PAY_DOMAIN_ASSOCIATION: association,
        KEYTURN_BANK_PURPOSES: 'search',
      },
    });
    await buildFirm(server.database);
  });
  afterAll(async () => {
    await server.stop();
    await simulator.stop();
  });

  /** A client with a search to pay. */
  const payer = async () => {
    const { clientId, caseSearchId } = await buildCase(server.database);
    const headers = await server.signInAs(clientId);
    const url = `/api/case-searches/${caseSearchId}/payments`;
    return {
      headers,
      start: (payload: object = ownCard) => server.app.inject({ method: 'POST', url, headers, payload }),
    };
  };
  /** Starts the payment for a search. */
  const startPayment = async () => {
    const { headers, start } = await payer();
    const started = (await start()).json().data;
    const intentId = intentOf(started.client_secret);
    const payment = async () =>
      (await server.app.inject({ url: `/api/payments/${started.payment_id}`, headers })).json().data;
    return { started, intentId, start, payment };
  };
  const eventsOf = (intentId: string) =>
    simulator.webhooks.waiting.filter(({ body }) => body.includes(intentId));
  const deliver = (event: { id: string; type: string; body: string }) =>
    simulator.webhooks.deliver(`${server.url}/api/webhooks/stripe`, event);

  test('fault 13: marks a search as paid by Stripe webhooks that arrive twice and in reverse order', async () => {
    const { started, intentId, start, payment } = await startPayment();
    expect(started).toMatchObject({ provider: 'stripe', publishable_key: 'pk_test_simulated' });
    expect(simulator.intents.find(intentId)).toMatchObject({
      amount: started.amount,
      metadata: { payment_id: started.payment_id, case_id: expect.any(String), kind: 'search' },
    });
    expect(() => simulator.intents.confirm(intentId, 'pm_card_chargeDeclinedInsufficientFunds')).toThrow();
    simulator.intents.confirm(intentId, 'pm_card_visa');
    const events = eventsOf(intentId).reverse();
    expect(events.map(({ type }) => type)).toEqual([
      'payment_intent.succeeded',
      'charge.succeeded',
      'payment_intent.payment_failed',
      'charge.failed',
      'payment_intent.created',
    ]);
    for (const event of events) {
      const statuses = await Promise.all([deliver(event), deliver(event)]);
      expect(statuses).toEqual([200, 200]);
      expect(await payment()).toMatchObject({ status: 'succeeded', card: { brand: 'visa', last4: '4242' } });
    }
    const { rows } = await server.pool.query(
      'select sum(money)::int as taken from payment_changes where payment_id = $1',
      [started.payment_id],
    );
    expect(rows).toEqual([{ taken: started.amount }]);
    expect((await start()).json().code).toBe('already_paid');
  });

  test('asks the client to pay otherwise if Stripe drops payments by bank, and leaves nothing to pay at Stripe', async () => {
    const { start } = await payer();
    // The server has read that the account accepts them, and reads it again after ten minutes.
    const { capabilities } = simulator.object;
    Object.assign(simulator.object, { capabilities: { pay_by_bank_payments: 'inactive' } });
    const dropped = await start({ ...ownCard, method: 'bank' });
    Object.assign(simulator.object, { capabilities });
    expect([dropped.statusCode, dropped.json().code]).toEqual([409, 'bank_not_accepted']);
    const { rows } = await server.pool.query("select id, status from payments where method = 'bank'");
    expect(rows).toEqual([{ id: expect.any(String), status: 'cancelled' }]);
    const intent = simulator.intents.all().find(({ metadata }) => metadata.payment_id === rows[0].id);
    expect(intent?.status).toBe('canceled');
    expect((await start()).statusCode).toBe(200);
  });

  test('serves the file with which Apple verifies the domain', async () => {
    const { statusCode, headers, body } = await server.app.inject({
      url: '/.well-known/apple-developer-merchantid-domain-association',
    });
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body).toBe(association);
  });

  test('shows the payer the text on their statement before and after the payment', async () => {
    await expect.poll(async () => (await startPayment()).started.statement_descriptor).not.toBeNull();
    const { started, intentId, payment } = await startPayment();
    expect(started.statement_descriptor).toMatch(/^KEYTURN\* [A-Z0-9 -]+$/);
    expect(await payment()).toMatchObject({ statement_descriptor: null });
    simulator.intents.confirm(intentId, 'pm_card_visa');
    for (const event of eventsOf(intentId)) await deliver(event);
    expect(await payment()).toMatchObject({
      status: 'succeeded',
      statement_descriptor: started.statement_descriptor,
    });
  });

  test('records a partial refund at Stripe, and then the rest', async () => {
    const { started, intentId, payment } = await startPayment();
    simulator.intents.confirm(intentId, 'pm_card_visa');
    const deliverNewest = async () => {
      const last = simulator.webhooks.waiting.at(-1);
      if (last) await deliver(last);
    };
    await deliverNewest();
    simulator.intents.refund(intentId, 100);
    await deliverNewest();
    expect(await payment()).toMatchObject({ status: 'partially_refunded', refunded_amount: 100 });
    simulator.intents.refund(intentId);
    await deliverNewest();
    expect(await payment()).toMatchObject({ status: 'refunded', refunded_amount: started.amount });
  });

  test('fault 76: records a refund that failed after it was recorded by a reversing entry', async () => {
    const { started, intentId, payment } = await startPayment();
    simulator.intents.confirm(intentId, 'pm_card_visa');
    const deliverNewest = async () => {
      const last = simulator.webhooks.waiting.at(-1);
      expect(last && (await deliver(last))).toBe(200);
    };
    await deliverNewest();
    simulator.intents.refund(intentId);
    await deliverNewest();
    expect(await payment()).toMatchObject({ status: 'refunded', clearing: null });
    simulator.intents.failRefund(intentId);
    await deliverNewest();
    expect(await payment()).toMatchObject({
      status: 'succeeded',
      refunded_amount: 0,
      failed_refund_amount: started.amount,
    });
    simulator.intents.refund(intentId, 100);
    await deliverNewest();
    expect(await payment()).toMatchObject({
      status: 'partially_refunded',
      refunded_amount: 100,
      failed_refund_amount: started.amount,
    });
    const { rows: entries } = await server.pool.query(
      'select money from payment_changes where payment_id = $1 and money <> 0 order by id',
      [started.payment_id],
    );
    expect(entries.map(({ money }) => money)).toEqual([
      started.amount,
      -started.amount,
      started.amount,
      -100,
    ]);
    const { rows: mails } = await server.pool.query(
      "select kind, amount from payment_mails where payment_id = $1 and kind <> 'receipt' order by written_at",
      [started.payment_id],
    );
    expect(mails).toEqual([
      { kind: 'refund', amount: started.amount },
      { kind: 'refund_failed', amount: started.amount },
      { kind: 'refund', amount: 100 },
    ]);
  });

  test('fault 29: shows and records a refund and a dispute at Stripe, and the search stays paid', async () => {
    const { started, intentId, payment } = await startPayment();
    simulator.intents.confirm(intentId, 'pm_card_visa');
    const deliverNewest = async () => {
      const last = simulator.webhooks.waiting.at(-1);
      expect(last && (await deliver(last))).toBe(200);
    };
    await deliverNewest();
    const search = async () =>
      (
        await server.pool.query(
          'select s.status from case_searches s join payments p on p.case_search_id = s.id where p.id = $1',
          [started.payment_id],
        )
      ).rows[0].status;
    expect(await payment()).toMatchObject({ status: 'succeeded', dispute: null, provider: 'stripe' });
    // Stripe refuses to refund a charge while a bank disputes it.
    simulator.intents.refund(intentId, 100);
    await deliverNewest();
    simulator.intents.dispute(intentId, 500);
    await deliverNewest();
    expect(await payment()).toMatchObject({
      status: 'partially_refunded',
      dispute: { status: 'open', amount: 500, opened_at: expect.stringMatching(/Z$/) },
    });
    simulator.intents.moveDispute(intentId, 'under_review');
    await deliverNewest();
    simulator.intents.moveDispute(intentId, 'lost');
    await deliverNewest();
    expect(await payment()).toMatchObject({
      status: 'partially_refunded',
      refunded_amount: 100,
      dispute: { status: 'lost', amount: 500 },
    });
    expect(await search()).toBe('paid');
    const { rows: record } = await server.pool.query(
      'select dispute_status, money from payment_changes where payment_id = $1 and (dispute_status is not null) order by id',
      [started.payment_id],
    );
    expect(record.map((row) => row.dispute_status)).toContain('open');
    expect(record.at(-1)).toMatchObject({ dispute_status: 'lost' });
    const { rows: history } = await server.pool.query(
      `select h.summary, h.actor from history_entries h join payments p on p.case_id = h.case_id
       where p.id = $1 and h.category = 'payment' order by h.created_at, h.summary`,
      [started.payment_id],
    );
    expect(history.map(({ summary }) => summary)).toEqual([
      expect.stringMatching(/^Rowan paid £[\d.]+ for the local authority search$/),
      expect.stringMatching(/^We refunded £1\.00 of the £[\d.]+ paid for the local authority search$/),
      'The card’s bank disputed £5.00 paid for the local authority search',
      'The card’s bank took back £5.00 paid for the local authority search',
    ]);
    expect(history[1].actor).toBe('Alder & Finch');
  });

  test('fault 6: charges nothing while Stripe is unavailable, and the next request gets the same intent', async () => {
    const before = simulator.intents.all().length;
    const { start } = await payer();
    simulator.faults.push('broken after', 503, 503);
    expect((await start()).json().code).toBe('provider_unavailable');
    expect((await start()).statusCode).toBe(200);
    expect(simulator.intents.all().length).toBe(before + 1);
  });

  test('fault 14: stores no client secret, and rejects forged webhooks', async () => {
    const { started, intentId } = await startPayment();
    const [event] = eventsOf(intentId);
    if (!event) throw new Error('there is no event');
    expect(event.body).toContain(started.client_secret);
    const url = `${server.url}/api/webhooks/stripe`;
    expect(await simulator.webhooks.deliver(url, event, { secret: 'whsec_forged' })).toBe(400);
    expect(await deliver(event)).toBe(200);
    const { rows } = await server.pool.query('select * from provider_events where event_id = $1', [event.id]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(started.client_secret);
  });

  test('a server has no sandbox routes with Stripe, and no Stripe routes with the sandbox', async () => {
    const sandbox = await createTestServer();
    try {
      const post = async (at: TestServer, provider: string) =>
        (await at.app.inject({ method: 'POST', url: `/api/webhooks/${provider}`, payload: '{}' })).statusCode;
      expect([await post(server, 'stripe'), await post(server, 'sandbox')]).toEqual([400, 404]);
      expect([await post(sandbox, 'stripe'), await post(sandbox, 'sandbox')]).toEqual([404, 400]);
      const route = { method: 'GET', url: '/api/sandbox/payment-intents/:id' } as const;
      expect([server.app.hasRoute(route), sandbox.app.hasRoute(route)]).toEqual([false, true]);
    } finally {
      await sandbox.stop();
    }
  });
});

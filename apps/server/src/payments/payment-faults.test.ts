import { createHmac } from 'node:crypto';
import {
  buildCase,
  createPaymentWorld,
  createTestServer,
  intentOf,
  ownCard,
  sandboxCard,
  startStripeSimulator,
  stripeSettings,
  type TestServer,
} from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signWebhook } from '../adapters/sandbox/sandbox-signature.ts';
import { createStripeProvider } from '../adapters/stripe/create-stripe-provider.ts';
import { switchMaintenance } from '../live/maintenance/switch-maintenance.ts';
import { syncDuePayments } from './intents/sync-due-payments.ts';
import type { IntentTerms } from './ports/intents.ts';
import type { PaymentProvider } from './ports/provider.ts';

/** The whole server with one provider. The test delivers the provider's webhooks. */
interface World {
  server: TestServer;
  provider: PaymentProvider;
  decline(intentId: string): Promise<unknown>;
  pay(intentId: string): Promise<unknown>;
  /** The bodies of the provider's events about an intent, the oldest first. */
  eventsOf(intentId: string): Promise<string[]>;
  signature(body: string, signing?: { secret?: string; at?: Date }): Record<string, string>;
  stop(): Promise<void>;
}

const secondSecret = 'whsec_next';

const worlds = [
  { name: 'sandbox', open: openSandbox },
  { name: 'stripe', open: openStripe },
] as const;

describe.each(worlds)('payments with $name', ({ name, open }) => {
  let world: World;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.stop());

  const send = async (body: string, headers = world.signature(body)) =>
    world.server.app.inject({
      method: 'POST',
      url: `/api/webhooks/${name}`,
      headers: { 'content-type': 'application/json', ...headers },
      payload: body,
    });
  /** A search of two joint clients with a started payment. */
  const openPayment = async () => {
    const built = await buildCase(world.server.database, { clients: [{}, {}] });
    const [amelia = '', tom = ''] = built.clientIds;
    const [one, other] = [await world.server.signInAs(amelia), await world.server.signInAs(tom)];
    const start = (headers = one) =>
      world.server.app.inject({
        method: 'POST',
        url: `/api/case-searches/${built.caseSearchId}/payments`,
        headers: { ...headers },
        payload: ownCard,
      });
    const started = (await start()).json().data;
    const read = async (path: string, headers = one) =>
      (await world.server.app.inject({ url: `/api${path}`, headers: { ...headers } })).json().data;
    return {
      ...built,
      one,
      other,
      start,
      paymentId: started.payment_id as string,
      intentId: intentOf(started.client_secret),
      amount: started.amount as number,
      payment: (headers = one) => read(`/payments/${started.payment_id}`, headers),
      search: () => read(`/case-searches/${built.caseSearchId}`),
    };
  };
  /** The captured amount, and the number of its records. */
  const effects = async (paymentId: string) =>
    (
      await world.server.pool.query(
        `select p.status, (select sum(money)::int from payment_changes where payment_id = p.id) as taken,
           (select count(*)::int from history_entries h where h.case_id = p.case_id and h.category = 'payment') as entries,
           (select count(*)::int from payment_changes where payment_id = p.id and to_status = 'succeeded' and money > 0) as times
         from payments p where p.id = $1`,
        [paymentId],
      )
    ).rows[0];
  const paidOnce = (amount: number) => ({ status: 'succeeded', taken: amount, entries: 1, times: 1 });
  const stored = async () =>
    (await world.server.pool.query('select count(*)::int as n from provider_events')).rows[0].n as number;
  const newest = async (intentId: string) => (await world.eventsOf(intentId)).at(-1) ?? '';
  const catchUp = (later = 0) =>
    syncDuePayments(
      createPaymentWorld(world.server, {
        provider: () => world.provider,
        clock: () => new Date(Date.now() + later),
      }).dependencies,
    );

  test('fault 10: a webhook that is faster than the response to the browser marks a payment as paid, and later ones are ignored', async () => {
    const { intentId, paymentId, amount, start, other, payment, search } = await openPayment();
    await world.pay(intentId);
    expect((await send(await newest(intentId))).statusCode).toBe(200);
    const late = await Promise.all([start(), start(other), payment()]);
    expect(late.slice(0, 2).map((answer) => (answer as Awaited<ReturnType<typeof start>>).json())).toEqual(
      Array(2).fill({
        message: 'This is already paid. You have not been charged again.',
        code: 'already_paid',
      }),
    );
    expect(await payment()).toMatchObject({ status: 'succeeded', receipt_number: expect.any(String) });
    expect(await search()).toMatchObject({ status: 'paid', payable: false });
    expect(await effects(paymentId)).toEqual(paidOnce(amount));
  });

  test('fault 11: stores a webhook of a payment that is not committed yet, and applies it within a minute', async () => {
    const { id, clientId, matterId } = await buildCase(world.server.database);
    const paymentId = crypto.randomUUID();
    const { intentId } = await world.provider.createIntent(termsOf(paymentId, id));
    await world.pay(intentId);
    const body = await newest(intentId);
    expect((await send(body)).statusCode).toBe(200);
    const outcome = async () =>
      (
        await world.server.pool.query('select outcome from provider_events where event_id = $1', [
          JSON.parse(body).id,
        ])
      ).rows[0]?.outcome;
    expect(await outcome()).toBe('unmatched');
    await catchUp();
    await world.server.pool.query(
      `insert into payments (id, case_id, client_id, matter_id, kind, status, amount, currency, description, category,
         lines, provider, provider_idempotency_key, last_cause)
       values ($1, $2, $3, $4, 'other', 'requires_payment_method', 1000, 'gbp', 'Money on account', 'money_on_account',
         '[]', $5, $6, 'payment_started')`,
      [paymentId, id, clientId, matterId, name, `create-intent:${paymentId}:1`],
    );
    await catchUp(60_000);
    expect(await outcome()).toBe('applied');
    expect(await effects(paymentId)).toEqual(paidOnce(1_000));
  });

  test('fault 12: accepts ten concurrent copies of a webhook and a later one, with one effect', async () => {
    const { intentId, paymentId, amount } = await openPayment();
    await world.pay(intentId);
    const body = await newest(intentId);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(body)));
    answers.push(await send(body));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(11).fill(200));
    expect(await effects(paymentId)).toEqual(paidOnce(amount));
  });

  test('fault 13: a payment stays paid when webhooks arrive in reverse order', async () => {
    const { intentId, paymentId, amount, payment } = await openPayment();
    await world.decline(intentId);
    await world.pay(intentId);
    const events = (await world.eventsOf(intentId)).reverse();
    expect(events.length).toBeGreaterThan(1);
    for (const body of events) {
      expect((await send(body)).statusCode).toBe(200);
      expect(await payment()).toMatchObject({ status: 'succeeded', failure: null });
    }
    expect(await effects(paymentId)).toEqual(paidOnce(amount));
  });

  test.each([
    ['without a signature', () => ({})],
    ['signed with another secret', (body: string) => world.signature(body, { secret: 'whsec_forged' })],
    ['changed after it was signed', (body: string) => world.signature(`${body} `)],
    [
      'with a malformed signature',
      () => ({ 'stripe-signature': 't=1,v1=zz', 'sandbox-signature': 't=1,v1=zz' }),
    ],
  ])(
    'fault 14: rejects a webhook %s with 400 without a reason, logs it and changes nothing',
    async (_how, sign) => {
      const { intentId, payment } = await openPayment();
      await world.pay(intentId);
      const body = await newest(intentId);
      const before = await stored();
      const { log } = world.server.app;
      const warned = vi.spyOn(log, 'warn');
      const children = vi.spyOn(log, 'child').mockReturnValue(log as ReturnType<typeof log.child>);
      const answer = await send(body, sign(body));
      expect(warned.mock.calls.map(([, message]) => message)).toEqual(['a webhook was rejected']);
      warned.mockRestore();
      children.mockRestore();
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({
        message: 'This webhook is not signed for this installation.',
        code: 'invalid_input',
      });
      expect(await stored()).toBe(before);
      expect((await payment()).status).toBe('requires_payment_method');
    },
  );

  test('fault 15: rejects a signature older than five minutes, and applies an event of three days ago that is freshly signed', async () => {
    const { intentId, paymentId, amount, payment } = await openPayment();
    await world.pay(intentId);
    const threeDaysAgo = Math.floor(Date.now() / 1000) - 3 * 86_400;
    const body = JSON.stringify({ ...JSON.parse(await newest(intentId)), created: threeDaysAgo });
    const stale = world.signature(body, { at: new Date(Date.now() - 301_000) });
    expect((await send(body, stale)).statusCode).toBe(400);
    expect((await payment()).status).toBe('requires_payment_method');
    expect((await send(body)).statusCode).toBe(200);
    expect(await effects(paymentId)).toEqual(paidOnce(amount));
  });

  test.each([-10, 10])(
    'fault 47: rejects a webhook with a signature %i minutes from the server’s clock',
    async (minutes) => {
      const { intentId, payment } = await openPayment();
      await world.pay(intentId);
      const body = await newest(intentId);
      const signed = world.signature(body, { at: new Date(Date.now() + minutes * 60_000) });
      expect((await send(body, signed)).statusCode).toBe(400);
      expect((await payment()).status).toBe('requires_payment_method');
    },
  );

  test('fault 16: the periodic check settles a payment once if its webhook never arrives', async () => {
    const { intentId, paymentId, amount, start } = await openPayment();
    await world.pay(intentId);
    for (const later of [60_000, 120_000, 180_000]) await catchUp(later);
    expect(await effects(paymentId)).toEqual(paidOnce(amount));
    expect((await start()).json().code).toBe('already_paid');
  });

  test('fault 18: accepts an event of an unknown type or newer version with 200, and changes nothing', async () => {
    const { intentId, payment } = await openPayment();
    const ours = JSON.parse(await newestOrOwn(intentId));
    const before = await stored();
    const unknown = [
      { ...ours, id: 'evt_unknown_type', type: 'payment_intent.levitated' },
      { ...ours, id: 'evt_new_version', api_version: '2031-01-01.zephyr', more: { nested: [1, 2] } },
      { id: 'evt_of_something_else', type: 'payout.paid', livemode: false, data: { object: { id: 'po_1' } } },
    ];
    for (const event of unknown) {
      const body = JSON.stringify(event);
      expect((await send(body)).statusCode).toBe(200);
    }
    expect(await stored()).toBe(before + unknown.length);
    expect((await payment()).status).toBe('requires_payment_method');
  });

  test('fault 18: rejects a webhook of one megabyte with 413 before reading it, and alerts the operator', async () => {
    const before = await stored();
    const loggedErrors = vi.spyOn(world.server.app.log, 'error');
    const answer = await send('x'.repeat(1024 * 1024));
    expect(answer.statusCode).toBe(413);
    expect(answer.json().code).toBe('payload_too_large');
    // Anyone can send large webhooks, so many of them cause one log entry.
    expect((await send('x'.repeat(70 * 1024))).statusCode).toBe(413);
    expect(loggedErrors.mock.calls).toEqual([[{ bytes: 1024 * 1024 }, 'a webhook was too large to be read']]);
    loggedErrors.mockRestore();
    expect(await stored()).toBe(before);
  });

  test('fault 25: gives joint clients who start at the same time one payment, which the second one sees as paid', async () => {
    const { one, other, start, intentId, paymentId, amount, payment } = await openPayment();
    const answers = await Promise.all([one, other, one, other].map((headers) => start(headers)));
    expect(answers.map((answer) => answer.json().code ?? answer.json().data.payment_id)).toEqual([
      paymentId,
      'started_by_other_client',
      paymentId,
      'started_by_other_client',
    ]);
    const confirmed = await Promise.allSettled([world.pay(intentId), world.pay(intentId)]);
    expect(confirmed.map(({ status }) => status)).toContain('fulfilled');
    for (const body of await world.eventsOf(intentId)) await send(body);
    expect(await effects(paymentId)).toEqual(paidOnce(amount));
    const second = await start(other);
    expect([second.statusCode, second.json().code]).toEqual([409, 'already_paid']);
    expect(await payment(other)).toMatchObject({
      status: 'succeeded',
      receipt_number: expect.stringMatching(/^R-\d{4}-\d{6}$/),
    });
  });

  test('fault 26: rejects a payment for a paid search, starts nothing and keeps the receipt', async () => {
    const { intentId, paymentId, amount, start, payment } = await openPayment();
    await world.pay(intentId);
    await send(await newest(intentId));
    for (const again of [await start(), await start()]) {
      expect([again.statusCode, again.json().code]).toEqual([409, 'already_paid']);
    }
    // The card form in an old tab still has the intent.
    await world.pay(intentId).catch(() => {});
    await catchUp(60_000);
    expect(await effects(paymentId)).toEqual(paidOnce(amount));
    expect((await payment()).receipt_number).toEqual(expect.any(String));
  });

  test('fault 31: rejects new payments with 503 during maintenance, and lets open ones finish', async () => {
    const { one, intentId, paymentId, amount, start, payment, search } = await openPayment();
    const isOn = async () =>
      (await world.server.app.inject({ url: '/api/maintenance' })).json().data.general !== null;
    const turn = async (on: boolean) => {
      await switchMaintenance(world.server.database, { area: 'general', on, message: null, until: null });
      await expect.poll(isOn).toBe(on);
    };
    await turn(true);
    try {
      const refused = await start();
      expect([refused.statusCode, refused.json().code]).toEqual([503, 'maintenance']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      for (const [method, action] of [
        ['GET', 'intent'],
        ['POST', 'confirm'],
        ['POST', 'refresh'],
      ] as const) {
        const resumed = await world.server.app.inject({
          method,
          url: `/api/payments/${paymentId}/${action}`,
          headers: { ...one },
          ...(action === 'confirm' ? { payload: {} } : {}),
        });
        expect([action, resumed.statusCode]).toEqual([action, 200]);
      }
      await world.pay(intentId);
      expect((await send(await newest(intentId))).statusCode).toBe(200);
      expect((await payment()).status).toBe('succeeded');
      expect((await search()).status).toBe('paid');
    } finally {
      await turn(false);
    }
    expect(await effects(paymentId)).toEqual(paidOnce(amount));
  });

  /** Returns the newest event about an intent, or a forged one if the sandbox has sent none yet. */
  const newestOrOwn = async (intentId: string) =>
    (await newest(intentId)) ||
    JSON.stringify({ id: 'evt', type: 'payment_intent.created', intent: intentId, version: 1 });
});

describe('changing the webhook secret', () => {
  test('fault 17: accepts both webhook secrets during a rotation, and only the new one after it', async () => {
    const simulator = await startStripeSimulator();
    const body = JSON.stringify({
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      livemode: false,
      data: { object: {} },
    });
    const answersWith = async (secrets: string) => {
      const server = await createTestServer({ env: stripeSettings(simulator, secrets) });
      try {
        const answers: number[] = [];
        for (const secret of ['whsec_old', 'whsec_new']) {
          const answer = await server.app.inject({
            method: 'POST',
            url: '/api/webhooks/stripe',
            headers: { 'stripe-signature': simulator.webhooks.sign(body, { secret, at: new Date() }) },
            payload: body,
          });
          answers.push(answer.statusCode);
        }
        return answers;
      } finally {
        await server.stop();
      }
    };
    try {
      expect(await answersWith('whsec_old')).toEqual([200, 400]);
      expect(await answersWith('whsec_new,whsec_old')).toEqual([200, 200]);
      expect(await answersWith('whsec_new')).toEqual([400, 200]);
    } finally {
      await simulator.stop();
    }
  });
});

describe('webhooks of another mode', () => {
  test.each([
    ['a test event on a live server', 'live', false],
    ['a live event on a test server', 'test', true],
  ])('fault 14: rejects %s with 400 although its signature is valid', async (_what, mode, livemode) => {
    const simulator = await startStripeSimulator();
    const server = await createTestServer({
      env: {
        KEYTURN_ENVIRONMENT: mode === 'live' ? 'production' : 'test',
        KEYTURN_PAYMENT_PROVIDER: 'stripe',
        KEYTURN_SMTP_URL: 'off',
        KEYTURN_PUBLIC_URL: 'off',
        KEYTURN_STRIPE_SECRET_KEY: `rk_${mode}_simulated`,
        KEYTURN_STRIPE_PUBLISHABLE_KEY: `pk_${mode}_simulated`,
        KEYTURN_STRIPE_WEBHOOK_SECRETS: simulator.webhookSecret,
      },
    });
    const sendOf = async (isLive: boolean) => {
      const body = JSON.stringify({
        id: `evt_${isLive}`,
        type: 'payment_intent.succeeded',
        livemode: isLive,
        data: { object: {} },
      });
      const answer = await server.app.inject({
        method: 'POST',
        url: '/api/webhooks/stripe',
        headers: { 'stripe-signature': simulator.webhooks.sign(body, { at: new Date() }) },
        payload: body,
      });
      return answer.statusCode;
    };
    try {
      expect(await sendOf(livemode)).toBe(400);
      expect(await sendOf(!livemode)).toBe(200);
      const { rows } = await server.pool.query('select event_id from provider_events');
      expect(rows).toEqual([{ event_id: `evt_${!livemode}` }]);
    } finally {
      await server.stop();
      await simulator.stop();
    }
  });
});

const termsOf = (paymentId: string, caseId: string): IntentTerms => ({
  paymentId,
  caseId,
  kind: 'other',
  method: 'card',
  amount: 1_000,
  currency: 'gbp',
  description: 'Money on account',
  idempotencyKey: `create-intent:${paymentId}:1`,
});

async function openSandbox(): Promise<World> {
  const server = await createTestServer();
  // Marks every event as delivered, because the test delivers them.
  await server.pool.query(`
    create function as_delivered() returns trigger language plpgsql as
      'begin new.delivered_at = now(); return new; end';
    create trigger as_delivered before insert on sandbox_events for each row execute function as_delivered()`);
  const { rows } = await server.pool.query('select secret from installation');
  const secret = createHmac('sha256', rows[0].secret).update('sandbox webhooks').digest('hex');
  const { intents, dependencies, eventsOf } = createPaymentWorld(server);
  return {
    server,
    provider: dependencies.provider,
    decline: (id) => intents.confirm(id, sandboxCard('4000000000000002')),
    pay: (id) => intents.confirm(id, sandboxCard()),
    eventsOf: async (id) => (await eventsOf(id)).map(({ body }) => JSON.stringify(body)),
    signature: (body, signing = {}) => ({
      'sandbox-signature': signWebhook(body, signing.secret ?? secret, signing.at ?? new Date()),
    }),
    stop: () => server.stop(),
  };
}

async function openStripe(): Promise<World> {
  const simulator = await startStripeSimulator();
  const { webhooks, intents } = simulator;
  const secrets = [secondSecret, simulator.webhookSecret];
  const server = await createTestServer({ env: stripeSettings(simulator, secrets.join(',')) });
  return {
    server,
    provider: createStripeProvider({
      secretKey: 'rk_test_simulated',
      publishableKey: 'pk_test_simulated',
      webhookSecrets: secrets,
      apiBase: simulator.url,
    }),
    decline: async (id) => {
      try {
        intents.confirm(id, 'pm_card_chargeDeclined');
      } catch {
        // Stripe reports a decline to the browser as an error.
      }
    },
    pay: async (id) => intents.confirm(id, 'pm_card_visa'),
    eventsOf: async (id) => webhooks.waiting.filter(({ body }) => body.includes(id)).map(({ body }) => body),
    signature: (body, signing = {}) => ({
      'stripe-signature': webhooks.sign(body, { at: new Date(), ...signing }),
    }),
    stop: async () => {
      await server.stop();
      await simulator.stop();
    },
  };
}

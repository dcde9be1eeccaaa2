import {
  buildCase,
  createTestClock,
  intentOf,
  ownCard,
  type StripeFault,
  startStripeSimulator,
  stripeSettings,
  withTestServer,
} from '@keyturn/testkit';
import { afterAll, expect, test } from 'vitest';

const day = 24 * 3_600_000;
const clock = createTestClock();
const simulator = await startStripeSimulator(clock);
// Not the server’s own checks of older payments.
simulator.faultyCalls = /^POST /;
afterAll(() => simulator.stop());
const server = withTestServer({ env: stripeSettings(simulator) });

/** A client with a search to pay for, and the client's actions. */
async function payer() {
  const { clientId, caseSearchId } = await buildCase(server.database);
  const headers = await server.signInAs(clientId);
  const ask = async (method: 'GET' | 'POST', path: string) => {
    const payload = method === 'POST' ? { payload: path.endsWith('/payments') ? ownCard : {} } : {};
    return (await server.app.inject({ method, url: `/api${path}`, headers, ...payload })).json();
  };
  const intents = () => simulator.intents.all().filter(({ metadata }) => metadata.payment_id === paymentId);
  let paymentId = '';
  const start = async () => {
    const answer = await ask('POST', `/case-searches/${caseSearchId}/payments`);
    if (answer.data) paymentId = answer.data.payment_id;
    return answer;
  };
  return {
    start,
    /** Returns the intents at Stripe for this search. */
    intents,
    payment: async () => (await ask('GET', `/payments/${paymentId}`)).data,
    changes: async () =>
      (
        await server.pool.query(
          'select from_status, to_status, money from payment_changes where payment_id = $1 and from_status <> to_status',
          [paymentId],
        )
      ).rows,
  };
}

const eventsOf = (intentId: string) =>
  simulator.webhooks.waiting.filter(({ body }) => body.includes(intentId));
const deliver = (event: { id: string; type: string; body: string }, at = new Date()) =>
  simulator.webhooks.deliver(`${server.url}/api/webhooks/stripe`, event, { at });

test.each<[string, StripeFault[], number]>([
  ['is away before it makes the intent', ['broken before', 503, 503], 1],
  ['makes the intent and is not heard', ['broken after', 'broken after', 'broken after'], 1],
  ['has too much to do', [429, 429, 429], 1],
  ['fails, and keeps its failure for the key', ['stored 500 before'], 1],
  ['makes the intent, fails, and keeps its failure', ['stored 500 after'], 1],
])(
  'fault 6: charges nothing when Stripe %s, and the client can pay once Stripe is back',
  async (_what, faults, made) => {
    const { start, intents, payment } = await payer();
    simulator.faults.push(...faults);
    expect((await start()).code).toBe('provider_unavailable');
    simulator.faults.splice(0);
    // Stripe stores the failure: the next request receives it again, and the one after that uses another key.
    let answer = await start();
    if (answer.code === 'provider_unavailable') answer = await start();
    const { client_secret } = answer.data;
    expect(intents()).toHaveLength(made);
    simulator.intents.confirm(intentOf(client_secret), 'pm_card_visa');
    for (const event of eventsOf(intentOf(client_secret))) expect(await deliver(event)).toBe(200);
    expect((await payment()).status).toBe('succeeded');
    expect((await start()).code).toBe('already_paid');
    expect(intents().filter(({ amount_received }) => amount_received > 0)).toHaveLength(1);
  },
);

test('fault 8: gives two clients who start at the same moment the same intent', async () => {
  const { start, intents } = await payer();
  simulator.latency = 150;
  const answers = await Promise.all([start(), start(), start()]);
  simulator.latency = 0;
  expect(new Set(answers.map(({ data }) => data.client_secret)).size).toBe(1);
  expect(intents()).toHaveLength(1);
});

test('fault 12: accepts four concurrent copies of a webhook, and applies it once', async () => {
  const { start, payment, changes } = await payer();
  const intentId = intentOf((await start()).data.client_secret);
  simulator.intents.confirm(intentId, 'pm_card_visa');
  const paid = eventsOf(intentId).at(-1);
  if (!paid) throw new Error('there is no event');
  expect(await Promise.all([1, 2, 3, 4].map(() => deliver(paid)))).toEqual([200, 200, 200, 200]);
  const { amount } = await payment();
  expect(await changes()).toEqual([
    { from_status: 'requires_payment_method', to_status: 'succeeded', money: amount },
  ]);
});

test('fault 13: keeps a payment succeeded when older webhooks arrive later', async () => {
  const { start, payment, changes } = await payer();
  const intentId = intentOf((await start()).data.client_secret);
  expect(() => simulator.intents.confirm(intentId, 'pm_card_chargeDeclined')).toThrow();
  simulator.intents.confirm(intentId, 'pm_card_visa');
  const backwards = eventsOf(intentId).reverse();
  expect(backwards.map(({ type }) => type)).toEqual([
    'payment_intent.succeeded',
    'charge.succeeded',
    'payment_intent.payment_failed',
    'charge.failed',
    'payment_intent.created',
  ]);
  for (const event of backwards) {
    expect(await deliver(event)).toBe(200);
    expect((await payment()).status).toBe('succeeded');
  }
  expect(await changes()).toHaveLength(1);
});

test('fault 15: rejects an old signature, and applies a freshly signed event that is three days old', async () => {
  const { start, payment } = await payer();
  const intentId = intentOf((await start()).data.client_secret);
  clock.advance(-3 * day);
  simulator.intents.confirm(intentId, 'pm_card_visa');
  clock.advance(3 * day);
  const paid = eventsOf(intentId).at(-1);
  if (!paid) throw new Error('there is no event');
  expect(JSON.parse(paid.body).created * 1000).toBeLessThan(Date.now() - 2 * day);
  for (const off of [-301_000, -3 * day, 310_000]) {
    expect(await deliver(paid, new Date(Date.now() + off))).toBe(400);
  }
  expect((await payment()).status).toBe('requires_payment_method');
  expect(await deliver(paid)).toBe(200);
  expect((await payment()).status).toBe('succeeded');
});

test('ignores an intent of other software that uses the same Stripe account', async () => {
  const { id } = simulator.intents.create({
    amount: 1_000,
    currency: 'gbp',
    metadata: { payment_id: 'invoice_17' },
  });
  for (const event of eventsOf(id)) expect(await deliver(event)).toBe(200);
  expect(simulator.intents.find(id).status).toBe('requires_payment_method');
});

test('records a payment that was refunded before its first sync as captured, then as refunded', async () => {
  const { start, payment, changes } = await payer();
  const intentId = intentOf((await start()).data.client_secret);
  simulator.intents.confirm(intentId, 'pm_card_visa');
  simulator.intents.refund(intentId, 100);
  const last = eventsOf(intentId).at(-1);
  if (!last) throw new Error('there is no event');
  expect(await deliver(last)).toBe(200);
  const { amount, status, refunded_amount } = await payment();
  expect({ status, refunded_amount }).toEqual({ status: 'partially_refunded', refunded_amount: 100 });
  expect(await changes()).toEqual([
    { from_status: 'requires_payment_method', to_status: 'succeeded', money: amount },
    { from_status: 'succeeded', to_status: 'partially_refunded', money: -100 },
  ]);
});

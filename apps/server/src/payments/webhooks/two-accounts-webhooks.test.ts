import {
  buildBill,
  buildCase,
  businessAccountSettings,
  createTestServer,
  intentOf,
  ownCard,
  type StripeSimulator,
  startStripeSimulator,
  stripeSettings,
  type TestServer,
} from '@keyturn/testkit';
import type { StripeAccount } from '@keyturn/testkit/stripe-simulator/stripe-account.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let simulator: StripeSimulator;
let businessAccount: StripeAccount;
let server: TestServer;
beforeAll(async () => {
  simulator = await startStripeSimulator();
  businessAccount = simulator.addAccount();
  server = await createTestServer({
    env: { ...stripeSettings(simulator), ...businessAccountSettings(businessAccount) },
  });
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
});

/** Starts a payment of a search at the client account, and one of a bill at the business account. */
async function startBoth() {
  const { id: caseId, clientId, caseSearchId } = await buildCase(server.database);
  const bill = await buildBill(server.database, { caseId });
  const headers = await server.signInAs(clientId);
  const start = async (url: string, payload: object) =>
    (await server.app.inject({ method: 'POST', url: `/api${url}`, headers, payload })).json().data;
  return {
    search: await start(`/case-searches/${caseSearchId}/payments`, ownCard),
    bill: await start('/other-payments', {
      category: 'legal_fees',
      bill_id: bill.id,
      amount: 27_600,
      own_card: true,
    }),
    status: async ({ payment_id }: { payment_id: string }) =>
      (await server.app.inject({ url: `/api/payments/${payment_id}`, headers })).json().data.status,
  };
}

const clientUrl = () => `${server.url}/api/webhooks/stripe`;
const businessUrl = () => `${server.url}/api/webhooks/stripe_business`;
/** Pays an intent, and returns the event about it. */
function pay(account: StripeAccount, { client_secret }: { client_secret: string }) {
  account.intents.confirm(intentOf(client_secret), 'pm_card_visa');
  const event = account.webhooks.waiting.find(
    ({ type, body }) => type === 'payment_intent.succeeded' && body.includes(intentOf(client_secret)),
  );
  if (!event) throw new Error('there is no event');
  return event;
}

test('each account’s webhooks are accepted at its own address, with its own secret', async () => {
  const { search, bill, status } = await startBoth();
  const ofSearch = pay(simulator, search);
  const ofBill = pay(businessAccount, bill);
  expect(await simulator.webhooks.deliver(businessUrl(), ofSearch)).toBe(400);
  expect(await businessAccount.webhooks.deliver(clientUrl(), ofBill)).toBe(400);
  expect([await status(search), await status(bill)]).not.toContain('succeeded');
  expect(await simulator.webhooks.deliver(clientUrl(), ofSearch)).toBe(200);
  expect(await businessAccount.webhooks.deliver(businessUrl(), ofBill)).toBe(200);
  expect([await status(search), await status(bill)]).toEqual(['succeeded', 'succeeded']);
});

test('an event about a payment of the other account changes nothing, and does not block the genuine event', async () => {
  const { search, status } = await startBoth();
  expect(() =>
    simulator.intents.confirm(intentOf(search.client_secret), 'pm_card_chargeDeclinedInsufficientFunds'),
  ).toThrow();
  const [declined] = simulator.webhooks.waiting.filter(
    ({ type, body }) =>
      type === 'payment_intent.payment_failed' && body.includes(intentOf(search.client_secret)),
  );
  if (!declined) throw new Error('there is no event');
  const { webhookSecret: secret } = businessAccount;
  const declines = async () =>
    (
      await server.pool.query(
        "select count(*)::int as count from payment_attempts where payment_id = $1 and kind = 'decline'",
        [search.payment_id],
      )
    ).rows[0].count;
  expect(await businessAccount.webhooks.deliver(businessUrl(), declined, { secret })).toBe(200);
  expect(await declines()).toBe(0);
  const paid = pay(simulator, search);
  expect(await businessAccount.webhooks.deliver(businessUrl(), paid, { secret })).toBe(200);
  expect(await status(search)).not.toBe('succeeded');
  expect(await simulator.webhooks.deliver(clientUrl(), paid)).toBe(200);
  expect(await status(search)).toBe('succeeded');
});

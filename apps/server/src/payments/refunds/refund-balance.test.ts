import {
  buildCase,
  createPaymentWorld,
  createTestClock,
  intentOf,
  ownCard,
  type StripeSimulator,
  startStripeSimulator,
  withTestDatabase,
} from '@keyturn/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStripeProvider } from '../../adapters/stripe/create-stripe-provider.ts';
import { refundAsMember } from '../../testing/refund-as-member.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import { readRefundBalance } from './refund-balance.ts';
import { runRefundCommand } from './refund-command.ts';

const database = withTestDatabase();
const day = 86_400_000;
let simulator: StripeSimulator;
beforeEach(async () => {
  simulator = await startStripeSimulator(createTestClock());
  simulator.balanceTransactions.float.amount = 0;
});
afterEach(() => simulator.stop());

/** A paid search at the simulated Stripe, whose money has not cleared. */
async function pay(method: 'card' | 'bank') {
  const { dependencies, alerts } = createPaymentWorld(database, {
    clock: simulator.clock,
    provider: () =>
      createStripeProvider({
        secretKey: 'rk_test_simulated',
        publishableKey: 'pk_test_simulated',
        webhookSecrets: ['whsec_simulated'],
        apiBase: simulator.url,
        clock: simulator.clock,
      }),
  });
  await dependencies.provider.readAccountId();
  const { clientId, caseSearchId } = await buildCase(database.database);
  const { payment_id: paymentId, client_secret } = await startSearchPayment(dependencies, {
    clientId,
    caseSearchId,
    confirmed: { ...ownCard, method },
    idempotencyKey: undefined,
  });
  const intentId = intentOf(client_secret ?? '');
  if (method === 'card') simulator.intents.confirm(intentId, 'pm_card_visa');
  else {
    simulator.intents.confirm(intentId, 'pm_sim_pay_by_bank', 'https://clients.example.test/payment');
    simulator.intents.answerAtBank(intentId, 'authorised');
    simulator.intents.settle(intentId);
  }
  await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  const refund = () => refundAsMember(dependencies, { paymentId, amount: 600 });
  return { dependencies, alerts, paymentId, refund };
}

test('a card refund above the available balance waits, and the balance is read before it', async () => {
  const { dependencies, paymentId, refund } = await pay('card');
  expect(await readRefundBalance(dependencies, paymentId)).toEqual({
    available: 0,
    is_period_over: false,
    ledger: null,
    received_online: 18_000,
  });
  expect(await refund()).toMatchObject({ status: 'pending', failureReason: null });
  simulator.balanceTransactions.float.amount = 5_000;
  expect(await readRefundBalance(dependencies, paymentId)).toMatchObject({ available: 5_000 });
});

test('a refund of a payment by bank above the available balance fails with its reason, and is made again by request only', async () => {
  const { alerts, refund } = await pay('bank');
  expect(await refund()).toMatchObject({ status: 'failed', failureReason: 'insufficient_funds' });
  expect(alerts).toContainEqual(expect.stringContaining('a refund failed at the provider'));
  simulator.balanceTransactions.float.amount = 600;
  const calls = simulator.calls.filter(({ request: made }) => made === 'POST /v1/refunds').length;
  expect(calls).toBe(1);
  expect(await refund()).toMatchObject({ status: 'succeeded' });
});

test('a payment by bank is refused after 730 days, and staff read that before', async () => {
  const { dependencies, paymentId, refund } = await pay('bank');
  simulator.balanceTransactions.float.amount = 5_000;
  simulator.clock.advance(730 * day);
  expect(await readRefundBalance(dependencies, paymentId)).toMatchObject({ is_period_over: false });
  simulator.clock.advance(day);
  expect(await readRefundBalance(dependencies, paymentId)).toMatchObject({ is_period_over: true });
  expect(await refund()).toMatchObject({ status: 'rejected', lastCause: 'refund_refused' });
});

test('the refund command prints what is available at the provider before it requests a refund', async () => {
  const { dependencies, paymentId } = await pay('card');
  simulator.balanceTransactions.float.amount = 5_000;
  const lines: string[] = [];
  const request = {
    paymentId,
    amount: 600,
    reason: 'requested_by_customer',
    note: 'Not needed',
    requestedBy: 'Rhian',
    staff: null,
    key: null,
  } as const;
  await runRefundCommand(dependencies, { name: 'refund', ...request }, (line) => void lines.push(line));
  expect(lines).toEqual([
    '£50.00 is available for refunds at the provider.',
    expect.stringContaining('the refund of £6.00 waits for a member of finance'),
  ]);
});

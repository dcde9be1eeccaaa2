import {
  buildCase,
  createPaymentWorld,
  intentOf,
  limitsOf,
  ownCard,
  type StripeSimulator,
  startStripeSimulator,
  withTestDatabase,
} from '@keyturn/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStripeProvider } from '../../adapters/stripe/create-stripe-provider.ts';
import { cancelAtProvider } from '../intents/cancel-at-provider.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import { findPayment } from '../records/payments-store.ts';
import { readPayment } from '../records/read-payment.ts';
import { confirmPayment } from './confirm-payment.ts';
import { retrievePaymentIntent } from './retrieve-payment-intent.ts';
import { startOtherPayment } from './start-other-payment.ts';
import { startSearchPayment } from './start-search-payment.ts';

const database = withTestDatabase();
let simulator: StripeSimulator;
beforeAll(async () => {
  simulator = await startStripeSimulator();
  simulator.intents.limits.confirmations = 1;
});
afterAll(() => simulator.stop());

const limits = limitsOf({ min: 100, max: 500_000, dailyMax: 1_000_000 });

/** A client with a search to pay at the simulated Stripe. */
async function payer() {
  const { dependencies } = createPaymentWorld(database, {
    provider: () =>
      createStripeProvider({
        secretKey: 'rk_test_simulated',
        publishableKey: 'pk_test_simulated',
        webhookSecrets: ['whsec_simulated'],
        apiBase: simulator.url,
      }),
  });
  const { clientId, caseSearchId } = await buildCase(database.database);
  const address = undefined;
  return {
    dependencies,
    startSearch: () =>
      startSearchPayment(dependencies, {
        clientId,
        caseSearchId,
        confirmed: ownCard,
        idempotencyKey: undefined,
      }),
    startOther: (idempotencyKey: string) =>
      startOtherPayment(
        { ...dependencies, limits },
        {
          clientId,
          body: { category: 'money_on_account', amount: 4_000, own_card: true },
          idempotencyKey,
        },
      ),
    retrieve: (paymentId: string) => retrievePaymentIntent(dependencies, { clientId, paymentId, address }),
    confirm: (paymentId: string) =>
      confirmPayment({ ...dependencies, limits }, { clientId, paymentId, confirmed: {}, address }),
    read: (paymentId: string) => readPayment(paymentId).forClient(dependencies.database, clientId),
  };
}

/** Tries one card more than Stripe allows, so that it cancels the intent. */
function exhaust({ client_secret }: { client_secret: string | null }): string {
  const intentId = intentOf(client_secret ?? '');
  expect(() => simulator.intents.confirm(intentId, 'pm_card_chargeDeclined')).toThrow();
  expect(simulator.intents.confirm(intentId, 'pm_card_visa').status).toBe('canceled');
  return intentId;
}

test('starting a search payment that the provider has stopped starts another one', async () => {
  const { startSearch, read } = await payer();
  const stopped = await startSearch();
  exhaust(stopped);
  const again = await startSearch();
  expect(again.payment_id).not.toBe(stopped.payment_id);
  expect(again.client_secret).not.toBeNull();
  expect(await read(stopped.payment_id)).toMatchObject({ status: 'cancelled', stopped_by_provider: true });
  expect(await read(again.payment_id)).toMatchObject({ stopped_by_provider: false });
});

test('a payment that the provider has stopped answers payment_cancelled, before and after it is synced', async () => {
  const { dependencies, startOther, retrieve, confirm } = await payer();
  const stopped = await startOther('one');
  const intentId = exhaust(stopped);
  await expect(retrieve(stopped.payment_id)).rejects.toMatchObject({ code: 'payment_cancelled' });
  await expect(confirm(stopped.payment_id)).rejects.toMatchObject({ code: 'payment_cancelled' });
  await syncPaymentFromProvider(dependencies, intentId, { name: 'payment_intent.canceled' });
  await expect(retrieve(stopped.payment_id)).rejects.toMatchObject({ code: 'payment_cancelled' });
  await expect(startOther('one')).rejects.toMatchObject({ code: 'payment_cancelled' });
  expect((await startOther('another')).payment_id).not.toBe(stopped.payment_id);
});

test('a payment that Keyturn cancelled answers not_payable, although the provider reported it first', async () => {
  const { dependencies, startOther, retrieve, read } = await payer();
  const { payment_id, client_secret } = await startOther('one');
  const payment = await findPayment(dependencies.database, payment_id);
  if (!payment) throw new Error('there is no payment');
  const { provider } = dependencies;
  const cancelIntent = async (intentId: string) => {
    const intent = await provider.cancelIntent(intentId);
    await syncPaymentFromProvider(dependencies, intentId, { name: 'payment_intent.canceled' });
    return intent;
  };
  const reportsFirst = { ...dependencies, provider: { ...provider, cancelIntent } };
  await cancelAtProvider(reportsFirst, payment, 'client_removed');
  expect(simulator.intents.find(intentOf(client_secret ?? '')).status).toBe('canceled');
  await expect(retrieve(payment_id)).rejects.toMatchObject({ code: 'not_payable' });
  expect(await read(payment_id)).toMatchObject({ status: 'cancelled', stopped_by_provider: false });
});

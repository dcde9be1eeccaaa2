import type { PaymentConfirmationBody } from '@keyturn/contract';
import {
  buildCase,
  createPaymentWorld,
  intentOf,
  ownCard,
  type PaymentWorld,
  sandboxCard,
  withTestDatabase,
} from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { ProviderUnavailable } from '../ports/provider.ts';
import { startSearchPayment } from './start-search-payment.ts';

const testDatabase = withTestDatabase();

async function searchOfTwo() {
  const built = await buildCase(testDatabase.database, { clients: [{}, {}] });
  const [amelia = '', tom = ''] = built.clientIds;
  const { caseSearchId } = built;
  const by = (clientId: string, confirmed: PaymentConfirmationBody = ownCard, idempotencyKey?: string) => ({
    clientId,
    caseSearchId,
    confirmed,
    idempotencyKey,
  });
  return { caseSearchId, amelia, tom, by };
}
const unavailable = () => Promise.reject(new ProviderUnavailable('no connection'));

describe('a cancelled search', () => {
  test.each([
    ['with the key that started it', 'k-1'],
    ['without a key', undefined],
  ])('does not continue the payment for a search that the firm has cancelled, %s', async (_how, key) => {
    const { dependencies } = createPaymentWorld(testDatabase);
    const { caseSearchId, amelia, by } = await searchOfTwo();
    await startSearchPayment(dependencies, by(amelia, ownCard, key));
    await testDatabase.pool.query("update case_searches set status = 'cancelled' where id = $1", [
      caseSearchId,
    ]);
    await expect(startSearchPayment(dependencies, by(amelia, ownCard, key))).rejects.toMatchObject({
      code: 'not_payable',
    });
  });
});

describe('an unavailable provider', () => {
  test('fault 6: says that nothing was charged if the provider is unavailable before there is an intent', async () => {
    const { dependencies } = createPaymentWorld(testDatabase, {
      provider: () => ({ createIntent: unavailable }),
    });
    const { amelia, by } = await searchOfTwo();
    await expect(startSearchPayment(dependencies, by(amelia))).rejects.toMatchObject({
      code: 'provider_unavailable',
      message: expect.stringContaining('You have not been charged'),
    });
  });

  test('fault 6: says only that the payment is being checked if the provider is unavailable once there is an intent', async () => {
    const { dependencies, intents } = createPaymentWorld(testDatabase);
    const { amelia, tom, by } = await searchOfTwo();
    const { client_secret } = await startSearchPayment(dependencies, by(amelia));
    await intents.confirm(intentOf(client_secret), sandboxCard());
    const { dependencies: cut } = createPaymentWorld(testDatabase, {
      provider: () => ({ retrieveIntent: unavailable }),
    });
    for (const clientId of [amelia, tom]) {
      await expect(startSearchPayment(cut, by(clientId, {}))).rejects.toMatchObject({
        code: 'payment_being_checked',
        message: 'We’re checking your payment. Please don’t pay again.',
      });
    }
  });
});

test('fault 19: gives no client the secret of an intent with different terms', async () => {
  const world: PaymentWorld = createPaymentWorld(testDatabase);
  const { amelia, by } = await searchOfTwo();
  const { client_secret } = await startSearchPayment(world.dependencies, by(amelia));
  await testDatabase.pool.query('update sandbox_intents set amount = amount - 1 where id = $1', [
    intentOf(client_secret),
  ]);
  await expect(startSearchPayment(world.dependencies, by(amelia))).rejects.toMatchObject({
    code: 'payment_under_review',
  });
  expect(world.alerts).toContain('a payment intent is not what we asked for');
});

test.each(['created', 'retrieved'])(
  'gives no client the secret of a payment that is cancelled while its intent is being %s',
  async (when) => {
    const { amelia, by, caseSearchId } = await searchOfTwo();
    if (when === 'retrieved') {
      await startSearchPayment(createPaymentWorld(testDatabase).dependencies, by(amelia));
    }
    const cancel = () =>
      testDatabase.pool.query("update payments set status = 'cancelled' where case_search_id = $1", [
        caseSearchId,
      ]);
    const { dependencies } = createPaymentWorld(testDatabase, {
      provider: (real) => ({
        createIntent: async (terms) => cancel().then(() => real.createIntent(terms)),
        retrieveIntent: async (intentId) => cancel().then(() => real.retrieveIntent(intentId)),
      }),
    });
    await expect(startSearchPayment(dependencies, by(amelia))).rejects.toMatchObject({ code: 'not_payable' });
  },
);

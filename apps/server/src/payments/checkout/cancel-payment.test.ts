import type { PaymentStatus } from '@keyturn/contract';
import {
  buildCase,
  buildPayment,
  createPaymentWorld,
  ownCard,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { cancelPayment } from './cancel-payment.ts';
import { startSearchPayment } from './start-search-payment.ts';

const testDatabase = withTestDatabase();

async function started(dependencies: PaymentDependencies) {
  const { clientIds, caseSearchId } = await buildCase(testDatabase.database, { clients: [{}, {}] });
  const [clientId = '', joint = ''] = clientIds;
  const search = { caseSearchId, confirmed: ownCard, idempotencyKey: undefined };
  return { clientId, joint, search, ...(await startTestPayment(dependencies, { ...search, clientId })) };
}
const statusOf = async (paymentId: string) =>
  (await testDatabase.pool.query('select status from payments where id = $1', [paymentId])).rows[0].status;
const unavailable = () => Promise.reject(new ProviderUnavailable('no connection'));

describe('cancelling a payment', () => {
  test.each([
    ['before a card was tried', undefined],
    ['after a card was refused', '4000000000000002'],
    ['while the bank asks', '4000000000003220'],
  ])('%s stops an open card form from paying, and frees the search', async (_when, number) => {
    const { dependencies, intents } = createPaymentWorld(testDatabase);
    const { clientId, joint, search, paymentId, intentId } = await started(dependencies);
    if (number) await intents.confirm(intentId, sandboxCard(number));
    expect(await cancelPayment(dependencies, { clientId: joint, paymentId })).toMatchObject({
      id: paymentId,
      status: 'cancelled',
    });
    expect((await intents.confirm(intentId, sandboxCard())).status).toBe('canceled');
    expect((await intents.authenticate(intentId, 'approved')).status).toBe('canceled');
    const replacement = await startSearchPayment(dependencies, { ...search, clientId });
    expect(replacement.payment_id).not.toBe(paymentId);
  });

  test('a payment that has succeeded at the provider cannot be cancelled, and is marked as paid', async () => {
    const { dependencies, intents } = createPaymentWorld(testDatabase);
    const { clientId, paymentId, intentId } = await started(dependencies);
    await intents.confirm(intentId, sandboxCard());
    await expect(cancelPayment(dependencies, { clientId, paymentId })).rejects.toMatchObject({
      code: 'payment_settled',
    });
    expect(await statusOf(paymentId)).toBe('succeeded');
  });

  test('cannot cancel a payment that the bank is processing', async () => {
    const { dependencies, intents } = createPaymentWorld(testDatabase);
    const { clientId, paymentId, intentId } = await started(dependencies);
    await intents.confirm(intentId, sandboxCard('4000000000000077'));
    await expect(cancelPayment(dependencies, { clientId, paymentId })).rejects.toMatchObject({
      code: 'payment_settled',
    });
    expect(await statusOf(paymentId)).toBe('processing');
  });

  test.each(['succeeded', 'partially_refunded', 'refunded', 'cancelled'] satisfies PaymentStatus[])(
    'rejects cancelling a payment that is %s, without calling the provider',
    async (status) => {
      const { dependencies } = createPaymentWorld(testDatabase, {
        provider: () => ({
          createIntent: unavailable,
          cancelIntent: unavailable,
          retrieveIntent: unavailable,
        }),
      });
      const { id: caseId, clientId } = await buildCase(testDatabase.database);
      const payment = await buildPayment(testDatabase.database, { caseId, clientId, status });
      await expect(cancelPayment(dependencies, { clientId, paymentId: payment.id })).rejects.toMatchObject({
        code: 'payment_settled',
      });
      expect(await statusOf(payment.id)).toBe(status);
    },
  );

  test('leaves a payment open while the outcome of its cancellation is unknown', async () => {
    const { dependencies } = createPaymentWorld(testDatabase);
    const { clientId, paymentId } = await started(dependencies);
    const { dependencies: cut } = createPaymentWorld(testDatabase, {
      provider: () => ({ cancelIntent: unavailable }),
    });
    await expect(cancelPayment(cut, { clientId, paymentId })).rejects.toMatchObject({
      code: 'payment_being_checked',
    });
    expect(await statusOf(paymentId)).toBe('requires_payment_method');
    const { rows } = await testDatabase.pool.query('select cancel_requested_by from payments where id = $1', [
      paymentId,
    ]);
    // Otherwise a payment that expires later would be shown as cancelled by this client.
    expect(rows).toEqual([{ cancel_requested_by: null }]);
  });

  test('leaves no payable intent when a payment is cancelled while its intent is being created', async () => {
    const { dependencies } = createPaymentWorld(testDatabase);
    let paymentId = '';
    const { clientId, caseSearchId } = await buildCase(testDatabase.database);
    const { dependencies: slow } = createPaymentWorld(testDatabase, {
      provider: (real) => ({
        createIntent: async (terms) => {
          paymentId = terms.paymentId;
          await cancelPayment(dependencies, { clientId, paymentId });
          return real.createIntent(terms);
        },
      }),
    });
    await expect(
      startSearchPayment(slow, { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: undefined }),
    ).rejects.toMatchObject({ code: 'not_payable' });
    const { rows } = await testDatabase.pool.query(
      "select status from sandbox_intents where metadata->>'payment_id' = $1",
      [paymentId],
    );
    expect(rows).toEqual([{ status: 'canceled' }]);
  });

  test('does not cancel the payment of another client', async () => {
    const { dependencies } = createPaymentWorld(testDatabase);
    const { paymentId } = await started(dependencies);
    const stranger = await buildCase(testDatabase.database);
    await expect(
      cancelPayment(dependencies, { clientId: stranger.clientId, paymentId }),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect(await statusOf(paymentId)).toBe('requires_payment_method');
  });
});

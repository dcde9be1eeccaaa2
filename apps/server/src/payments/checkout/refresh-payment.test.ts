import {
  buildCase,
  createPaymentWorld,
  createTestClock,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { ProviderUnavailable } from '../ports/provider.ts';
import { cancelPayment } from './cancel-payment.ts';
import { createPaymentRefresh } from './refresh-payment.ts';

const testDatabase = withTestDatabase();

/** Two joint clients with an open payment for a search, and a count of the provider calls about it. */
async function openPayment() {
  const clock = createTestClock();
  const calls = { retrieve: 0, isDown: false };
  const world = createPaymentWorld(testDatabase, {
    clock,
    provider: (real) => ({
      retrieveIntent: async (intentId) => {
        calls.retrieve += 1;
        if (calls.isDown) throw new ProviderUnavailable('no connection');
        return real.retrieveIntent(intentId);
      },
    }),
  });
  const { clientIds, caseSearchId } = await buildCase(testDatabase.database, { clients: [{}, {}] });
  const [amelia = '', tom = ''] = clientIds;
  const started = await startTestPayment(world.dependencies, { clientId: amelia, caseSearchId });
  calls.retrieve = 0;
  const refresh = createPaymentRefresh(world.dependencies);
  return { ...world, ...started, clock, calls, amelia, tom, refresh };
}
const unknownId = '00000000-0000-4000-8000-000000000000';

test('a refresh applies the provider’s state, for either joint client', async () => {
  const { refresh, clock, intents, intentId, paymentId, amelia, tom } = await openPayment();
  expect(await refresh({ clientId: amelia, paymentId })).toMatchObject({ status: 'requires_payment_method' });
  await intents.confirm(intentId, sandboxCard());
  clock.advance(1_000);
  expect(await refresh({ clientId: tom, paymentId })).toMatchObject({
    id: paymentId,
    status: 'succeeded',
    receipt_number: expect.stringMatching(/^R-\d{4}-\d{6}$/),
  });
});

test('a refresh answers not_found for the payment of another client, and for an unknown id', async () => {
  const { refresh, calls, paymentId } = await openPayment();
  const { clientId } = await buildCase(testDatabase.database);
  for (const id of [paymentId, unknownId, 'x']) {
    await expect(refresh({ clientId, paymentId: id })).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(calls.retrieve).toBe(0);
});

test('a refresh of a settled payment does not call the provider', async () => {
  const paid = await openPayment();
  await paid.intents.confirm(paid.intentId, sandboxCard());
  await paid.refresh({ clientId: paid.amelia, paymentId: paid.paymentId });
  const cancelled = await openPayment();
  await cancelPayment(cancelled.dependencies, {
    clientId: cancelled.amelia,
    paymentId: cancelled.paymentId,
  });
  for (const { refresh, clock, calls, amelia, paymentId } of [paid, cancelled]) {
    clock.advance(10_000);
    const before = calls.retrieve;
    const payment = await refresh({ clientId: amelia, paymentId });
    expect(['succeeded', 'cancelled']).toContain(payment.status);
    expect(calls.retrieve).toBe(before);
  }
});

test('a refresh shows a mismatched payment as under review, and makes no further calls about it', async () => {
  const { refresh, clock, calls, amelia, paymentId, intentId } = await openPayment();
  await testDatabase.pool.query('update sandbox_intents set amount = amount - 1 where id = $1', [intentId]);
  expect(await refresh({ clientId: amelia, paymentId })).toMatchObject({ under_review: true });
  clock.advance(10_000);
  expect(await refresh({ clientId: amelia, paymentId })).toMatchObject({ under_review: true });
  expect(calls.retrieve).toBe(1);
});

test('a refresh says only that the payment is being checked while the provider does not answer', async () => {
  const { refresh, clock, calls, amelia, paymentId } = await openPayment();
  calls.isDown = true;
  await expect(refresh({ clientId: amelia, paymentId })).rejects.toMatchObject({
    code: 'payment_being_checked',
  });
  calls.isDown = false;
  clock.advance(1_000);
  expect(await refresh({ clientId: amelia, paymentId })).toMatchObject({ status: 'requires_payment_method' });
});

test('refreshes call the provider about a payment at most once a second, even with many requests', async () => {
  const { refresh, clock, calls, amelia, tom, paymentId } = await openPayment();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => refresh({ clientId: index % 2 ? amelia : tom, paymentId })),
  );
  expect(answers.map(({ id }) => id)).toEqual(Array(20).fill(paymentId));
  expect(calls.retrieve).toBe(1);
  clock.advance(999);
  await refresh({ clientId: amelia, paymentId });
  expect(calls.retrieve).toBe(1);
  clock.advance(1);
  await refresh({ clientId: amelia, paymentId });
  expect(calls.retrieve).toBe(2);
});

test('a refresh returns a payment that never reached the provider unchanged', async () => {
  const { dependencies, amelia, calls } = await openPayment();
  const cut = createPaymentWorld(testDatabase, {
    provider: () => ({ createIntent: () => Promise.reject(new ProviderUnavailable('no connection')) }),
  });
  const { clientId, caseSearchId } = await buildCase(testDatabase.database, { clients: [{ id: amelia }] });
  await expect(startTestPayment(cut.dependencies, { clientId, caseSearchId })).rejects.toMatchObject({
    code: 'provider_unavailable',
  });
  const { rows } = await testDatabase.pool.query('select id from payments where case_search_id = $1', [
    caseSearchId,
  ]);
  const refresh = createPaymentRefresh(dependencies);
  expect(await refresh({ clientId, paymentId: rows[0].id })).toMatchObject({
    id: rows[0].id,
    status: 'requires_payment_method',
  });
  expect(calls.retrieve).toBe(0);
});

import {
  buildCase,
  createPaymentWorld,
  createTestClock,
  intentOf,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { createPaymentAttempts } from '../attempts/payment-attempts.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { retrievePaymentIntent } from './retrieve-payment-intent.ts';

const testDatabase = withTestDatabase();

/** Two joint clients with an open payment for a search. */
async function openPayment(world = createPaymentWorld(testDatabase)) {
  const { clientIds, caseSearchId } = await buildCase(testDatabase.database, { clients: [{}, {}] });
  const [amelia = '', tom = ''] = clientIds;
  const started = await startTestPayment(world.dependencies, { clientId: amelia, caseSearchId });
  const read = (clientId: string, dependencies = world.dependencies) =>
    retrievePaymentIntent(dependencies, { clientId, paymentId: started.paymentId, address: undefined });
  return { ...world, ...started, amelia, tom, caseSearchId, read };
}
const recordOf = async (paymentId: string) =>
  (
    await testDatabase.pool.query('select to_status, cause from payment_changes where payment_id = $1', [
      paymentId,
    ])
  ).rows;
const statusOf = async (paymentId: string) =>
  (await testDatabase.pool.query('select status from payments where id = $1', [paymentId])).rows[0].status;
const unavailable = () => Promise.reject(new ProviderUnavailable('no connection'));

test('reading an open payment’s intent gives both joint clients the intent and only the payer the client secret, and stores nothing', async () => {
  const { read, amelia, tom, paymentId, intentId, amount } = await openPayment();
  const before = await recordOf(paymentId);
  for (const clientId of [amelia, tom]) {
    const intent = await read(clientId);
    expect(intent).toMatchObject({
      payment_id: paymentId,
      provider: 'sandbox',
      amount,
      currency: 'gbp',
      status: 'requires_payment_method',
    });
    if (clientId === amelia) expect(intentOf(intent.client_secret)).toBe(intentId);
    else expect(intent.client_secret).toBeNull();
  }
  expect(await recordOf(paymentId)).toEqual(before);
});

test('reading the intent answers not_found for the payment of another client, and for an unknown id', async () => {
  const { dependencies, read, paymentId } = await openPayment();
  const stranger = await buildCase(testDatabase.database);
  await expect(read(stranger.clientId)).rejects.toMatchObject({ code: 'not_found' });
  for (const unknown of ['00000000-0000-4000-8000-000000000000', 'x']) {
    await expect(
      retrievePaymentIntent(dependencies, {
        clientId: stranger.clientId,
        paymentId: unknown,
        address: undefined,
      }),
    ).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(await statusOf(paymentId)).toBe('requires_payment_method');
});

test('reading the intent creates a missing one at the provider, once', async () => {
  const world = createPaymentWorld(testDatabase);
  const cut = createPaymentWorld(testDatabase, { provider: () => ({ createIntent: unavailable }) });
  const { clientId, caseSearchId } = await buildCase(testDatabase.database);
  await expect(startTestPayment(cut.dependencies, { clientId, caseSearchId })).rejects.toMatchObject({
    code: 'provider_unavailable',
  });
  const { rows } = await testDatabase.pool.query('select id from payments where case_search_id = $1', [
    caseSearchId,
  ]);
  const request = { clientId, paymentId: rows[0].id, address: undefined };
  await expect(retrievePaymentIntent(cut.dependencies, request)).rejects.toMatchObject({
    code: 'provider_unavailable',
  });
  const [first, second] = [
    await retrievePaymentIntent(world.dependencies, request),
    await retrievePaymentIntent(world.dependencies, request),
  ];
  expect(second).toEqual(first);
  const intents = await testDatabase.pool.query(
    "select id from sandbox_intents where metadata->>'payment_id' = $1",
    [rows[0].id],
  );
  expect(intents.rows).toEqual([{ id: intentOf(first.client_secret) }]);
});

test('reading the intent returns the provider’s status before it is recorded, and leaves the record unchanged', async () => {
  const { read, amelia, intents, intentId, paymentId } = await openPayment();
  await intents.confirm(intentId, sandboxCard('4000000000003220'));
  expect(await read(amelia)).toMatchObject({ status: 'requires_action' });
  expect(await statusOf(paymentId)).toBe('requires_payment_method');
});

test('reading the intent answers already_paid for a payment that succeeded at the provider, recorded or not', async () => {
  const { read, dependencies, amelia, tom, intents, intentId, paymentId } = await openPayment();
  await intents.confirm(intentId, sandboxCard());
  await expect(read(amelia)).rejects.toMatchObject({ code: 'already_paid' });
  expect(await statusOf(paymentId)).toBe('requires_payment_method');
  await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  await expect(read(tom)).rejects.toMatchObject({ code: 'already_paid' });
});

test('reading the intent answers not_payable for a cancelled payment, and for a search that the firm has cancelled', async () => {
  const { read, dependencies, amelia, intentId } = await openPayment();
  await dependencies.provider.cancelIntent(intentId);
  await expect(read(amelia)).rejects.toMatchObject({ code: 'not_payable' });
  await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  await expect(read(amelia)).rejects.toMatchObject({ code: 'not_payable' });

  const other = await openPayment();
  await testDatabase.pool.query("update case_searches set status = 'cancelled' where id = $1", [
    other.caseSearchId,
  ]);
  await expect(other.read(other.amelia)).rejects.toMatchObject({ code: 'not_payable' });
});

test('returns no secret of an intent with different terms, or of a payment under review', async () => {
  const { read, dependencies, amelia, intentId } = await openPayment();
  await testDatabase.pool.query('update sandbox_intents set amount = amount - 1 where id = $1', [intentId]);
  await expect(read(amelia)).rejects.toMatchObject({ code: 'payment_under_review' });
  await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  await expect(read(amelia)).rejects.toMatchObject({ code: 'payment_under_review' });
});

test('reading the intent says only that the payment is being checked while the provider does not answer', async () => {
  const { read, amelia } = await openPayment();
  const cut = createPaymentWorld(testDatabase, { provider: () => ({ retrieveIntent: unavailable }) });
  await expect(read(amelia, cut.dependencies)).rejects.toMatchObject({ code: 'payment_being_checked' });
});

test('reading the intent answers not_payable for a payment that was started with a former provider', async () => {
  const { read, amelia, dependencies } = await openPayment();
  const changed = { ...dependencies, provider: { ...dependencies.provider, name: 'stripe' as const } };
  await expect(read(amelia, changed)).rejects.toMatchObject({ code: 'not_payable' });
});

test('reading the intent gives a throttled client no secret', async () => {
  const clock = createTestClock();
  const declines = { client: 1, address: 20 };
  const attempts = createPaymentAttempts({
    limits: { starts: { client: 10, address: 30 }, declines },
    clock,
    alertOperator: () => {},
  });
  const world = createPaymentWorld(testDatabase, { clock, dependencies: { attempts } });
  const { read, amelia, intents, intentId, dependencies } = await openPayment(world);
  await intents.confirm(intentId, sandboxCard('4000000000000002'));
  await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  await expect(read(amelia)).rejects.toMatchObject({ code: 'too_many_payment_attempts' });
});

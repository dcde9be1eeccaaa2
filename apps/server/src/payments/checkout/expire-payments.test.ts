import {
  buildCase,
  createPaymentWorld,
  createTestClock,
  createTestServer,
  limitsOf,
  ownCard,
  sandboxCard,
  startTestPayment,
  type TestClock,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { syncDuePayments } from '../intents/sync-due-payments.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { type PaymentProvider, ProviderUnavailable } from '../ports/provider.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { expirePayments } from './expire-payments.ts';
import { startOtherPayment } from './start-other-payment.ts';
import { startSearchPayment } from './start-search-payment.ts';

// Expiry checks every payment in the database, so each test gets a fresh database.
const testDatabase = withFreshTestDatabase();
let clock: TestClock;
beforeEach(() => {
  clock = createTestClock();
});

const minute = 60_000;

function world(provider?: (real: PaymentProvider) => Partial<PaymentProvider>) {
  return createPaymentWorld(testDatabase, { clock, ...(provider ? { provider } : {}) });
}
async function started(dependencies: PaymentDependencies) {
  const { clientId, caseSearchId } = await buildCase(testDatabase.database);
  const request = { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: 'k-1' };
  return { request, clientId, ...(await startTestPayment(dependencies, request)) };
}
/** Starts a payment without an intent, or one with a lost answer from the provider. */
async function startWithoutIntent(dependencies: PaymentDependencies) {
  const { clientId, caseSearchId } = await buildCase(testDatabase.database);
  const request = { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: undefined };
  const createIntent = unavailable;
  const cut = { ...dependencies, provider: { ...dependencies.provider, createIntent } };
  await expect(startSearchPayment(cut, request)).rejects.toMatchObject({ code: 'provider_unavailable' });
  const { rows } = await testDatabase.pool.query('select id from payments where case_search_id = $1', [
    caseSearchId,
  ]);
  return { request, paymentId: rows[0].id as string };
}
/** Changes the stored times to those of the test's clock, which differs from the database's. */
const asOfTheClock = () =>
  testDatabase.pool.query('update payments set updated_at = $1, created_at = $1', [clock()]);
const paymentOf = async (paymentId: string) =>
  (await testDatabase.pool.query('select * from payments where id = $1', [paymentId])).rows[0];
const statusOf = async (paymentId: string) => (await paymentOf(paymentId)).status;
const unavailable = () => Promise.reject(new ProviderUnavailable('no connection'));

describe('an abandoned payment', () => {
  test('expires a payment after 90 minutes without activity, not sooner, and frees its search', async () => {
    const { dependencies, intents, alerts } = world();
    const { request, paymentId, intentId } = await started(dependencies);
    await asOfTheClock();
    clock.advance(90 * minute - 1);
    await expirePayments(dependencies);
    expect(await statusOf(paymentId)).toBe('requires_payment_method');
    clock.advance(1);
    await expirePayments(dependencies);
    expect(await paymentOf(paymentId)).toMatchObject({ status: 'cancelled', last_cause: 'expired' });
    // An open card form can no longer pay.
    expect((await intents.confirm(intentId, sandboxCard())).status).toBe('canceled');
    const replacement = await startSearchPayment(dependencies, request);
    expect(replacement.payment_id).not.toBe(paymentId);
    expect(alerts).toEqual([]);
  });

  test('expires a payment on time even if the provider is rarely asked about it', async () => {
    const { dependencies } = world();
    const { paymentId } = await started(dependencies);
    await asOfTheClock();
    for (let elapsed = 0; elapsed < 90 * minute; elapsed += 30_000) {
      await expirePayments(dependencies);
      await syncDuePayments(dependencies);
      expect(await statusOf(paymentId)).toBe('requires_payment_method');
      clock.advance(30_000);
    }
    await expirePayments(dependencies);
    expect(await statusOf(paymentId)).toBe('cancelled');
  });

  test('expires a payment that is not for a search', async () => {
    const { dependencies } = world();
    const { clientId } = await buildCase(testDatabase.database);
    const { payment_id } = await startOtherPayment(
      { ...dependencies, limits: limitsOf({ min: 1, max: 1_000, dailyMax: 1_000 }) },
      { clientId, body: { category: 'other', amount: 500, own_card: true }, idempotencyKey: undefined },
    );
    clock.advance(91 * minute);
    await expirePayments(dependencies);
    expect(await paymentOf(payment_id)).toMatchObject({ status: 'cancelled', last_cause: 'expired' });
  });

  test('fault 21: expires a payment 90 minutes after a card was declined or the bank’s check was left unanswered', async () => {
    const { dependencies, intents } = world();
    for (const number of ['4000000000000002', '4000000000003220']) {
      const { paymentId, intentId } = await started(dependencies);
      await asOfTheClock();
      clock.advance(80 * minute);
      await intents.confirm(intentId, sandboxCard(number));
      await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
      await asOfTheClock();
      const tried = await statusOf(paymentId);
      clock.advance(80 * minute);
      await expirePayments(dependencies);
      expect(await statusOf(paymentId)).toBe(tried);
      clock.advance(11 * minute);
      await expirePayments(dependencies);
      expect(await statusOf(paymentId)).toBe('cancelled');
      expect((await intents.authenticate(intentId, 'approved')).status).toBe('canceled');
    }
  });

  test('resets the expiry when the payer continues the payment', async () => {
    const { dependencies } = world();
    const { request, paymentId } = await started(dependencies);
    const old = new Date(clock().getTime() - 89 * minute);
    await testDatabase.pool.query('update payments set updated_at = $1', [old]);
    expect((await startSearchPayment(dependencies, request)).payment_id).toBe(paymentId);
    clock.advance(80 * minute);
    await expirePayments(dependencies);
    expect(await statusOf(paymentId)).toBe('requires_payment_method');
  });

  test('expires a payment that never reached the provider, and leaves no payable intent', async () => {
    const { dependencies, alerts } = world();
    const { request, paymentId } = await startWithoutIntent(dependencies);
    clock.advance(91 * minute);
    await expirePayments(dependencies);
    expect(await paymentOf(paymentId)).toMatchObject({ status: 'cancelled', last_cause: 'expired' });
    const { rows } = await testDatabase.pool.query('select status from sandbox_intents');
    expect(rows).toEqual([{ status: 'canceled' }]);
    expect((await startSearchPayment(dependencies, request)).payment_id).not.toBe(paymentId);
    expect(alerts).toEqual([]);
  });
});

test('expires payments after a start that became due while no server was running', async () => {
  const { dependencies } = world();
  const { paymentId } = await started(dependencies);
  await testDatabase.pool.query("update payments set updated_at = now() - interval '91 minutes'");
  const server = await createTestServer({ database: testDatabase });
  try {
    await expect.poll(() => statusOf(paymentId)).toBe('cancelled');
  } finally {
    await server.stop();
  }
});

describe('a payment that is due to expire', () => {
  test('fault 30: marks an expiring payment paid if the provider has the money, and does not cancel its intent', async () => {
    const { dependencies, intents } = world((real) => ({
      cancelIntent: (intentId) => {
        throw new Error(`${intentId} must not be cancelled at ${real.name}`);
      },
    }));
    const { paymentId, intentId } = await started(dependencies);
    await intents.confirm(intentId, sandboxCard());
    clock.advance(91 * minute);
    await expirePayments(dependencies);
    expect(await paymentOf(paymentId)).toMatchObject({
      status: 'succeeded',
      receipt_number: expect.stringMatching(/^R-/),
    });
  });

  test('fault 30: only marks a payment as paid when the payer is faster than its expiry', async () => {
    const { dependencies, intents, alerts } = world((real) => ({
      cancelIntent: async (intentId) => {
        await intents.confirm(intentId, sandboxCard());
        return real.cancelIntent(intentId);
      },
    }));
    const { paymentId } = await started(dependencies);
    clock.advance(91 * minute);
    await expirePayments(dependencies);
    expect(await statusOf(paymentId)).toBe('succeeded');
    expect(alerts).toEqual([]);
  });

  test('fault 30: settles a payment once when a card, a webhook, a check and two expiries coincide', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { dependencies, intents, eventsOf, alerts } = world();
      const { paymentId, intentId } = await started(dependencies);
      clock.advance(91 * minute);
      const [paid] = await Promise.all([
        intents.confirm(intentId, sandboxCard()).then(async (intent) => {
          for (const event of await eventsOf(intentId)) await handleWebhookEvent(dependencies, event);
          return intent;
        }),
        expirePayments(dependencies),
        expirePayments(dependencies),
        syncDuePayments(dependencies),
      ]);
      expect(['succeeded', 'canceled']).toContain(paid.status);
      expect(await statusOf(paymentId)).toBe(paid.status === 'canceled' ? 'cancelled' : paid.status);
      expect(alerts).toEqual([]);
    }
  });

  test('does not expire a payment that the bank is processing', async () => {
    const { dependencies, intents } = world();
    const { paymentId, intentId } = await started(dependencies);
    await intents.confirm(intentId, sandboxCard('4000000000000077'));
    clock.advance(91 * minute);
    await expirePayments(dependencies);
    expect(await statusOf(paymentId)).toBe('processing');
    clock.advance(91 * minute);
    await expirePayments(dependencies);
    expect(await statusOf(paymentId)).toBe('processing');
    await intents.settleDue();
    await syncDuePayments(dependencies);
    expect(await statusOf(paymentId)).toBe('succeeded');
  });

  test('resets the expiry after a card attempt that no webhook reported', async () => {
    const { dependencies, intents } = world();
    const { paymentId, intentId } = await started(dependencies);
    await testDatabase.pool.query("update payments set updated_at = now() - interval '91 minutes'");
    await intents.confirm(intentId, sandboxCard('4000000000003220'));
    clock.advance(1_000);
    await expirePayments(dependencies);
    expect(await statusOf(paymentId)).toBe('requires_action');
  });

  test('stops the round of expiries when the provider is unavailable', async () => {
    const { dependencies } = world();
    const { paymentId } = await started(dependencies);
    const other = await started(dependencies);
    clock.advance(91 * minute);
    const calledIntents: string[] = [];
    const cut = world(() => ({
      retrieveIntent: (intentId) => {
        calledIntents.push(intentId);
        return unavailable();
      },
    }));
    await expirePayments(cut.dependencies);
    expect(calledIntents).toHaveLength(1);
    await expirePayments(cut.dependencies);
    expect(new Set(calledIntents)).toEqual(
      new Set([other.intentId, (await paymentOf(paymentId)).provider_intent_id]),
    );
    expect(cut.alerts).toEqual([]);
    expect(await statusOf(paymentId)).toBe('requires_payment_method');
    clock.advance(30 * minute);
    await expirePayments(dependencies);
    expect(await statusOf(paymentId)).toBe('cancelled');
    expect(await statusOf(other.paymentId)).toBe('cancelled');
  });

  test('fault 80: cancels an expired payment unknown to the provider with one alert, and expires the others', async () => {
    const { dependencies, alerts } = world();
    const unknown = await started(dependencies);
    await testDatabase.pool.query('delete from sandbox_intents where id = $1', [unknown.intentId]);
    clock.advance(1_000);
    const known = await started(dependencies);
    clock.advance(91 * minute);
    await expirePayments(dependencies);
    expect(await statusOf(known.paymentId)).toBe('cancelled');
    expect(await paymentOf(unknown.paymentId)).toMatchObject({ status: 'cancelled', last_cause: 'expired' });
    expect(alerts).toEqual([expect.stringMatching(/^a payment was cancelled only in Keyturn/)]);
    await expirePayments(dependencies);
    await syncDuePayments(dependencies);
    expect(alerts).toHaveLength(1);
  });

  test('puts a mismatched payment under manual review instead of expiring it', async () => {
    const { dependencies, alerts } = world();
    const { paymentId, intentId } = await started(dependencies);
    await testDatabase.pool.query('update sandbox_intents set amount = amount + 1 where id = $1', [intentId]);
    clock.advance(91 * minute);
    await expirePayments(dependencies);
    expect(alerts).toEqual(['a payment intent is not what we asked for']);
    expect(await statusOf(paymentId)).toBe('requires_payment_method');
  });

  test('does not expire the payments of another provider', async () => {
    const { dependencies } = world();
    const { paymentId } = await started(dependencies);
    clock.advance(91 * minute);
    const provider = { ...dependencies.provider, name: 'stripe' as const };
    await expirePayments({ ...dependencies, provider });
    expect(await statusOf(paymentId)).toBe('requires_payment_method');
  });
});

import { expectedClearingDay } from '@keyturn/format/working-days';
import {
  buildCase,
  createPaymentWorld,
  createTestClock,
  sandboxCard,
  startTestPayment,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { syncDuePayments } from './sync-due-payments.ts';

// The periodic check covers every payment in the database, so each test gets a fresh database.
const testDatabase = withFreshTestDatabase();

const day = 86_400_000;

async function startPayment(dependencies: PaymentDependencies) {
  return startTestPayment(dependencies, await buildCase(testDatabase.database));
}
const statusOf = async (paymentId: string) =>
  (await testDatabase.pool.query('select status from payments where id = $1', [paymentId])).rows[0].status;

/** A payment world with a clock that the test moves, which counts the calls to the provider. */
function watchedWorld() {
  const clock = createTestClock();
  const calledIntents: string[] = [];
  const world = createPaymentWorld(testDatabase, {
    clock,
    provider: (real) => ({
      retrieveIntent: (intentId) => {
        calledIntents.push(intentId);
        return real.retrieveIntent(intentId);
      },
    }),
  });
  return { ...world, clock, calledIntents };
}

describe('the periodic check of open payments', () => {
  test('fault 16: finds a payment that was made without a webhook after a week without activity', async () => {
    const { dependencies, intents, clock } = watchedWorld();
    const { intentId, paymentId } = await startPayment(dependencies);
    for (let days = 0; days < 7; days += 1) {
      await syncDuePayments(dependencies);
      clock.advance(day);
    }
    await intents.confirm(intentId, sandboxCard());
    await syncDuePayments(dependencies);
    expect(await statusOf(paymentId)).toBe('succeeded');
  });

  test('checks an intent often at first, then rarely, and often again after new activity', async () => {
    const { dependencies, clock, calledIntents, intents, eventsOf } = watchedWorld();
    const { intentId } = await startPayment(dependencies);
    const askedWithin = async (span: number) => {
      const before = calledIntents.length;
      for (let elapsed = 0; elapsed < span; elapsed += 30_000) {
        await syncDuePayments(dependencies);
        clock.advance(30_000);
      }
      return calledIntents.length - before;
    };
    expect(await askedWithin(120_000)).toBe(4);
    clock.advance(2 * day);
    expect(await askedWithin(600_000)).toBe(1);
    await intents.confirm(intentId, sandboxCard('4000000000000002'));
    for (const event of await eventsOf(intentId)) await handleWebhookEvent(dependencies, event);
    expect(await askedWithin(30_000)).toBe(1);
  });

  test('checks a paid payment on the day on which its money should clear, and records that it has', async () => {
    const { dependencies, clock, calledIntents, intents } = watchedWorld();
    const { intentId, paymentId } = await startPayment(dependencies);
    await intents.confirm(intentId, sandboxCard());
    const clearing = async () =>
      (
        await testDatabase.pool.query(
          'select clears_on::text, cleared_at is not null as cleared from payments where id = $1',
          [paymentId],
        )
      ).rows[0];
    await syncDuePayments(dependencies);
    const { clears_on } = await clearing();
    const { rows: known } = await testDatabase.pool.query('select bank_holiday_days() as days');
    expect(clears_on).toBe(expectedClearingDay(clock(), known[0].days));
    expect(await clearing()).toEqual({ clears_on, cleared: false });
    clock.advance(60_000);
    await syncDuePayments(dependencies);
    calledIntents.length = 0;
    clock.advance(Date.parse(`${clears_on}T00:00:00Z`) - clock().getTime() - 1);
    await syncDuePayments(dependencies);
    expect(calledIntents).toEqual([]);
    clock.advance(1);
    await testDatabase.pool.query('delete from broadcast_events');
    await syncDuePayments(dependencies);
    expect(await clearing()).toEqual({ clears_on, cleared: true });
    // Both clients' open pages read the payment again.
    const { rows: events } = await testDatabase.pool.query('select event, ids from broadcast_events');
    expect(events).toEqual([{ event: 'PaymentUpdated', ids: [paymentId] }]);
    clock.advance(30 * day);
    calledIntents.length = 0;
    await syncDuePayments(dependencies);
    expect(calledIntents).toEqual([]);
  });

  test('alerts about an intent that is unknown to the provider, postpones it and continues with the others', async () => {
    const { dependencies, intents, clock, alerts, calledIntents } = watchedWorld();
    const unknown = await startPayment(dependencies);
    await testDatabase.pool.query('delete from sandbox_intents where id = $1', [unknown.intentId]);
    clock.advance(1_000);
    const known = await startPayment(dependencies);
    await intents.confirm(known.intentId, sandboxCard());
    await syncDuePayments(dependencies);
    expect(await statusOf(known.paymentId)).toBe('succeeded');
    expect(alerts).toEqual(['a payment could not be synced from the provider']);
    calledIntents.length = 0;
    await syncDuePayments(dependencies);
    expect(calledIntents).toEqual([]);
  });

  test('ends a round when the provider is unavailable, and starts the next with another intent', async () => {
    const { dependencies, clock } = watchedWorld();
    await startPayment(dependencies);
    clock.advance(1_000);
    await startPayment(dependencies);
    const calledIntents: string[] = [];
    const unavailable = createPaymentWorld(testDatabase, {
      clock,
      provider: () => ({
        retrieveIntent: (intentId) => {
          calledIntents.push(intentId);
          return Promise.reject(new ProviderUnavailable('no line'));
        },
      }),
    });
    await syncDuePayments(unavailable.dependencies);
    expect(calledIntents).toHaveLength(1);
    await syncDuePayments(unavailable.dependencies);
    expect(calledIntents).toHaveLength(2);
    expect(new Set(calledIntents).size).toBe(2);
    expect(unavailable.alerts).toEqual([]);
  });

  test('ignores the payments and events of another provider', async () => {
    const { dependencies, calledIntents } = watchedWorld();
    await startPayment(dependencies);
    await handleWebhookEvent(
      {
        ...dependencies,
        provider: {
          ...dependencies.provider,
          name: 'stripe',
          retrieveIntent: () => Promise.reject(new ProviderUnavailable('no line')),
        },
      },
      { id: 'evt_1', type: 'payment_intent.succeeded', intentId: 'pi_of_stripe', body: {} },
    );
    const others = { ...dependencies.provider, name: 'stripe' as const };
    calledIntents.length = 0;
    await syncDuePayments({ ...dependencies, provider: others });
    // The check calls Stripe about its own event, and about no payment of the sandbox.
    expect(calledIntents).toEqual(['pi_of_stripe']);
    calledIntents.length = 0;
    await syncDuePayments(dependencies);
    expect(calledIntents).not.toContain('pi_of_stripe');
    expect(calledIntents).toHaveLength(1);
  });
});

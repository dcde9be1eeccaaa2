import {
  buildCase,
  createPaymentWorld,
  limitsOf,
  ownCard,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { cancelPayment } from '../checkout/cancel-payment.ts';
import { confirmPayment } from '../checkout/confirm-payment.ts';
import { createPaymentRefresh } from '../checkout/refresh-payment.ts';
import { retrievePaymentIntent } from '../checkout/retrieve-payment-intent.ts';
import { startOtherPayment } from '../checkout/start-other-payment.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';

const testDatabase = withTestDatabase();
const limits = limitsOf({ min: 100, max: 500_000, dailyMax: 1_000_000 });
const address = '198.51.100.7';

/**
 * A case with an open payment, a search to pay for, and use cases that are paused and count the calls to the
 * provider.
 */
async function pausedPayments() {
  const { dependencies, intents } = createPaymentWorld(testDatabase);
  const { id: caseId, clientId, caseSearchId } = await buildCase(testDatabase.database);
  const { paymentId, intentId } = await startTestPayment(dependencies, { clientId, caseSearchId });
  const toPay = await buildCase(testDatabase.database);
  const calls: string[] = [];
  const counted = Object.entries(dependencies.provider).map(([name, value]) => [
    name,
    typeof value === 'function' && name !== 'knownAccountId'
      ? (...given: unknown[]) => {
          calls.push(name);
          return value(...given);
        }
      : value,
  ]);
  const paused: PaymentDependencies = {
    ...dependencies,
    provider: Object.fromEntries(counted),
    continuity: {
      ...dependencies.continuity,
      checkOpen: () => Promise.reject(new DomainError('payments_paused')),
    },
  };
  const record = async () =>
    (
      await testDatabase.pool.query('select * from payments where case_id = any($1) order by id', [
        [caseId, toPay.id],
      ])
    ).rows;
  return { paused, intents, calls, record, clientId, paymentId, intentId, toPay };
}
type PausedPayments = Awaited<ReturnType<typeof pausedPayments>>;

test('fault 88: a payment is not started at an account that was not compared, while another one answers', async () => {
  const { paused, toPay, calls } = await pausedPayments();
  const checkOpen = async (name?: string) => {
    if (name === 'sandbox') throw new DomainError('payments_paused');
  };
  const active = [paused.provider, { ...paused.provider, name: 'stripe_business' as const }];
  const dependencies = {
    ...paused,
    providers: { active, former: [] },
    continuity: { ...paused.continuity, checkOpen },
  };
  const { clientId, caseSearchId } = toPay;
  const request = { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: undefined };
  await expect(startSearchPayment(dependencies, request)).rejects.toMatchObject({ code: 'payments_paused' });
  expect(calls).not.toContain('createIntent');
});

/** Every way to a payment, and the read-only calls to the provider that it may still make. */
const attempts: [string, (world: PausedPayments) => Promise<unknown>, calls?: string[]][] = [
  [
    'starting the payment for a search',
    ({ paused, toPay: { clientId, caseSearchId } }) =>
      startSearchPayment(paused, { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: undefined }),
  ],
  [
    'starting another payment',
    ({ paused, toPay: { clientId } }) =>
      startOtherPayment(
        { ...paused, limits },
        {
          clientId,
          body: { category: 'money_on_account', amount: 5_000, own_card: true },
          idempotencyKey: 'paused',
        },
      ),
  ],
  [
    'resuming an open payment',
    ({ paused, clientId, paymentId }) => retrievePaymentIntent(paused, { clientId, paymentId, address }),
  ],
  [
    'confirming an open payment',
    ({ paused, clientId, paymentId }) =>
      confirmPayment({ ...paused, limits }, { clientId, paymentId, confirmed: {}, address }),
  ],
  [
    'cancelling an open payment',
    ({ paused, clientId, paymentId }) => cancelPayment(paused, { clientId, paymentId }),
  ],
  [
    'refreshing a payment',
    ({ paused, clientId, paymentId }) => createPaymentRefresh(paused)({ clientId, paymentId }),
    ['retrieveIntent'],
  ],
  [
    'syncing a payment',
    ({ paused, intentId }) => syncPaymentFromProvider(paused, intentId, { name: 'test' }),
    ['retrieveIntent'],
  ],
];

test.each(attempts)(
  'fault 74: %s while payments are paused is rejected, and changes neither the record nor the provider',
  async (_what, attempt, expectedCalls = []) => {
    const world = await pausedPayments();
    // The payer has already paid, which must not be recorded before the recovery.
    await world.intents.confirm(world.intentId, sandboxCard());
    const before = await world.record();
    await expect(attempt(world)).rejects.toMatchObject({ code: 'payments_paused' });
    expect(world.calls).toEqual(expectedCalls);
    expect(await world.record()).toEqual(before);
  },
);

test('fault 74: a webhook that arrives while payments are paused is stored and not applied', async () => {
  const { paused, intents, record, intentId } = await pausedPayments();
  await intents.confirm(intentId, sandboxCard());
  const before = await record();
  const event = { id: `evt_${intentId}`, type: 'payment_intent.succeeded', intentId, body: {} };
  await handleWebhookEvent(paused, { ...event, reportsDecline: false });
  expect(await record()).toEqual(before);
  const { rows } = await testDatabase.pool.query('select outcome from provider_events where event_id = $1', [
    event.id,
  ]);
  expect(rows).toEqual([{ outcome: null }]);
});

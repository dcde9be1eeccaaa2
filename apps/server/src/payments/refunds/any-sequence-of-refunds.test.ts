import { randomUUID } from 'node:crypto';
import {
  buildCase,
  createPaymentWorld,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { runLength } from '@keyturn/testkit/run-length.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { refundAsMember } from '../../testing/refund-as-member.ts';
import {
  applyProviderIntent,
  type RetrievedIntent,
  syncPaymentFromProvider,
} from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { checkPayments } from '../reconciliation/check-payments.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { syncRefunds } from './sync-refunds.ts';

const testDatabase = withTestDatabase();

/** Operations on the refunds of a payment, which run in any order. */
const operation = fc.oneof(
  fc.record({ type: fc.constant('refund here' as const), pounds: fc.integer({ min: 1, max: 90 }) }),
  fc.record({
    type: fc.constant('refund and lose the answer' as const),
    pounds: fc.integer({ min: 1, max: 90 }),
  }),
  fc.record({
    type: fc.constant('crash before the provider' as const),
    pounds: fc.integer({ min: 1, max: 90 }),
  }),
  fc.record({
    type: fc.constant('refund at the provider' as const),
    pounds: fc.integer({ min: 1, max: 90 }),
  }),
  fc.record({
    type: fc.constant('the bank returns a refund' as const),
    which: fc.nat(10),
    status: fc.constantFrom('failed' as const, 'canceled' as const),
  }),
  fc.record({ type: fc.constant('wait' as const) }),
  // Any event, even one that was already delivered. Events that are never drawn are lost.
  fc.record({ type: fc.constant('receive a webhook' as const), which: fc.nat(30) }),
  fc.record({ type: fc.constant('keep an answer' as const) }),
  fc.record({ type: fc.constant('apply an old answer' as const), which: fc.nat(10) }),
  fc.record({ type: fc.constant('catch up' as const) }),
);

const cards = fc.constantFrom('4242424242424242', '4000000000005126', '4000000000007726');

test('records exactly the provider’s refunds after any sequence of refunds, failures, repeated and lost webhooks', async () => {
  await fc.assert(
    fc.asyncProperty(
      cards,
      fc.array(operation, { minLength: 1, maxLength: 20 }),
      async (card, operations) => {
        let now = Date.now();
        const world = createPaymentWorld(testDatabase, { clock: () => new Date(now) });
        const { dependencies, intents } = world;
        const { provider } = dependencies;
        const { clientId, caseSearchId } = await buildCase(testDatabase.database);
        const { paymentId, intentId } = await startTestPayment(dependencies, { clientId, caseSearchId });
        await intents.confirm(intentId, sandboxCard(card));
        await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
        const kept: RetrievedIntent[] = [];

        const refund = (by: PaymentDependencies, pounds: number) =>
          refundAsMember(by, { paymentId, amount: pounds * 100 }).catch((error: unknown) => {
            const isExpected = error instanceof DomainError || error instanceof ProviderUnavailable;
            if (!isExpected) throw error;
          });
        const cut = (createRefund: typeof provider.createRefund) => ({
          ...dependencies,
          provider: { ...provider, createRefund },
        });
        const lose: typeof provider.createRefund = async (terms) => {
          await provider.createRefund(terms);
          throw new ProviderUnavailable('lost');
        };
        const crash: typeof provider.createRefund = () => Promise.reject(new ProviderUnavailable('crashed'));

        for (const step of operations) {
          now += 1_000;
          const refunds = (await intents.find(intentId))?.refunds ?? [];
          const pick = (which: number) => refunds[which % Math.max(refunds.length, 1)];
          switch (step.type) {
            case 'refund here':
              await refund(dependencies, step.pounds);
              break;
            case 'refund and lose the answer':
              await refund(cut(lose), step.pounds);
              break;
            case 'crash before the provider':
              await refund(cut(crash), step.pounds);
              break;
            case 'refund at the provider':
              await intents
                .refund(intentId, {
                  amount: step.pounds * 100,
                  reason: 'duplicate',
                  idempotencyKey: randomUUID(),
                })
                .catch(() => {});
              break;
            case 'the bank returns a refund': {
              const refundId = pick(step.which)?.id;
              if (refundId) await intents.endRefund(refundId, step.status);
              break;
            }
            case 'wait':
              now += 20_000;
              await intents.settleDue();
              break;
            case 'receive a webhook': {
              const events = await world.eventsOf(intentId);
              const event = events[step.which % events.length];
              if (event) await handleWebhookEvent(dependencies, event);
              break;
            }
            case 'keep an answer':
              kept.push({ intent: await provider.retrieveIntent(intentId), askedAt: new Date(now) });
              break;
            case 'apply an old answer': {
              const answer = kept[step.which % Math.max(kept.length, 1)];
              if (answer) await applyProviderIntent(dependencies, answer, { name: 'test' });
              break;
            }
            case 'catch up':
              await syncRefunds(dependencies);
          }
        }
        // Interrupted requests are submitted by the next round.
        now += 120_000;
        await syncRefunds(dependencies);
        await checkOutcome(dependencies, { paymentId, intentId });
      },
    ),
    { numRuns: runLength({ short: 8, long: 400 }) },
  );
});

async function checkOutcome(
  dependencies: PaymentDependencies,
  { paymentId, intentId }: { paymentId: string; intentId: string },
): Promise<void> {
  const { provider, clock } = dependencies;
  const { refunds, amount } = await provider.retrieveIntent(intentId);
  const query = async (text: string) => (await testDatabase.pool.query(text, [paymentId])).rows;

  const recorded = await query(
    `select provider_refund_id as "refundId", amount, status from refunds
     where payment_id = $1 and provider_refund_id is not null order by 1`,
  );
  const byId = (a: { refundId: string }, b: { refundId: string }) => (a.refundId < b.refundId ? -1 : 1);
  expect(recorded).toEqual(
    refunds.map(({ refundId, amount, status }) => ({ refundId, amount, status })).sort(byId),
  );

  const sum = (statuses: RegExp) =>
    refunds.filter(({ status }) => statuses.test(status)).reduce((total, refund) => total + refund.amount, 0);
  const [refunded, failed] = [sum(/pending|succeeded/), sum(/failed|cancelled/)];
  expect(await query('select refunded_amount, failed_refund_amount from payments where id = $1')).toEqual([
    { refunded_amount: refunded, failed_refund_amount: failed },
  ]);
  expect(await query('select sum(money)::int as money from payment_changes where payment_id = $1')).toEqual([
    { money: amount - refunded },
  ]);
  // Each refund was paid out at most once and announced at most once, and no request remains.
  expect(await query("select id from refunds where payment_id = $1 and status = 'approved'")).toEqual([]);
  const requested = refunds.flatMap(({ requestId }) => requestId ?? []);
  expect(new Set(requested).size).toBe(requested.length);
  const ended = await query(
    `select refund_id from payment_changes where payment_id = $1 and refund_status in ('failed', 'cancelled')`,
  );
  expect(ended).toHaveLength(refunds.filter(({ status }) => /failed|cancelled/.test(status)).length);
  const since = new Date(clock().getTime() - 86_400_000);
  const { discrepancies } = await checkPayments(dependencies, { since, recheckDelay: 0 });
  expect(discrepancies.filter(({ subject }) => subject === paymentId)).toEqual([]);
}

import {
  buildCase,
  createPaymentWorld,
  createTestClock,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { runLength } from '@keyturn/testkit/run-length.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyProviderIntent, syncPaymentFromProvider } from '../intents/sync-payment.ts';
import { deriveDispute } from '../records/dispute-states.ts';
import { findDisputesOfPayment } from '../records/disputes-store.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { checkDisputes } from './check-disputes-job.ts';
import { compareDisputes } from './compare-disputes.ts';

const testDatabase = withTestDatabase();

/** What a bank, the firm and the network do; webhooks come in any order, repeatedly or never. */
const operationArbitrary = fc.oneof(
  fc.record({ type: fc.constant('open' as const), isInquiry: fc.boolean() }),
  fc.record({ type: fc.constantFrom('escalate' as const, 'answer' as const), which: fc.nat(5) }),
  fc.record({
    type: fc.constant('decide' as const),
    which: fc.nat(5),
    outcome: fc.constantFrom('won' as const, 'lost' as const),
  }),
  fc.record({ type: fc.constant('receive-webhook' as const), which: fc.nat(20) }),
  fc.record({ type: fc.constantFrom('ask' as const, 'receive-late-answer' as const) }),
  fc.record({ type: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 500 }) }),
  fc.record({ type: fc.constant('check' as const) }),
);

test('disputes end in the provider’s state after any order, repetition and loss of their events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operationArbitrary, { minLength: 1, maxLength: 15 }), async (operations) => {
      // Earlier sequences looked up disputes with clocks that had advanced further.
      await testDatabase.pool.query('delete from dispute_lookups');
      const clock = createTestClock();
      const { intents, disputes, dependencies, eventsOf } = createPaymentWorld(testDatabase, { clock });
      const { intentId, paymentId } = await startTestPayment(
        dependencies,
        await buildCase(testDatabase.database),
      );
      await intents.confirm(intentId, sandboxCard());
      await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
      const ask = async () => ({
        askedAt: clock(),
        intent: await dependencies.provider.retrieveIntent(intentId),
      });
      let lateAnswer = await ask();
      const pick = async (which: number) => {
        const opened = await disputes.ofIntents([intentId]);
        return opened[which % Math.max(opened.length, 1)]?.id;
      };
      for (const operation of operations) {
        clock.advance(1_000);
        switch (operation.type) {
          case 'open':
            await disputes.open(intentId, operation);
            break;
          case 'escalate':
          case 'answer': {
            const id = await pick(operation.which);
            if (id) await disputes[operation.type](id);
            break;
          }
          case 'decide': {
            const id = await pick(operation.which);
            if (id) await disputes.decide(id, operation.outcome);
            break;
          }
          case 'receive-webhook': {
            const events = await eventsOf(intentId);
            const event = events[operation.which % events.length];
            if (event) await handleWebhookEvent(dependencies, event);
            break;
          }
          case 'ask':
            lateAnswer = await ask();
            break;
          case 'receive-late-answer':
            await applyProviderIntent(dependencies, lateAnswer, { name: 'late' });
            break;
          case 'wait':
            clock.advance(operation.hours * 3_600_000);
            break;
          case 'check':
            await checkDisputes(dependencies);
        }
      }
      clock.advance(3_600_000);
      await checkDisputes(dependencies);
      // A late answer no longer changes anything.
      await applyProviderIntent(dependencies, lateAnswer, { name: 'late' });

      const { intent } = await ask();
      const stored = await findDisputesOfPayment(testDatabase.database, paymentId);
      expect(stored).toHaveLength(intent.disputes.length);
      expect(compareDisputes(stored, intent.disputes)).toEqual([]);
      const derived = deriveDispute(intent.disputes);
      const { rows } = await testDatabase.pool.query(
        'select dispute_status as status, dispute_amount as amount, dispute_opened_at as "openedAt" from payments where id = $1',
        [paymentId],
      );
      expect(rows).toEqual([derived ?? { status: null, amount: null, openedAt: null }]);
    }),
    { numRuns: runLength({ short: 8, long: 400 }) },
  );
});

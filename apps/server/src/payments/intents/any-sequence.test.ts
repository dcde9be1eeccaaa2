import { sandboxCards } from '@keyturn/contract';
import { buildCase, createPaymentWorld, ownCard, runLength, withTestDatabase } from '@keyturn/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { cancelPayment } from '../checkout/cancel-payment.ts';
import { expirePayments } from '../checkout/expire-payments.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { paymentTransitions } from '../records/payment-states.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { syncDuePayments } from './sync-due-payments.ts';

const testDatabase = withTestDatabase();

/** The operations on a payment, which run in random sequences. */
const operationArbitrary = fc.oneof(
  fc.record({ type: fc.constant('start' as const), client: fc.nat(1) }),
  fc.record({ type: fc.constant('start-and-lose-the-answer' as const), client: fc.nat(1) }),
  fc.record({
    type: fc.constant('pay' as const),
    number: fc.constantFrom(...sandboxCards.map((card) => card.number), '4111111111111111'),
  }),
  fc.record({
    type: fc.constant('complete-bank-check' as const),
    outcome: fc.constantFrom('approved' as const, 'refused' as const),
  }),
  fc.record({ type: fc.constant('wait' as const) }),
  fc.record({ type: fc.constant('receive-webhook' as const), which: fc.nat(20) }),
  fc.record({ type: fc.constant('check' as const) }),
  fc.record({ type: fc.constant('expire' as const), after: fc.constantFrom(0, 91 * 60_000) }),
  fc.record({ type: fc.constant('cancel' as const), client: fc.nat(1) }),
);

test('keeps payments in legal states, and their record consistent, in any sequence of operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operationArbitrary, { minLength: 1, maxLength: 25 }), async (operations) => {
      let now = Date.now();
      const clock = () => new Date(now);
      const { intents, dependencies } = createPaymentWorld(testDatabase, {
        clock,
        dependencies: {
          alertOperator: (message) => {
            // Some of the test cards are disputed.
            if (!/disputed|asks about|suspects fraud/.test(message)) throw new Error(message);
          },
        },
      });
      const { provider } = dependencies;
      const losingAnswers = {
        ...dependencies,
        provider: {
          ...provider,
          createIntent: async (terms: Parameters<typeof provider.createIntent>[0]) => {
            await provider.createIntent(terms);
            throw new ProviderUnavailable('lost');
          },
        },
      };
      const built = await buildCase(testDatabase.database, { clients: [{}, {}] });
      const request = (client: number) => ({
        clientId: built.clientIds[client] ?? '',
        caseSearchId: built.caseSearchId,
        confirmed: ownCard,
        idempotencyKey: undefined,
      });
      const ignoreDomainError = (error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
      };
      const intentId = async () =>
        (
          await testDatabase.pool.query(
            `select i.id from sandbox_intents i join payments p on p.id::text = i.metadata->>'payment_id'
             where p.case_search_id = $1 order by random() limit 1`,
            [built.caseSearchId],
          )
        ).rows[0]?.id as string | undefined;
      const paymentId = async () =>
        (
          await testDatabase.pool.query(
            'select id from payments where case_search_id = $1 order by random() limit 1',
            [built.caseSearchId],
          )
        ).rows[0]?.id as string | undefined;

      for (const operation of operations) {
        const id = await intentId();
        if (operation.type === 'start')
          await startSearchPayment(dependencies, request(operation.client)).catch(ignoreDomainError);
        if (operation.type === 'start-and-lose-the-answer')
          await startSearchPayment(losingAnswers, request(operation.client)).catch(ignoreDomainError);
        if (operation.type === 'pay' && id) {
          await intents.confirm(id, { number: operation.number, exp_month: 12, exp_year: 2090, cvc: '123' });
        }
        if (operation.type === 'complete-bank-check' && id) await intents.authenticate(id, operation.outcome);
        if (operation.type === 'wait') {
          now += 11_000;
          await intents.settleDue();
        }
        if (operation.type === 'receive-webhook' && id) {
          const { rows } = await testDatabase.pool.query(
            'select id, type, body from sandbox_events where intent_id = $1 order by id',
            [id],
          );
          const row = rows[operation.which % Math.max(rows.length, 1)];
          if (row)
            await handleWebhookEvent(dependencies, {
              id: row.id,
              type: row.type,
              intentId: id,
              body: row.body,
            });
        }
        if (operation.type === 'cancel') {
          const { clientId } = request(operation.client);
          await cancelPayment(dependencies, { clientId, paymentId: (await paymentId()) ?? '' }).catch(
            ignoreDomainError,
          );
        }
        if (operation.type === 'expire') {
          now += operation.after;
          await expirePayments(dependencies);
        }
        if (operation.type === 'check') await syncDuePayments(dependencies);
      }
      // All scheduled checks are due after a day.
      now += 86_400_000;
      await syncDuePayments(dependencies);

      const { rows } = await testDatabase.pool.query(
        `select p.id, p.status, p.amount, p.provider_intent_id,
           (select coalesce(sum(money), 0) from payment_changes c where c.payment_id = p.id)::int as recorded,
           (select array_agg(coalesce(from_status, '') || '>' || to_status order by id) from payment_changes c where c.payment_id = p.id) as moves,
           (select coalesce(sum(c.amount), 0) from sandbox_charges c join sandbox_intents i on i.id = c.intent_id where i.metadata->>'payment_id' = p.id::text)::int as charged,
           (select status from case_searches s where s.id = p.case_search_id) as search
         from payments p where p.case_search_id = $1`,
        [built.caseSearchId],
      );
      expect(rows.filter(({ status }) => status !== 'cancelled').length).toBeLessThanOrEqual(1);
      const isPaid = rows.some(({ status }) => status === 'succeeded');
      for (const payment of rows) {
        // No client has the secret of an intent that was never stored, and the periodic check does not know it.
        const charged = payment.provider_intent_id === null ? 0 : payment.charged;
        expect(payment.recorded).toBe(payment.provider_intent_id === null ? 0 : charged);
        expect([0, payment.amount]).toContain(payment.charged);
        expect(payment.status === 'succeeded').toBe(payment.recorded === payment.amount);
        expect(payment.search).toBe(isPaid ? 'paid' : 'awaiting_payment');
        for (const move of payment.moves as string[]) {
          const [from = '', to = ''] = move.split('>');
          const isLegal =
            from === ''
              ? to === 'requires_payment_method'
              : from === to || to in paymentTransitions[from as keyof typeof paymentTransitions];
          expect(isLegal, move).toBe(true);
        }
      }
    }),
    { numRuns: runLength({ short: 40, long: 1_000 }) },
  );
});

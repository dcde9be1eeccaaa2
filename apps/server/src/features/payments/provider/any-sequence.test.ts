import { sandboxCards } from '@keyturn/contract';
import { buildCase, createPaymentWorld, withTestDatabase } from '@keyturn/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DomainError } from '../../../platform/domain-error.ts';
import { cancelPayment } from '../checkout/cancel-payment.ts';
import { expirePayments } from '../checkout/expire-payments.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { ProviderUnavailable } from '../ports.ts';
import { paymentTransitions } from '../records/payment-states.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { syncDuePayments } from './sync-due-payments.ts';

const testDatabase = withTestDatabase();

/** What may happen to a payment, in any order and any number. */
const happening = fc.oneof(
  fc.record({ what: fc.constant('ask' as const), client: fc.nat(1) }),
  fc.record({ what: fc.constant('ask-and-lose-the-answer' as const), client: fc.nat(1) }),
  fc.record({
    what: fc.constant('pay' as const),
    number: fc.constantFrom(...sandboxCards.map((card) => card.number), '4111111111111111'),
  }),
  fc.record({
    what: fc.constant('answer-the-bank' as const),
    outcome: fc.constantFrom('approved' as const, 'refused' as const),
  }),
  fc.record({ what: fc.constant('wait' as const) }),
  fc.record({ what: fc.constant('hear' as const), which: fc.nat(20) }),
  fc.record({ what: fc.constant('catch-up' as const) }),
  fc.record({ what: fc.constant('expire' as const), after: fc.constantFrom(0, 91 * 60_000) }),
  fc.record({ what: fc.constant('give-up' as const), client: fc.nat(1) }),
);

test('keeps payments in legal states, and their record consistent, in any sequence of operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 25 }), async (happenings) => {
      let now = Date.now();
      const clock = () => new Date(now);
      const { intents, dependencies } = createPaymentWorld(testDatabase, {
        clock,
        dependencies: {
          alertOperator: (message) => {
            throw new Error(message);
          },
        },
      });
      const { provider } = dependencies;
      const losing = {
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
        confirmed: {},
        idempotencyKey: undefined,
      });
      const expected = (error: unknown) => {
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

      for (const happened of happenings) {
        const id = await intentId();
        if (happened.what === 'ask')
          await startSearchPayment(dependencies, request(happened.client)).catch(expected);
        if (happened.what === 'ask-and-lose-the-answer')
          await startSearchPayment(losing, request(happened.client)).catch(expected);
        if (happened.what === 'pay' && id) {
          await intents.confirm(id, { number: happened.number, exp_month: 12, exp_year: 2090, cvc: '123' });
        }
        if (happened.what === 'answer-the-bank' && id) await intents.authenticate(id, happened.outcome);
        if (happened.what === 'wait') {
          now += 11_000;
          await intents.settleDue();
        }
        if (happened.what === 'hear' && id) {
          const { rows } = await testDatabase.pool.query(
            'select id, type, body from sandbox_events where intent_id = $1 order by id',
            [id],
          );
          const row = rows[happened.which % Math.max(rows.length, 1)];
          if (row)
            await handleWebhookEvent(dependencies, {
              id: row.id,
              type: row.type,
              intentId: id,
              body: row.body,
            });
        }
        if (happened.what === 'give-up') {
          const { clientId } = request(happened.client);
          await cancelPayment(dependencies, { clientId, paymentId: (await paymentId()) ?? '' }).catch(
            expected,
          );
        }
        if (happened.what === 'expire') {
          now += happened.after;
          await expirePayments(dependencies);
        }
        if (happened.what === 'catch-up') await syncDuePayments(dependencies);
      }
      // Whatever was put off is due after a day.
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
        // An intent that was never stored cannot have been given to anybody, and so is not known to the catch-up.
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
    { numRuns: 120 },
  );
}, 120_000);

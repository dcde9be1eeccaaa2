import type { StripeIntent } from '@keyturn/testkit/stripe-simulator/stripe-state.ts';
import type { World } from '../system/start-system.ts';
import type { ApiClient } from './api-client.ts';
import { callStripe, checkBeforePaying } from './card-operations.ts';
import { oneOf, type Planner } from './outcome.ts';
import type { KnownPayments } from './payment-operations.ts';

/** Plans what clients do on the bank's page of a payment by bank. */
export function planPayByBankOperations({
  api,
  known,
  world: { simulator, unfunded },
  cardFrom,
}: {
  api: ApiClient;
  known: KnownPayments;
  world: Pick<World, 'simulator' | 'unfunded'>;
  cardFrom(intent: string, operation: number): void;
}) {
  const byBank = () => known.started.filter(({ method }) => method === 'bank');
  const statusOf = (intent: string) => simulator.intents.find(intent).status;
  const waitsForApproval = (intent: string) => statusOf(intent) === 'requires_action';
  const atBank = () => byBank().filter(({ intent }) => waitsForApproval(intent));
  return {
    'open the bank page': ([which = 0, _, broken = 0, server = 0]) => {
      // Most clients leave from the current screen, some from a tab that was open for a long time.
      const waiting = byBank().filter(({ intent }) => statusOf(intent) === 'requires_payment_method');
      const payment = which < 0.8 ? waiting.at(-1) : oneOf(byBank(), (which - 0.8) * 5);
      if (!payment) return;
      return {
        asked: { payment: payment.id, search: payment.searchId },
        work: async () => {
          const refused = await checkBeforePaying(api, payment, server);
          const outcome =
            refused ??
            (await callStripe(simulator, payment.intent, broken, () => {
              return simulator.intents.confirm(payment.intent, 'pm_sim_pay_by_bank', returnUrl).status;
            }));
          return { ...outcome, payment: payment.id };
        },
      };
    },
    'approve at the bank': ([which = 0, money = 0, broken = 0]) => {
      const payment = oneOf(atBank(), which);
      if (!payment) return;
      const isFunded = money < 0.75;
      return {
        asked: { payment: payment.id, search: payment.searchId, isFunded },
        work: async (operation) => {
          const outcome = await callStripe(simulator, payment.intent, broken, () => {
            if (waitsForApproval(payment.intent)) {
              cardFrom(payment.intent, operation);
              if (!isFunded) unfunded.add(payment.intent);
            }
            return simulator.intents.answerAtBank(payment.intent, 'authorised').status;
          });
          return { ...outcome, payment: payment.id };
        },
      };
    },
    'refuse at the bank': ([which = 0, why = 0, broken = 0]) => {
      const payment = oneOf(atBank(), which);
      const refusal = oneOf(['declined', 'cancelled', 'timed_out'] as const, why);
      if (!payment || !refusal) return;
      return {
        asked: { payment: payment.id, search: payment.searchId, refusal },
        work: async () => {
          const outcome = await callStripe(simulator, payment.intent, broken, () => {
            return simulator.intents.answerAtBank(payment.intent, refusal).status;
          });
          return { ...outcome, payment: payment.id };
        },
      };
    },
  } satisfies Record<string, Planner>;
}

/** The page of the dashboard to which a bank redirects. */
const returnUrl = 'https://dashboard.example.test/payment';

export const isByBank = ({
  payment_method_types: types,
}: Pick<StripeIntent, 'payment_method_types'>): boolean => types.includes('pay_by_bank');

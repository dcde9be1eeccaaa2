import { setTimeout as pause } from 'node:timers/promises';
import type { StripeSimulator } from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import type { World } from '../system/start-system.ts';
import { type ApiClient, isSuccess } from './api-client.ts';
import { atStripe, type Outcome, oneOf, type Planner } from './outcome.ts';
import type { KnownPayments, StartedPayment } from './payment-operations.ts';

/** Plans what clients do with their cards at Stripe. */
export function planCardOperations({
  api,
  known,
  world: { simulator },
  cardFrom,
}: {
  api: ApiClient;
  known: KnownPayments;
  world: World;
  cardFrom(intent: string, operation: number): void;
}) {
  return {
    pay: ([which = 0, card = 0, broken = 0, server = 0, checked = 0]) => {
      const started = known.started.filter(({ method }) => method === 'card');
      const payment = which < 0.8 ? started.at(-1 - Math.floor(which * 3)) : oneOf(started, which);
      if (!payment) return;
      const method = oneOf(cards, card) ?? 'pm_card_visa';
      return {
        asked: { payment: payment.id, search: payment.searchId, method },
        work: async (operation) => {
          // A page that was open for a long time may send the card without the check.
          const refused = checked < 0.8 ? await checkBeforePaying(api, payment, server) : null;
          if (refused) return { ...refused, payment: payment.id };
          const outcome = await callStripe(simulator, payment.intent, broken, () => {
            const before = simulator.intents.find(payment.intent).status;
            if (before === 'requires_payment_method') cardFrom(payment.intent, operation);
            return simulator.intents.confirm(payment.intent, method).status;
          });
          return { ...outcome, payment: payment.id };
        },
      };
    },
    'answer the bank': ([which = 0, approved = 0, broken = 0]) => {
      const asking = known.started.filter(
        ({ intent, method }) =>
          method === 'card' && simulator.intents.find(intent).status === 'requires_action',
      );
      const payment = oneOf(asking, which);
      if (!payment) return;
      return {
        asked: { payment: payment.id, search: payment.searchId },
        work: async (operation) => {
          const outcome = await callStripe(simulator, payment.intent, broken, () => {
            if (simulator.intents.find(payment.intent).status === 'requires_action') {
              cardFrom(payment.intent, operation);
            }
            return simulator.intents.authenticate(payment.intent, approved < 0.8 ? 'approved' : 'refused')
              .status;
          });
          return { ...outcome, payment: payment.id };
        },
      };
    },
  } satisfies Record<string, Planner>;
}

/**
 * Checks a payment with the server just before the card is sent, as the dashboard does. @returns null if the card may
 * be sent
 */
export async function checkBeforePaying(
  api: ApiClient,
  { id, searchId, price, method }: StartedPayment,
  draw: number,
): Promise<Outcome | null> {
  const body = {
    own_card: true,
    price,
    method,
    ...(searchId === null ? {} : { order_now: true, order_wording: '2026-12-unknown' }),
  };
  const answer = await api.send({ draw, method: 'POST', path: `/payments/${id}/confirm`, body });
  return isSuccess(answer) ? null : api.failureOf(answer);
}

/**
 * Calls Stripe from the browser. The connection may break before or after Stripe executes the call; Stripe.js then
 * retrieves the intent, so the outcome is always known.
 */
export async function callStripe(
  simulator: StripeSimulator,
  intentId: string,
  draw: number,
  work: () => string,
): Promise<Outcome> {
  await pause(draw * 20);
  if (draw < 0.05) return outcomeOf(simulator, intentId);
  const outcome = atStripe(() => ({ code: work() }));
  return draw > 0.95 ? outcomeOf(simulator, intentId) : outcome;
}

function outcomeOf(simulator: StripeSimulator, intentId: string): Outcome {
  const { status, last_payment_error: error } = simulator.intents.find(intentId);
  if (status === 'succeeded' || status === 'processing' || status === 'requires_action') {
    return { type: 'ok', code: status };
  }
  return { type: 'fail', code: error?.code ?? 'not sent' };
}

const cards = [
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_authenticationRequired',
  'pm_card_authenticationRequired',
  'pm_sim_later',
  'pm_card_chargeDeclined',
  'pm_card_chargeDeclinedInsufficientFunds',
  'pm_card_chargeDeclinedExpiredCard',
];

import { randomBytes } from 'node:crypto';
import type { TestClock } from '../test-clock.ts';
import { readForm } from './read-form.ts';
import { StripeApiError } from './stripe-api-error.ts';

/** A PaymentIntent as the simulator keeps it; `charge` is the latest one. */
export interface StripeIntent {
  id: string;
  object: 'payment_intent';
  amount: number;
  currency: string;
  client_secret: string;
  created: number;
  description: string | null;
  livemode: false;
  metadata: Record<string, string>;
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';
  last_payment_error: Record<string, unknown> | null;
  latest_charge: StripeCharge | null;
  payment_method: PaymentMethod | null;
}

export interface StripeCharge {
  id: string;
  object: 'charge';
  amount: number;
  amount_refunded: number;
  disputed: boolean;
  payment_intent: string;
  payment_method_details: { type: 'card'; card: { brand: string; last4: string } };
}

/** A dispute of a charge, with the fields that the product reads. */
export interface StripeDispute {
  id: string;
  object: 'dispute';
  amount: number;
  charge: string;
  payment_intent: string;
  created: number;
  status: string;
}

interface PaymentMethod {
  id: string;
  object: 'payment_method';
  type: 'card';
  card: { brand: string; last4: string };
}

export interface StripeIntents {
  create(body: string): StripeIntent;
  find(id: string): StripeIntent;
  /** Pays with one of Stripe's test methods, as the browser would. */
  confirm(id: string, method: string): StripeIntent;
  /** Completes the bank's authentication of the payer. */
  authenticate(id: string, outcome: 'approved' | 'refused'): StripeIntent;
  /** Captures a payment in `processing`. */
  settle(id: string): StripeIntent;
  cancel(id: string): StripeIntent;
  /** Refunds a payment. @param amount in pence; by default everything not yet refunded */
  refund(id: string, amount?: number): StripeIntent;
  /** Opens a dispute. @param amount in pence; by default the whole charge */
  dispute(id: string, amount?: number): StripeDispute;
  /** Changes the status of an intent's dispute: `under_review`, `won`, `lost`, … */
  moveDispute(id: string, status: string): StripeDispute;
  disputesOf(id: string): StripeDispute[];
  all(): StripeIntent[];
}

/** @param changed receives each change, with the type of Stripe's event and its object */
export function createIntents(
  clock: TestClock,
  changed: (type: string, object: StripeIntent | StripeCharge | StripeDispute) => void,
): StripeIntents {
  const intents = new Map<string, StripeIntent>();
  const disputes: StripeDispute[] = [];
  const find = (id: string) => {
    const intent = intents.get(id);
    if (!intent) throw new StripeApiError(404, 'resource_missing', `No such payment_intent: '${id}'`);
    return intent;
  };
  const inState = (id: string, ...statuses: StripeIntent['status'][]) => {
    const intent = find(id);
    if (statuses.includes(intent.status)) return intent;
    throw new StripeApiError(
      400,
      'payment_intent_unexpected_state',
      `This PaymentIntent has a status of ${intent.status}`,
    );
  };
  const move = (intent: StripeIntent, status: StripeIntent['status'], type: string = status) => {
    intent.status = status;
    changed(`payment_intent.${type}`, intent);
    return intent;
  };
  const take = (intent: StripeIntent) => {
    intent.latest_charge = {
      id: newId('ch'),
      object: 'charge',
      amount: intent.amount,
      amount_refunded: 0,
      disputed: false,
      payment_intent: intent.id,
      payment_method_details: { type: 'card', card: intent.payment_method?.card ?? plain },
    };
    return move(intent, 'succeeded');
  };
  const refuse = (intent: StripeIntent, code: string, declineCode?: string) => {
    intent.last_payment_error = {
      type: code === 'card_declined' ? 'card_error' : 'invalid_request_error',
      code,
      ...(declineCode ? { decline_code: declineCode } : {}),
      message: 'Refused.',
      ...(code === 'card_declined' ? { charge: newId('ch') } : {}),
      payment_method: intent.payment_method,
    };
    intent.payment_method = null;
    return move(intent, 'requires_payment_method', 'payment_failed');
  };

  return {
    find,
    all: () => [...intents.values()],

    create: (body) => {
      const form = readForm(body);
      const amount = Number(form.amount);
      if (!Number.isInteger(amount) || amount < 30 || !form.currency) {
        throw new StripeApiError(400, 'parameter_invalid_integer', 'Invalid amount or currency');
      }
      const id = newId('pi');
      const intent: StripeIntent = {
        id,
        object: 'payment_intent',
        amount,
        currency: form.currency,
        client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
        created: Math.floor(clock().getTime() / 1000),
        description: form.description ?? null,
        livemode: false,
        metadata: metadataOf(form),
        status: 'requires_payment_method',
        last_payment_error: null,
        latest_charge: null,
        payment_method: null,
      };
      intents.set(id, intent);
      changed('payment_intent.created', intent);
      return intent;
    },

    confirm: (id, method) => {
      const intent = inState(id, 'requires_payment_method', 'requires_action');
      const behaviour = methods[method];
      if (!behaviour) throw new StripeApiError(404, 'resource_missing', `No such PaymentMethod: '${method}'`);
      intent.last_payment_error = null;
      intent.payment_method = {
        id: newId(method === 'pm_sim_redirect' ? 'pm_redirect' : 'pm'),
        object: 'payment_method',
        type: 'card',
        card: plain,
      };
      if (behaviour === 'succeeds') return take(intent);
      if (behaviour === 'succeeds_later') return move(intent, 'processing');
      if (behaviour === 'authenticates') return move(intent, 'requires_action');
      refuse(intent, behaviour.code, behaviour.declineCode);
      throw new StripeApiError(402, behaviour.code, 'Your card was declined.', {
        type: 'card_error',
        ...(behaviour.declineCode ? { decline_code: behaviour.declineCode } : {}),
      });
    },

    authenticate: (id, outcome) => {
      const intent = inState(id, 'requires_action');
      return outcome === 'approved' ? take(intent) : refuse(intent, 'payment_intent_authentication_failure');
    },

    settle: (id) => take(inState(id, 'processing')),

    cancel: (id) => move(inState(id, 'requires_payment_method', 'requires_action', 'processing'), 'canceled'),

    refund: (id, amount) => {
      const intent = inState(id, 'succeeded');
      const charge = intent.latest_charge as StripeCharge;
      const left = charge.amount - charge.amount_refunded;
      if ((amount ?? left) > left)
        throw new StripeApiError(400, 'amount_too_large', 'The refund is larger than the amount left');
      charge.amount_refunded += amount ?? left;
      changed('charge.refunded', charge);
      return intent;
    },

    dispute: (id, amount) => {
      const charge = inState(id, 'succeeded').latest_charge as StripeCharge;
      charge.disputed = true;
      const dispute: StripeDispute = {
        id: newId('dp'),
        object: 'dispute',
        amount: amount ?? charge.amount,
        charge: charge.id,
        payment_intent: id,
        created: Math.floor(clock().getTime() / 1000),
        status: 'needs_response',
      };
      disputes.push(dispute);
      changed('charge.dispute.created', dispute);
      return dispute;
    },

    moveDispute: (id, status) => {
      const dispute = disputes.filter(({ payment_intent }) => payment_intent === id).at(-1);
      if (!dispute) throw new StripeApiError(404, 'resource_missing', 'No such dispute');
      dispute.status = status;
      const isOver = ['won', 'lost', 'warning_closed', 'prevented'].includes(status);
      changed(isOver ? 'charge.dispute.closed' : 'charge.dispute.updated', dispute);
      return dispute;
    },

    disputesOf: (id) => disputes.filter(({ payment_intent }) => payment_intent === id),
  };
}

/** What each of Stripe's test payment methods does. */
const methods: Record<
  string,
  'succeeds' | 'succeeds_later' | 'authenticates' | { code: string; declineCode?: string }
> = {
  pm_card_visa: 'succeeds',
  pm_card_authenticationRequired: 'authenticates',
  /** The simulator's own, because Stripe's test cards settle at once. */
  pm_sim_later: 'succeeds_later',
  /** The simulator's own: the bank authenticates on its own page. */
  pm_sim_redirect: 'authenticates',
  pm_card_chargeDeclined: { code: 'card_declined', declineCode: 'generic_decline' },
  pm_card_chargeDeclinedInsufficientFunds: { code: 'card_declined', declineCode: 'insufficient_funds' },
  pm_card_chargeDeclinedStolenCard: { code: 'card_declined', declineCode: 'stolen_card' },
  pm_card_chargeDeclinedExpiredCard: { code: 'expired_card' },
  pm_card_chargeDeclinedIncorrectCvc: { code: 'incorrect_cvc' },
};

const plain = { brand: 'visa', last4: '4242' };

const metadataOf = (form: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
      return key ? [[key, value]] : [];
    }),
  );

const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;

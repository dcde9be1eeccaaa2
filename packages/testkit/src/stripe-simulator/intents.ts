import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { addFailedCharge, addSuccessfulCharge } from './charges.ts';
import { isWithin, listPage, type StripePage } from './list-page.ts';
import { createPaymentMethod, type PaymentOutcome } from './payment-methods.ts';
import { stripeFilters } from './rules/filters.ts';
import { refusal } from './rules/stripe-rules.ts';
import { resourceMissing, StripeApiError } from './stripe-api-error.ts';
import { newId, nowOf, type StripeIntent, type StripeState } from './stripe-state.ts';

/** The PaymentIntents of an account, and what payers and banks do with them. */
export interface StripeIntents {
  all(): StripeIntent[];
  find(id: string): StripeIntent;
  list(params: Stripe.PaymentIntentListParams): StripePage<StripeIntent>;
  create(params: Stripe.PaymentIntentCreateParams): StripeIntent;
  update(id: string, params: Stripe.PaymentIntentUpdateParams): StripeIntent;
  cancel(id: string, params?: Stripe.PaymentIntentCancelParams): StripeIntent;
  /** How often an intent can be confirmed, which Stripe calls “variable”: the next attempt cancels it. */
  readonly limits: { confirmations: number };
  /** Pays with one of Stripe's test methods. @param returnUrl by default that of a browser */
  confirm(id: string, method: string, returnUrl?: string): StripeIntent;
  /** Completes the bank's authentication of the payer. */
  authenticate(id: string, outcome: 'approved' | 'refused'): StripeIntent;
  /** Captures a payment in `processing`. */
  settle(id: string): StripeIntent;
  /**
   * Answers on the bank's page of a payment by bank. `authorised`: approved, and the money has not arrived.
   */
  answerAtBank(id: string, answer: 'authorised' | BankRefusal): StripeIntent;
  /** Lets a payment by bank in `processing` fail: the bank sends no money. */
  failToSettle(id: string): StripeIntent;
}

export type BankRefusal = keyof typeof bankRefusals;

const bankRefusals = {
  declined: 'payment_method_provider_decline',
  cancelled: 'payment_method_customer_decline',
  timed_out: 'payment_intent_payment_attempt_expired',
} as const;

/** Creates the operations on the PaymentIntents of an account. */
export function createIntents(state: StripeState): StripeIntents {
  const all = () => [...state.intents.values()];
  const find = (id: string) => findIntent(state, id);
  const limits = { confirmations: Number.POSITIVE_INFINITY };
  const confirmations = new Map<string, number>();
  return {
    all,
    find,
    limits,
    list: (params) => {
      const found = all().filter(
        ({ created }) => isWithin(created, params.created) && params.customer === undefined,
      );
      return listPage('/v1/payment_intents', found, params);
    },
    create: (params) => createIntent(state, params),
    update: (id, params) => updateIntent(find(id), params),
    cancel: (id, params = {}) => cancelIntent(state, find(id), params.cancellation_reason ?? null),
    confirm: (id, method, returnUrl) => {
      const intent = find(id);
      const count = (confirmations.get(id) ?? 0) + 1;
      confirmations.set(id, count);
      // The reason, and that the answer is no error, are unverified: Stripe only says that the intent is cancelled.
      if (count > limits.confirmations) return cancelIntent(state, intent, 'automatic');
      return confirmIntent(state, intent, method, returnUrl);
    },
    authenticate: (id, outcome) => {
      const intent = inStatus(find(id), 'requires_action');
      intent.next_action = null;
      return outcome === 'approved' ? succeed(state, intent) : refuseAuthentication(state, intent);
    },
    settle: (id) => succeed(state, inStatus(find(id), 'processing')),
    answerAtBank: (id, answer) => {
      const intent = inStatus(find(id), 'requires_action');
      intent.next_action = null;
      if (answer === 'authorised') return changeStatus(state, intent, 'processing');
      return failAtBank(state, intent, bankRefusals[answer]);
    },
    failToSettle: (id) =>
      failAtBank(state, inStatus(find(id), 'processing'), 'payment_intent_payment_attempt_failed'),
  };
}

function cancelIntent(
  state: StripeState,
  intent: StripeIntent,
  reason: StripeIntent['cancellation_reason'],
): StripeIntent {
  intent.canceled_at = nowOf(state);
  intent.cancellation_reason = reason;
  intent.next_action = null;
  return changeStatus(state, intent, 'canceled');
}

/** @throws StripeApiError for an intent that the account does not have */
export function findIntent({ intents }: StripeState, id: string, param = 'intent'): StripeIntent {
  const intent = intents.get(id);
  if (!intent) throw resourceMissing('payment_intent', id, param);
  return intent;
}

function createIntent(state: StripeState, params: Stripe.PaymentIntentCreateParams): StripeIntent {
  const id = newId('pi');
  const intent: StripeIntent = {
    ...newIntent(state, params),
    id,
    client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
  };
  state.intents.set(id, intent);
  state.emit('payment_intent.created', intent);
  return intent;
}

/** Leaves out the types that do not fit, as Stripe does without an error. */
const offeredTypes = (state: StripeState, params: Stripe.PaymentIntentCreateParams): string[] =>
  (params.allowed_payment_method_types ?? ['card']).filter(
    (type) => !stripeFilters.some(({ drops }) => drops?.(type, { ...params }, state)),
  );

function newIntent(
  state: StripeState,
  params: Stripe.PaymentIntentCreateParams,
): Omit<StripeIntent, 'id' | 'client_secret'> & { client_secret: string } {
  const automatic = params.automatic_payment_methods;
  const types = offeredTypes(state, params);
  return {
    object: 'payment_intent',
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount: params.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: automatic
      ? { allow_redirects: automatic.allow_redirects ?? 'always', enabled: automatic.enabled }
      : null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: params.capture_method ?? 'automatic_async',
    client_secret: '',
    confirmation_method: params.confirmation_method ?? 'automatic',
    created: nowOf(state),
    currency: params.currency,
    customer: null,
    customer_account: null,
    description: params.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: state.isLive,
    managed_payments: null,
    metadata: metadataOf(params.metadata),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: types.includes('card')
      ? {
          card: {
            installments: null,
            mandate_options: null,
            network: null,
            request_three_d_secure: 'automatic',
          },
        }
      : types.includes('pay_by_bank')
        ? { pay_by_bank: {} }
        : {},
    payment_method_types: types,
    payment_record: null,
    processing: null,
    receipt_email: params.receipt_email ?? null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: params.statement_descriptor ?? null,
    statement_descriptor_suffix: params.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
}

function updateIntent(intent: StripeIntent, params: Stripe.PaymentIntentUpdateParams): StripeIntent {
  const { amount, description, metadata } = params;
  if (amount !== undefined) intent.amount = amount;
  if (description !== undefined) intent.description = description;
  if (metadata) intent.metadata = { ...intent.metadata, ...metadataOf(metadata) };
  return intent;
}

function confirmIntent(
  state: StripeState,
  intent: StripeIntent,
  name: string,
  returnUrl: string | undefined,
): StripeIntent {
  const { method, outcome } = createPaymentMethod(state, name);
  if (!intent.payment_method_types.includes(method.type)) {
    throw refusal('confirm-incompatible-method', { type: method.type });
  }
  intent.last_payment_error = null;
  intent.next_action = null;
  intent.payment_method = method.id;
  return applyOutcome(state, intent, outcome, returnUrl);
}

function applyOutcome(
  state: StripeState,
  intent: StripeIntent,
  outcome: PaymentOutcome,
  returnUrl: string | undefined,
): StripeIntent {
  if (outcome === 'succeeds') return succeed(state, intent);
  if (outcome === 'succeeds_later') {
    intent.processing = { type: 'card', card: {} };
    return changeStatus(state, intent, 'processing');
  }
  if (outcome === 'authenticates' || outcome === 'redirects') {
    intent.next_action =
      outcome === 'redirects'
        ? {
            type: 'redirect_to_url',
            redirect_to_url: {
              return_url: returnUrl ?? null,
              url:
                intent.payment_method_types[0] === 'pay_by_bank'
                  ? `https://pm-redirects.stripe.com/authorize/${intent.id}`
                  : `https://hooks.stripe.com/3d_secure_2/hosted?intent=${intent.id}`,
            },
          }
        : { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } };
    return changeStatus(state, intent, 'requires_action');
  }
  return decline(state, intent, outcome);
}

function succeed(state: StripeState, intent: StripeIntent): StripeIntent {
  const charge = addSuccessfulCharge(state, intent);
  intent.latest_charge = charge.id;
  intent.amount_received = charge.amount;
  intent.processing = null;
  intent.next_action = null;
  return changeStatus(state, intent, 'succeeded');
}

/** Records the declined charge on the intent, which then waits for another card. */
function decline(
  state: StripeState,
  intent: StripeIntent,
  { code, declineCode }: { code: string; declineCode?: string },
): never {
  const message = 'Your card was declined.';
  const charge = addFailedCharge(state, intent, { code, message, ...(declineCode ? { declineCode } : {}) });
  const error = {
    type: 'card_error' as const,
    charge: charge.id,
    code,
    ...(declineCode ? { decline_code: declineCode } : {}),
    doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`,
    message,
    ...methodOf(state, intent),
  };
  intent.latest_charge = charge.id;
  waitForAnotherMethod(state, intent, error);
  throw new StripeApiError(402, code, message, { ...error, payment_intent: { ...intent } });
}

/** A payment by bank has no charge before its money has arrived. */
const failAtBank = (state: StripeState, intent: StripeIntent, code: string): StripeIntent =>
  waitForAnotherMethod(state, intent, {
    type: 'invalid_request_error',
    code,
    doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`,
    message: 'The payment by bank was not made.',
    ...methodOf(state, intent),
  });

function refuseAuthentication(state: StripeState, intent: StripeIntent): StripeIntent {
  const code = 'payment_intent_authentication_failure';
  return waitForAnotherMethod(state, intent, {
    type: 'invalid_request_error',
    code,
    doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`,
    message: 'The provided PaymentMethod has failed authentication.',
    ...methodOf(state, intent),
  });
}

function waitForAnotherMethod(
  state: StripeState,
  intent: StripeIntent,
  error: Stripe.PaymentIntent.LastPaymentError,
): StripeIntent {
  intent.last_payment_error = error;
  intent.payment_method = null;
  intent.status = 'requires_payment_method';
  state.emit('payment_intent.payment_failed', intent);
  return intent;
}

function methodOf({ paymentMethods }: StripeState, { payment_method }: StripeIntent) {
  const method = payment_method === null ? undefined : paymentMethods.get(payment_method);
  return method ? { payment_method: method } : {};
}

function changeStatus(
  state: StripeState,
  intent: StripeIntent,
  status: 'requires_action' | 'processing' | 'succeeded' | 'canceled',
): StripeIntent {
  intent.status = status;
  state.emit(`payment_intent.${status}`, intent);
  return intent;
}

function inStatus(intent: StripeIntent, ...statuses: StripeIntent['status'][]): StripeIntent {
  if (statuses.includes(intent.status)) return intent;
  const message = `This PaymentIntent's status is ${intent.status}, which does not allow this.`;
  throw new StripeApiError(400, 'payment_intent_unexpected_state', message, {
    payment_intent: { ...intent },
  });
}

/** Converts metadata as sent to metadata as stored: empty values remove their keys. */
const metadataOf = (metadata: Stripe.Emptyable<Stripe.MetadataParam> | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata || {}).flatMap(([name, value]) =>
      value === null || value === '' ? [] : [[name, String(value)]],
    ),
  );

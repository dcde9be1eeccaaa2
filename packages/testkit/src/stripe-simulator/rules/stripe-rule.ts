import type { StripeState } from '../stripe-state.ts';

/** What Stripe's published words say about a request, and a request that shows it. */
interface StripeWord {
  id: string;
  /** Such as `POST /v1/refunds`. */
  calls: readonly string[];
  parameter: string;
  /** One sentence. */
  rule: string;
  /** The page of Stripe that says it, or “judged from …” where no page that says it could be read. */
  source: string;
}

/** A request that Stripe refuses. Exactly one of the checks is there. */
export interface StripeRule extends StripeWord {
  /** Whether a request breaks the rule: true, or the name of the parameter that does. */
  check?(request: RuleRequest): boolean | string | undefined;
  /** Whether the key or a header of a request breaks the rule. */
  headers?(sent: SentHeaders): boolean;
  /** The file of the simulator that checks it while it handles the request. */
  checkedBy?: string;
  error: RuleError;
  breaks: readonly BreakingRequest[];
}

/** A request that Stripe accepts, but does not fulfil as it was asked. */
export interface StripeFilter extends StripeWord {
  /** Whether Stripe leaves out a type of payment methods. */
  drops?(type: string, params: RuleRequest['params'], state: StripeState): boolean;
  /** The file that does it, where Stripe leaves out no type. */
  checkedBy?: string;
  /** Each with what the answer contains instead. */
  breaks: readonly (BreakingRequest & { answer: Record<string, unknown> })[];
}

export interface RuleError {
  /** 400 by default. */
  status?: number;
  /** `invalid_request_error` by default. */
  type?: 'idempotency_error';
  code: string | null;
  /** Where the check does not name the parameter. */
  param?: string;
  /** `{name}` is replaced with a value of the request. */
  message: string;
}

/** A request, as far as rules need it. */
export interface RuleRequest {
  /** Such as `POST /v1/payment_intents/:id`. */
  call: string;
  /** The id in the path; empty for calls without one. */
  id: string;
  params: Record<string, unknown>;
  /** How the parameters differ from Stripe's description. */
  differences: readonly string[];
  /** Sent by a browser, with a publishable key; undefined for other requests, null if it is missing. */
  clientSecret?: string | null;
  state: StripeState;
}

export interface SentHeaders {
  call: string;
  key: string;
  isKnownKey: boolean;
  version: string | undefined;
  idempotencyKey: string | undefined;
}

/** A request as data. `{intent}`, `{charge}`, `{refund}`, `{dispute}` and `{secret}` are replaced with values of `given`. */
export interface BreakingRequest {
  /** What exists before; by default an intent that waits for its payer. */
  given?: Given;
  /** Such as `POST /v1/payment_intents/{intent}/confirm`. */
  call: string;
  /** The form or the query, as it is sent. */
  send?: string;
  /** By default a secret key with all rights. */
  key?: string;
  /** A restricted key without this right. */
  lacks?: string;
  /** With live keys, about objects of test mode. */
  isLive?: boolean;
  headers?: Record<string, string>;
  /** What was sent before, with the same idempotency key; `at once` sends the same request at the same moment. */
  after?: { call: string; send: string } | 'at once';
}

export type Given =
  | 'open'
  | 'open for banks'
  | 'processing'
  | 'succeeded'
  | 'cancelled'
  | 'refunded'
  | 'disputed'
  | 'dispute closed'
  | 'paid by bank two years ago'
  | 'paid, with an empty balance'
  | 'paid by bank, with an empty balance'
  | 'without bank payments'
  | 'without card payments'
  | 'with 49 labels';

export const create = 'POST /v1/payment_intents';
export const retrieve = 'GET /v1/payment_intents/:id';
export const update = 'POST /v1/payment_intents/:id';
export const confirm = 'POST /v1/payment_intents/:id/confirm';
export const cancel = 'POST /v1/payment_intents/:id/cancel';
export const refund = 'POST /v1/refunds';
export const cancelRefund = 'POST /v1/refunds/:id/cancel';
export const updateDispute = 'POST /v1/disputes/:id';
export const closeDispute = 'POST /v1/disputes/:id/close';
export const everyCall = 'every call';

export const lists = [
  'GET /v1/payment_intents',
  'GET /v1/charges',
  'GET /v1/refunds',
  'GET /v1/disputes',
  'GET /v1/balance_transactions',
  'GET /v1/payouts',
  'GET /v1/radar/early_fraud_warnings',
  'GET /v1/reviews',
  'GET /v1/events',
];

/** A request to create an intent with these parameters, besides a good amount and currency. */
export const creating = (send: string): BreakingRequest => ({
  call: create,
  send: `amount=500&currency=gbp&${send}`,
});
export const updating = (send: string): BreakingRequest => ({
  call: 'POST /v1/payment_intents/{intent}',
  send,
});
export const confirming = (send: string): BreakingRequest => ({
  call: 'POST /v1/payment_intents/{intent}/confirm',
  send,
});
export const refunding = (send: string): BreakingRequest => ({ call: refund, send, given: 'succeeded' });

const api = 'https://docs.stripe.com/api';
/** Pages of Stripe. */
export const pages = {
  authentication: `${api}/authentication`,
  keys: 'https://docs.stripe.com/keys',
  errors: `${api}/errors`,
  errorCodes: 'https://docs.stripe.com/error-codes',
  idempotency: `${api}/idempotent_requests`,
  metadata: `${api}/metadata`,
  pagination: `${api}/pagination`,
  expanding: `${api}/expanding_objects`,
  createIntent: `${api}/payment_intents/create`,
  cancelIntent: `${api}/payment_intents/cancel`,
  createRefund: `${api}/refunds/create`,
  cancelRefund: `${api}/refunds/cancel`,
  updateDispute: `${api}/disputes/update`,
  listEvents: `${api}/events/list`,
  refunds: 'https://docs.stripe.com/refunds',
  currencies: 'https://docs.stripe.com/currencies',
  descriptors: 'https://docs.stripe.com/get-started/account/statement-descriptors',
  payByBank: 'https://docs.stripe.com/payments/pay-by-bank?locale=en-GB',
  restrictedKeys: 'https://docs.stripe.com/keys/restricted-api-keys',
  openApi: 'https://github.com/stripe/openapi',
  allowedTypes: 'https://docs.stripe.com/changelog/dahlia/2026-07-29/allowed-payment-method-types-parameter',
  removedTypes:
    'https://docs.stripe.com/changelog/endive/2026-09-30/removes-the-payment-method-types-parameter-from-payment-intents-and-setup-intents',
  automaticMethods: 'https://docs.stripe.com/changelog/2023-08-16/automatic-payment-methods',
};

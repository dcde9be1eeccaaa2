import { type Static, Type } from 'typebox';
import { Bill, Payment, PaymentIntent, PaymentLink } from '../entities/payment-entities.ts';
import { OneOf } from '../entities/values.ts';
import { orderWordingVersions } from '../order-wording.ts';
import { paymentWordingVersions } from '../payment-wording.ts';
import { otherPaymentCategories, paymentMethods } from '../vocabulary.ts';
import { type CallDefinition, IdInput, IdParam } from './call-definition.ts';
import { usualPolicy } from './call-policy.ts';

/**
 * What the client confirms before paying. `own_card` is required, `payer_name` too for another person's card, and
 * `order_now` for a search; if any of them is missing, nothing is confirmed. A confirmation is never changed:
 * starting the payment with different answers cancels the payment and starts another.
 */
export const PaymentConfirmationBody = Type.Object(
  {
    /** By default `card`. With `bank`, the account must be the client’s own. */
    method: Type.Optional(OneOf(paymentMethods)),
    /** The client asks us to order the search. */
    order_now: Type.Optional(Type.Boolean()),
    /**
     * The words of that request, as the `order_wording` of the search. If they are out of date, the call fails with
     * `wording_changed`.
     */
    order_wording: Type.Optional(OneOf(orderWordingVersions)),
    /** The words themselves, as they were shown, with the day and the refund rule; checked in the same way. */
    order_words: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
    own_card: Type.Optional(Type.Boolean()),
    /** The name on another person's card. */
    payer_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    receipt_email: Type.Optional(Type.String({ format: 'email', maxLength: 320 })),
    /** The wording that was confirmed, as a version of `paymentWordings`. */
    wording: Type.Optional(OneOf(paymentWordingVersions)),
    /** Pence: the price shown to the client. If it is out of date, the call fails with `price_changed`. */
    price: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
  },
  { additionalProperties: false },
);
export type PaymentConfirmationBody = Static<typeof PaymentConfirmationBody>;

/** A payment that is not for a search. The client chooses its purpose and amount, within the firm's limits. */
export const OtherPaymentBody = Type.Object(
  {
    category: OneOf(otherPaymentCategories),
    /** Pence. The firm's limits are in the public configuration. */
    amount: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
    /** The client's own reference, for example an invoice number. */
    reference: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    matter_id: Type.Optional(IdInput),
    /** The bill to pay. Needed for `legal_fees`, and for nothing else. */
    bill_id: Type.Optional(IdInput),
    /** By default `card`. With `bank`, the account must be the client’s own. */
    method: Type.Optional(OneOf(paymentMethods)),
    own_card: Type.Boolean(),
    payer_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    receipt_email: Type.Optional(Type.String({ format: 'email', maxLength: 320 })),
    /** The wording that was confirmed, as a version of `paymentWordings`. */
    wording: Type.Optional(OneOf(paymentWordingVersions)),
  },
  { additionalProperties: false },
);
export type OtherPaymentBody = Static<typeof OtherPaymentBody>;

export const IdempotencyHeaders = Type.Object({
  /** Visible ASCII. A retry with the same key gets the answer of the first request. */
  'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '^[!-~]+$' })),
});

export const paymentCalls = {
  'POST /case-searches/{id}/payments': {
    summary: 'Start the payment for a search, or continue the open one',
    ...usualPolicy,
    log: 'payment-requested',
    access: 'client',
    params: IdParam,
    headers: IdempotencyHeaders,
    body: { schema: PaymentConfirmationBody, optional: true },
    data: PaymentIntent,
    errors: [
      'unauthenticated',
      'not_found',
      'already_paid',
      'not_payable',
      'identity_not_checked',
      'payment_cancelled',
      'card_not_accepted',
      'bank_not_accepted',
      'price_changed',
      'wording_changed',
      'started_by_other_client',
      'payment_under_review',
      'idempotency_key_reused',
      'invalid_input',
      'too_many_payment_attempts',
      'payment_being_checked',
      'provider_unavailable',
      'payments_paused',
    ],
  },
  'POST /other-payments': {
    summary: 'Start a payment that is not for a search; a repeated idempotency key returns the same payment',
    ...usualPolicy,
    log: 'payment-requested',
    access: 'client',
    headers: IdempotencyHeaders,
    body: { schema: OtherPaymentBody, optional: false },
    data: PaymentIntent,
    errors: [
      'unauthenticated',
      'not_found',
      'already_paid',
      'not_payable',
      'identity_not_checked',
      'payment_cancelled',
      'card_not_accepted',
      'bank_not_accepted',
      'payment_under_review',
      'limit_reached',
      'idempotency_key_reused',
      'invalid_input',
      'too_many_payment_attempts',
      'payment_being_checked',
      'provider_unavailable',
      'payments_paused',
    ],
  },
  'GET /bills': {
    summary: 'List the bills of the active case, newest first',
    ...usualPolicy,
    access: 'client',
    data: Type.Array(Bill),
    errors: ['unauthenticated'],
  },
  'GET /payments': {
    summary: 'List the payments of the active case, newest first',
    ...usualPolicy,
    access: 'client',
    data: Type.Array(Payment),
    errors: ['unauthenticated'],
  },
  'GET /payment-links/{id}': {
    summary: 'Get what a payment link from the firm leads to now',
    ...usualPolicy,
    access: 'client',
    params: IdParam,
    data: PaymentLink,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /payments/{id}/receipt': {
    summary: 'Download the receipt of a successful payment as PDF',
    ...usualPolicy,
    priority: 'high',
    access: 'client',
    params: IdParam,
    file: ['application/pdf'],
    errors: ['unauthenticated', 'not_found', 'document_damaged', 'too_many_requests'],
  },
  'POST /payments/{id}/cancel': {
    summary: 'Cancel an open payment',
    ...usualPolicy,
    priority: 'high',
    log: 'payment-cancelled',
    access: 'client',
    params: IdParam,
    data: Payment,
    errors: [
      'unauthenticated',
      'not_found',
      'payment_settled',
      'payment_under_review',
      'payment_being_checked',
      'provider_unavailable',
      'payments_paused',
    ],
  },
  'GET /payments/{id}': {
    summary: 'Get one payment of any of the client’s cases',
    ...usualPolicy,
    priority: 'high',
    access: 'client',
    duringMaintenance: true,
    params: IdParam,
    data: Payment,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /payments/{id}/intent': {
    summary: 'Get the intent of an open payment to resume it, and create it at the provider if it is missing',
    ...usualPolicy,
    priority: 'high',
    access: 'client',
    duringMaintenance: true,
    params: IdParam,
    data: PaymentIntent,
    errors: [
      'unauthenticated',
      'not_found',
      'already_paid',
      'not_payable',
      'identity_not_checked',
      'payment_cancelled',
      'card_not_accepted',
      'bank_not_accepted',
      'payment_under_review',
      'too_many_payment_attempts',
      'payment_being_checked',
      'provider_unavailable',
      'payments_paused',
    ],
  },
  'POST /payments/{id}/confirm': {
    summary: 'Confirm an open payment just before its card is sent to the provider',
    ...usualPolicy,
    priority: 'high',
    access: 'client',
    duringMaintenance: true,
    params: IdParam,
    body: { schema: PaymentConfirmationBody, optional: false },
    data: PaymentIntent,
    errors: [
      'unauthenticated',
      'not_found',
      'already_paid',
      'not_payable',
      'identity_not_checked',
      'payment_cancelled',
      'card_not_accepted',
      'bank_not_accepted',
      'price_changed',
      'wording_changed',
      'started_by_other_client',
      'confirmation_required',
      'already_confirmed',
      'payment_under_review',
      'invalid_input',
      'too_many_payment_attempts',
      'payment_being_checked',
      'provider_unavailable',
      'payments_paused',
    ],
  },
  'POST /payments/{id}/refresh': {
    summary: 'Sync an open payment with the provider now',
    ...usualPolicy,
    priority: 'high',
    access: 'client',
    duringMaintenance: true,
    params: IdParam,
    data: Payment,
    errors: ['unauthenticated', 'not_found', 'payment_being_checked', 'payments_paused'],
  },
} as const satisfies Record<string, CallDefinition>;

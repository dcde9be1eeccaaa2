import { type Static, Type } from 'typebox';

/** Every failure that a caller may expect: its code, its HTTP status, and what people are told by default. */
export const errorCatalogue = {
  unauthenticated: { status: 401, message: 'Your sign-in has ended. Please sign in again.' },
  invalid_credentials: { status: 401, message: 'These credentials do not match our records.' },
  not_found: { status: 404, message: 'We could not find that.' },
  already_paid: { status: 409, message: 'This is already paid. You have not been charged again.' },
  price_changed: {
    status: 409,
    message: 'The price has changed. You have not been charged. Please check the new price before you pay.',
  },
  payment_under_review: {
    status: 409,
    message: 'We have to look at this payment, and will contact you. Do not pay again.',
  },
  not_payable: { status: 409, message: 'This cannot be paid at the moment.' },
  idempotency_key_reused: {
    status: 409,
    message: 'This Idempotency-Key was used before with different content.',
  },
  payment_settled: { status: 409, message: 'This payment can no longer be changed.' },
  limit_reached: {
    status: 409,
    message: 'This is more than can be paid by card in one day. Please call us about a bank transfer.',
  },
  already_signed: { status: 409, message: 'You have already signed this document.' },
  signature_not_requested: { status: 409, message: 'Your signature is not asked for on this document.' },
  name_mismatch: {
    status: 409,
    message: 'Please sign with your own name as we have it. If it has changed, call us before you sign.',
  },
  document_changed: {
    status: 409,
    message: 'There is a newer version of this document. Please read that one.',
  },
  document_damaged: { status: 409, message: 'This document is damaged, and we have been told.' },
  link_expired: { status: 409, message: 'This link has ended or was used before. Please ask for a new one.' },
  payload_too_large: { status: 413, message: 'That is more than we can take at once.' },
  unsupported_media_type: { status: 415, message: 'Please send JSON.' },
  malformed_json: { status: 422, message: 'The body is not valid JSON.' },
  invalid_input: { status: 422, message: 'Some of what was sent is not right.' },
  too_many_login_attempts: {
    status: 429,
    message: 'Too many login attempts. Please try again in {n} seconds.',
  },
  too_many_payment_attempts: {
    status: 429,
    message: 'There have been too many payment attempts. Please try again later, or call us.',
  },
  too_many_requests: { status: 429, message: 'Too many requests. Please try again shortly.' },
  unexpected: { status: 500, message: 'An unexpected error has occurred.' },
  maintenance: { status: 503, message: 'We are currently in maintenance, please try again later.' },
  unavailable: {
    status: 503,
    message: 'We cannot reach our records at the moment. Please try again shortly.',
  },
  payment_being_checked: { status: 503, message: 'We are checking your payment. Do not pay again.' },
  /** Only while nothing can have been charged; after that: `payment_being_checked`. */
  provider_unavailable: {
    status: 503,
    message:
      'We cannot reach the payment provider at the moment. You have not been charged. Please try again.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

export const ErrorBody = Type.Object({
  message: Type.String(),
  code: Type.Unsafe<ErrorCode>(Type.String({ enum: Object.keys(errorCatalogue) })),
  /** For `invalid_input`: texts by the field's dotted path. */
  errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
});
export type ErrorBody = Static<typeof ErrorBody>;

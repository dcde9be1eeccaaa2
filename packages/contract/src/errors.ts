import { type Static, Type } from 'typebox';
import { defaultMessages } from './default-messages.ts';

/** Every expected failure of the API by code, with its HTTP status and its default message for people. */
export const errorCatalogue = {
  unauthenticated: { status: 401, message: 'Your sign-in has expired. Please sign in again.' },
  invalid_credentials: { status: 401, message: 'These credentials do not match our records.' },
  /** The password is right, and the client has to add a code or use a passkey. */
  second_factor_required: {
    status: 401,
    message: 'Enter a code from your authenticator app or a recovery code, or use your passkey.',
  },
  identity_not_confirmed: {
    status: 403,
    message: 'Please confirm that it’s you, and try again.',
  },
  not_permitted: { status: 403, message: 'This API key may not do that.' },
  not_found: { status: 404, message: 'We could not find that.' },
  already_paid: { status: 409, message: 'This is already paid. You have not been charged again.' },
  /** The case feed as a whole cannot be stored; the message has the reason. */
  feed_not_possible: { status: 409, message: 'This feed can’t be stored here.' },
  price_changed: {
    status: 409,
    message: 'The price has changed. You have not been charged. Please check the new price before you pay.',
  },
  /** Also the answer to a page of an earlier release, whose words were wrong. */
  wording_changed: {
    status: 409,
    message:
      'The words that you confirm have changed. You have not been charged. Please reload this page and read them before you pay.',
  },
  started_by_other_client: {
    status: 409,
    message: 'Another client on this case has started this payment. You have not been charged.',
  },
  confirmation_required: {
    status: 409,
    message: 'Please confirm whose card pays before you pay. You have not been charged.',
  },
  already_confirmed: {
    status: 409,
    message:
      'This payment was confirmed with different answers. You have not been charged. Start the payment again to change them.',
  },
  payment_under_review: {
    status: 409,
    message: 'We need to review this payment and will contact you. Please don’t pay again.',
  },
  not_payable: {
    status: 409,
    message: 'This can’t be paid at the moment. Please call us if you expected to pay it.',
  },
  /** By the firm’s rules, the payment comes after the identity check of its matter. */
  identity_not_checked: {
    status: 409,
    message:
      'You can pay this online once our identity checks for your case are done. You have not been charged.',
  },
  /** Only if the provider itself cancelled it; otherwise `not_payable`. */
  payment_cancelled: {
    status: 409,
    message: 'This payment was stopped before any money moved. Start again.',
  },
  card_not_accepted: {
    status: 409,
    message: 'We don’t accept cards for this. Please call us, and we’ll tell you how to pay it.',
  },
  bank_not_accepted: {
    status: 409,
    message:
      'We can’t accept a payment by bank for this at the moment. You have not been charged. Please choose another way to pay, or call us.',
  },
  idempotency_key_reused: {
    status: 409,
    message: 'This Idempotency-Key was used before with different content.',
  },
  payment_settled: { status: 409, message: 'This payment can no longer be changed.' },
  limit_reached: {
    status: 409,
    message: 'This is over the limit for online payments in one day. Please call us about a bank transfer.',
  },
  already_signed: { status: 409, message: 'You have already signed this document.' },
  signature_not_requested: { status: 409, message: 'This document doesn’t need your signature.' },
  signed_on_paper: {
    status: 409,
    message:
      'This document must be printed and signed with a pen. Download it and follow the instructions, or call us.',
  },
  name_mismatch: {
    status: 409,
    message:
      'Please sign with your own name as we have it on record. If it has changed, call us before you sign.',
  },
  document_changed: {
    status: 409,
    message: 'There is a newer version of this document. Please read it before you sign.',
  },
  document_damaged: {
    status: 409,
    message: 'This document is damaged. We have been alerted and will put it right.',
  },
  /** The file is as the firm shared it, but has a form, a password or something else because of which it cannot be signed. */
  document_not_signable: {
    status: 409,
    message:
      'You can’t sign this file, and haven’t signed it. Please call us, so that we can send you another one.',
  },
  link_expired: {
    status: 409,
    message: 'This link has expired or has already been used. Please request a new one.',
  },
  /** The message has the reason. */
  factor_state: {
    status: 409,
    message: 'Your passkeys and authenticator apps don’t allow this at the moment.',
  },
  email_unchanged: { status: 409, message: 'This is already your email address.' },
  /** The server replaces the message with one that states the number of days. */
  email_changed_recently: {
    status: 409,
    message: 'Your email address was changed a few days ago. Call us to change it again.',
  },
  email_taken: {
    status: 409,
    message: 'This email address can’t be used for your account. Please call us.',
  },
  payload_too_large: { status: 413, message: 'The request is too large.' },
  unsupported_media_type: { status: 415, message: 'The request body must be JSON.' },
  malformed_json: { status: 400, message: 'The request body is not valid JSON.' },
  invalid_input: { status: 422, message: 'Some fields are invalid.' },
  code_rejected: { status: 422, message: 'This password or code is wrong. Please try again.' },
  passkey_rejected: { status: 422, message: 'We couldn’t verify this passkey. Please try again.' },
  too_many_login_attempts: {
    status: 429,
    message: 'Too many login attempts. Please try again in {n} seconds.',
  },
  too_many_payment_attempts: {
    status: 429,
    message: 'There have been too many payment attempts. Please try again later, or call us.',
  },
  too_many_requests: { status: 429, message: 'Too many requests. Please try again shortly.' },
  unexpected: { status: 500, message: defaultMessages[500] },
  maintenance: { status: 503, message: defaultMessages[503] },
  unavailable: {
    status: 503,
    message: 'Our records are unavailable at the moment. Please try again shortly.',
  },
  payment_being_checked: { status: 503, message: 'We’re checking your payment. Please don’t pay again.' },
  payments_paused: {
    status: 503,
    message:
      'We can’t accept payments at the moment because we’re checking our records. If you have already paid, please don’t pay again.',
  },
  /** Only if the client cannot have been charged; otherwise `payment_being_checked`. */
  provider_unavailable: {
    status: 503,
    message:
      'We can’t reach the payment provider at the moment. You have not been charged. Please try again.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

export const ErrorBody = Type.Object({
  message: Type.String(),
  code: Type.Unsafe<ErrorCode>(Type.String({ enum: Object.keys(errorCatalogue) })),
  /** For `invalid_input`: messages by the dotted path of the field. */
  errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
});
export type ErrorBody = Static<typeof ErrorBody>;

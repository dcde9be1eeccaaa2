import { type Static, type TObject, type TSchema, Type } from 'typebox';
import {
  CaseDocument,
  CaseSearch,
  Client,
  HistoryEntry,
  Id,
  Maintenance,
  Milestone,
  Nullable,
  OneOf,
  Payment,
  PaymentIntent,
} from './entities.ts';
import type { ErrorCode } from './errors.ts';
import { type PaymentWordingVersion, paymentWordings } from './payment-wording.ts';
import { documentMediaTypes, historyCategories, otherPaymentCategories } from './vocabulary.ts';

/**
 * One call of the client API. Its key in `calls` is `METHOD /path` below `/api`, with parameters in braces.
 * `access: 'client'` needs a bearer token; `anyone` does not.
 */
export interface CallDefinition {
  summary: string;
  access: 'anyone' | 'client';
  params?: TObject;
  query?: TObject;
  headers?: TObject;
  /** `optional`: the call also works without a body. */
  body?: { schema: TObject; optional: boolean };
  /** The `data` of the answer. Without it, the call answers 204 and no body. */
  data?: TSchema;
  meta?: TObject;
  /** Media types of a call that answers with a file instead of JSON. */
  file?: readonly string[];
  /** Works during general maintenance: needed to see when it ends, or to finish a payment in progress. */
  duringMaintenance?: true;
  /** Also unavailable while the case history is in maintenance. */
  area?: 'case-history';
  errors: readonly ErrorCode[];
}

const IdParam = Type.Object({ id: Id });

const Password = Type.String({ minLength: 1, maxLength: 1024 });

export const LoginBody = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 320 }), password: Password },
  { additionalProperties: false },
);

export const AccessToken = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  /** Seconds. */
  expires_in: Type.Integer(),
});
export type AccessToken = Static<typeof AccessToken>;

const wordings = Object.keys(paymentWordings) as PaymentWordingVersion[];

/**
 * What the client confirms when starting the payment for a search, and for any payment just before the card is sent. An
 * absent field keeps its last confirmed value.
 */
export const PaymentConfirmationBody = Type.Object(
  {
    /** "Please order now": the client asks us to order within the 14 days in which they could cancel. */
    order_now: Type.Optional(Type.Boolean()),
    own_card: Type.Optional(Type.Boolean()),
    payer_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    receipt_email: Type.Optional(Type.String({ format: 'email', maxLength: 320 })),
    /** The wording that was confirmed, as a version of `paymentWordings`. */
    wording: Type.Optional(OneOf(wordings)),
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
    matter_id: Type.Optional(Id),
    own_card: Type.Boolean(),
    payer_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    receipt_email: Type.Optional(Type.String({ format: 'email', maxLength: 320 })),
    /** The wording that was confirmed, as a version of `paymentWordings`. */
    wording: Type.Optional(OneOf(wordings)),
  },
  { additionalProperties: false },
);
export type OtherPaymentBody = Static<typeof OtherPaymentBody>;

/** A line of a drawn signature: alternating x and y, in the units of the drawing. */
const Stroke = Type.Array(Type.Integer({ minimum: 0, maximum: 4_000 }), { minItems: 2, maxItems: 4_000 });

export const SignatureBody = Type.Object(
  {
    /** The full name, typed. It is the signature unless one is drawn. */
    name: Type.String({ minLength: 2, maxLength: 200 }),
    /** The client ticked the consent statement. */
    consent: Type.Literal(true),
    /** SHA-256 of the document that the client read, from `GET /documents/{id}`. */
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    drawing: Type.Optional(
      Type.Object(
        {
          width: Type.Integer({ minimum: 1, maximum: 4_000 }),
          height: Type.Integer({ minimum: 1, maximum: 4_000 }),
          strokes: Type.Array(Stroke, { minItems: 1, maxItems: 500 }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type SignatureBody = Static<typeof SignatureBody>;

export const ForgottenPasswordBody = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 320 }) },
  { additionalProperties: false },
);

/** The token in the link of an email. */
const LinkToken = Type.String({ minLength: 1, maxLength: 200 });

export const PasswordLinkBody = Type.Object({ token: LinkToken }, { additionalProperties: false });

export const PasswordLink = Type.Object({
  /** False once the link has been used, has expired or has been replaced. */
  is_open: Type.Boolean(),
});
export type PasswordLink = Static<typeof PasswordLink>;

export const NewPasswordBody = Type.Object(
  {
    token: LinkToken,
    password: Password,
  },
  { additionalProperties: false },
);

export const IdempotencyHeaders = Type.Object({
  /** Visible ASCII. A retry with the same key gets the answer of the first request. */
  'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '^[!-~]+$' })),
});

export const calls = {
  'POST /login': {
    summary: 'Sign in',
    access: 'anyone',
    body: { schema: LoginBody, optional: false },
    data: AccessToken,
    errors: ['invalid_credentials', 'invalid_input', 'too_many_login_attempts'],
  },
  'POST /logout': {
    summary: 'Sign out',
    access: 'client',
    duringMaintenance: true,
    errors: ['unauthenticated'],
  },
  'POST /password/forgot': {
    summary: 'Request a password reset link; the answer is the same for unknown email addresses',
    access: 'anyone',
    body: { schema: ForgottenPasswordBody, optional: false },
    errors: ['invalid_input', 'too_many_requests'],
  },
  // POST, because a token in a URL would end up in logs.
  'POST /password/check-link': {
    summary: 'Check whether a password reset link still works, without using it',
    access: 'anyone',
    body: { schema: PasswordLinkBody, optional: false },
    data: PasswordLink,
    errors: ['invalid_input', 'too_many_requests'],
  },
  'POST /password/reset': {
    summary: 'Set a new password with the token of a link, once; signs the client out everywhere',
    access: 'anyone',
    body: { schema: NewPasswordBody, optional: false },
    errors: ['invalid_input', 'link_expired', 'too_many_requests'],
  },
  'GET /maintenance': {
    summary: 'List which parts are in maintenance, and until when',
    access: 'anyone',
    duringMaintenance: true,
    data: Maintenance,
    errors: [],
  },
  'GET /client': {
    summary: 'Get the signed-in client with the active case',
    access: 'client',
    data: Client,
    errors: ['unauthenticated'],
  },
  'PUT /client/active-case': {
    summary: 'Switch to another case of the client',
    access: 'client',
    body: { schema: Type.Object({ id: Id }, { additionalProperties: false }), optional: false },
    data: Client,
    errors: ['unauthenticated', 'not_found', 'invalid_input'],
  },
  'GET /case-searches': {
    summary: 'List the searches of the active case',
    access: 'client',
    data: Type.Array(CaseSearch),
    errors: ['unauthenticated'],
  },
  'GET /case-searches/{id}': {
    summary: 'Get one search of any of the client’s cases',
    access: 'client',
    duringMaintenance: true,
    params: IdParam,
    data: CaseSearch,
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /case-searches/{id}/payments': {
    summary: 'Start the payment for a search, or continue the open one',
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
      'price_changed',
      'payment_under_review',
      'idempotency_key_reused',
      'invalid_input',
      'too_many_payment_attempts',
      'payment_being_checked',
      'provider_unavailable',
    ],
  },
  'POST /other-payments': {
    summary: 'Start a payment that is not for a search; a repeated idempotency key returns the same payment',
    access: 'client',
    headers: IdempotencyHeaders,
    body: { schema: OtherPaymentBody, optional: false },
    data: PaymentIntent,
    errors: [
      'unauthenticated',
      'not_found',
      'already_paid',
      'not_payable',
      'payment_under_review',
      'limit_reached',
      'idempotency_key_reused',
      'invalid_input',
      'too_many_payment_attempts',
      'payment_being_checked',
      'provider_unavailable',
    ],
  },
  'GET /payments': {
    summary: 'List the payments of the active case, newest first',
    access: 'client',
    data: Type.Array(Payment),
    errors: ['unauthenticated'],
  },
  'GET /payments/{id}/receipt': {
    summary: 'Download the receipt of a successful payment as PDF',
    access: 'client',
    params: IdParam,
    file: ['application/pdf'],
    errors: ['unauthenticated', 'not_found', 'too_many_requests'],
  },
  'POST /payments/{id}/cancel': {
    summary: 'Cancel an open payment',
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
    ],
  },
  'GET /payments/{id}': {
    summary: 'Get one payment of any of the client’s cases',
    access: 'client',
    duringMaintenance: true,
    params: IdParam,
    data: Payment,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /payments/{id}/intent': {
    summary: 'Get the intent of an open payment to resume it, and create it at the provider if it is missing',
    access: 'client',
    duringMaintenance: true,
    params: IdParam,
    data: PaymentIntent,
    errors: [
      'unauthenticated',
      'not_found',
      'already_paid',
      'not_payable',
      'payment_under_review',
      'too_many_payment_attempts',
      'payment_being_checked',
      'provider_unavailable',
    ],
  },
  'POST /payments/{id}/confirm': {
    summary: 'Confirm an open payment just before its card is sent to the provider',
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
      'price_changed',
      'payment_under_review',
      'invalid_input',
      'too_many_payment_attempts',
      'payment_being_checked',
      'provider_unavailable',
    ],
  },
  'POST /payments/{id}/refresh': {
    summary: 'Sync an open payment with the provider now',
    access: 'client',
    duringMaintenance: true,
    params: IdParam,
    data: Payment,
    errors: ['unauthenticated', 'not_found', 'payment_being_checked'],
  },
  'GET /documents': {
    summary: 'List the documents of the active case, newest first',
    access: 'client',
    data: Type.Array(CaseDocument),
    errors: ['unauthenticated'],
  },
  'GET /documents/{id}': {
    summary: 'Get one document of any of the client’s cases',
    access: 'client',
    params: IdParam,
    data: CaseDocument,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /documents/{id}/content': {
    summary: 'Download a document; a signed one includes its signature page unless the original is requested',
    access: 'client',
    params: IdParam,
    query: Type.Object({ version: Type.Optional(OneOf(['original'])) }, { additionalProperties: false }),
    file: documentMediaTypes,
    errors: ['unauthenticated', 'not_found', 'document_damaged', 'invalid_input', 'too_many_requests'],
  },
  'POST /documents/{id}/read': {
    summary: 'Mark a document as read',
    access: 'client',
    params: IdParam,
    data: CaseDocument,
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /documents/{id}/signature': {
    summary: 'Sign a document',
    access: 'client',
    params: IdParam,
    body: { schema: SignatureBody, optional: false },
    data: CaseDocument,
    errors: [
      'unauthenticated',
      'not_found',
      'already_signed',
      'signature_not_requested',
      'name_mismatch',
      'document_changed',
      'document_damaged',
      'invalid_input',
    ],
  },
  'GET /milestones': {
    summary: 'List the milestones of every matter of the active case, in order',
    access: 'client',
    data: Type.Array(Milestone),
    errors: ['unauthenticated'],
  },
  'GET /case-history': {
    summary: 'List the history of the active case, newest first',
    access: 'client',
    area: 'case-history',
    query: Type.Object(
      {
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 50 })),
        /** `meta.next_cursor` of the previous page. */
        cursor: Type.Optional(Type.String({ maxLength: 200 })),
        category: Type.Optional(OneOf(historyCategories)),
      },
      { additionalProperties: false },
    ),
    data: Type.Array(HistoryEntry),
    meta: Type.Object({ total: Type.Integer(), next_cursor: Nullable(Type.String()) }),
    errors: ['unauthenticated', 'invalid_input'],
  },
} as const satisfies Record<string, CallDefinition>;

export type Calls = typeof calls;
export type CallKey = keyof Calls;

type Member<Call, Name extends string> = Call extends { [K in Name]: infer Schema } ? Schema : never;
type Typed<Schema> = [Schema] extends [never]
  ? undefined
  : Schema extends TSchema
    ? Static<Schema>
    : undefined;

/** The types of one call, for both the server and the dashboard. */
export type CallParams<K extends CallKey> = Typed<Member<Calls[K], 'params'>>;
export type CallQuery<K extends CallKey> = Typed<Member<Calls[K], 'query'>>;
export type CallBody<K extends CallKey> =
  Member<Calls[K], 'body'> extends { schema: infer Schema } ? Typed<Schema> : undefined;
export type CallData<K extends CallKey> = Typed<Member<Calls[K], 'data'>>;
export type CallMeta<K extends CallKey> = Typed<Member<Calls[K], 'meta'>>;
/** The answer after unwrapping: the whole body if it has a `meta`, otherwise its `data`. */
export type CallAnswer<K extends CallKey> =
  Member<Calls[K], 'meta'> extends never ? CallData<K> : { data: CallData<K>; meta: CallMeta<K> };

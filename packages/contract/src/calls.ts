import { type Static, type TObject, type TSchema, Type } from 'typebox';
import {
  CaseSearch,
  Client,
  HistoryEntry,
  Id,
  Milestone,
  Nullable,
  OneOf,
  Payment,
  PaymentIntent,
} from './entities.ts';
import type { ErrorCode } from './errors.ts';
import { historyCategories } from './vocabulary.ts';

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
  /** `optional`: the call works without a body as well. */
  body?: { schema: TObject; optional: boolean };
  /** What stands in `data`; none: 204 without a body. */
  data?: TSchema;
  meta?: TObject;
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
  /** Seconds from now. */
  expires_in: Type.Integer(),
});
export type AccessToken = Static<typeof AccessToken>;

/** What the client confirmed before paying for a search. */
export const SearchPaymentBody = Type.Object(
  {
    /** "Order my search now": asks to start within the 14 days in which the order could be cancelled. */
    order_now: Type.Optional(Type.Boolean()),
    own_card: Type.Optional(Type.Boolean()),
    payer_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    receipt_email: Type.Optional(Type.String({ format: 'email', maxLength: 320 })),
  },
  { additionalProperties: false },
);
export type SearchPaymentBody = Static<typeof SearchPaymentBody>;

export const IdempotencyHeaders = Type.Object({
  /** Visible ASCII, unique to the client's intention: a repeat gets the first answer. */
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
  'POST /logout': { summary: 'Sign out', access: 'client', errors: ['unauthenticated'] },
  'GET /client': {
    summary: 'The signed-in client with the active case',
    access: 'client',
    data: Client,
    errors: ['unauthenticated'],
  },
  'PUT /client/active-case': {
    summary: 'Look at another of my cases',
    access: 'client',
    body: { schema: Type.Object({ id: Id }, { additionalProperties: false }), optional: false },
    data: Client,
    errors: ['unauthenticated', 'not_found', 'invalid_input'],
  },
  'GET /case-searches': {
    summary: 'The searches of the active case',
    access: 'client',
    data: Type.Array(CaseSearch),
    errors: ['unauthenticated'],
  },
  'GET /case-searches/{id}': {
    summary: 'One search of any of my cases',
    access: 'client',
    params: IdParam,
    data: CaseSearch,
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /case-searches/{id}/payments': {
    summary: 'Start or go on with the payment for a search',
    access: 'client',
    params: IdParam,
    headers: IdempotencyHeaders,
    body: { schema: SearchPaymentBody, optional: true },
    data: PaymentIntent,
    errors: [
      'unauthenticated',
      'not_found',
      'already_paid',
      'not_payable',
      'idempotency_key_reused',
      'invalid_input',
      'provider_unavailable',
    ],
  },
  'GET /payments/{id}': {
    summary: 'One payment as it really stands',
    access: 'client',
    params: IdParam,
    data: Payment,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /milestones': {
    summary: "The milestones of the active case's matters, in order",
    access: 'client',
    data: Type.Array(Milestone),
    errors: ['unauthenticated'],
  },
  'GET /case-history': {
    summary: 'What happened on the active case, newest first',
    access: 'client',
    query: Type.Object(
      {
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 50 })),
        /** `meta.next_cursor` of the answer before. */
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

/** The types of one call, as both ends see them. */
export type CallParams<K extends CallKey> = Typed<Member<Calls[K], 'params'>>;
export type CallQuery<K extends CallKey> = Typed<Member<Calls[K], 'query'>>;
export type CallBody<K extends CallKey> =
  Member<Calls[K], 'body'> extends { schema: infer Schema } ? Typed<Schema> : undefined;
export type CallData<K extends CallKey> = Typed<Member<Calls[K], 'data'>>;
export type CallMeta<K extends CallKey> = Typed<Member<Calls[K], 'meta'>>;
/** What a caller gets after unwrapping: the whole body where there is a `meta`, else `data`. */
export type CallAnswer<K extends CallKey> =
  Member<Calls[K], 'meta'> extends never ? CallData<K> : { data: CallData<K>; meta: CallMeta<K> };

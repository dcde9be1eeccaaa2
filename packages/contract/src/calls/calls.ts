import type { Static, TSchema } from 'typebox';
import { accountCalls } from './account-calls.ts';
import type { CallDefinition } from './call-definition.ts';
import { caseCalls } from './case-calls.ts';
import { documentCalls } from './document-calls.ts';
import { paymentCalls } from './payment-calls.ts';
import { sessionCalls } from './session-calls.ts';
import { signInCalls } from './sign-in-calls.ts';

export type { CallDefinition } from './call-definition.ts';
export { SignatureBody } from './document-calls.ts';
export { IdempotencyHeaders, OtherPaymentBody, PaymentConfirmationBody } from './payment-calls.ts';
export {
  AccessToken,
  CookieSession,
  ForgottenPasswordBody,
  LoginBody,
  NewPasswordBody,
  PasswordLink,
  PasswordLinkBody,
  SessionHeaders,
} from './sign-in-calls.ts';

/** Every call of the client API. */
export const calls = {
  ...signInCalls,
  ...accountCalls,
  ...sessionCalls,
  ...caseCalls,
  ...paymentCalls,
  ...documentCalls,
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

import { accountCalls } from './account-calls.ts';
import type { AnswerOf, BodyOf, CallDefinition, ParamsOf, QueryOf } from './call-definition.ts';
import { clientCalls } from './client-calls.ts';
import { documentCalls } from './document-calls.ts';
import { historyCalls } from './history-calls.ts';
import { maintenanceCalls } from './maintenance-calls.ts';
import { milestoneCalls } from './milestone-calls.ts';
import { paymentCalls } from './payment-calls.ts';
import { searchCalls } from './search-calls.ts';
import { sessionCalls } from './session-calls.ts';
import { signInCalls } from './sign-in-calls.ts';

export type {
  AnswerOf,
  BodyOf,
  CallDefinition,
  ParamsOf,
  QueryOf,
} from './call-definition.ts';
export { SignatureBody } from './document-calls.ts';
export { IdempotencyHeaders, OtherPaymentBody, PaymentConfirmationBody } from './payment-calls.ts';
export {
  AccessToken,
  ForgottenPasswordBody,
  LoginBody,
  NewPasswordBody,
  PasswordLink,
  PasswordLinkBody,
  SignInHeaders,
} from './sign-in-calls.ts';

/** Every call of the client API. */
export const calls = {
  ...signInCalls,
  ...accountCalls,
  ...sessionCalls,
  ...maintenanceCalls,
  ...clientCalls,
  ...searchCalls,
  ...milestoneCalls,
  ...historyCalls,
  ...paymentCalls,
  ...documentCalls,
} as const satisfies Record<string, CallDefinition>;

export type Calls = typeof calls;
export type CallKey = keyof Calls;

export type CallParams<K extends CallKey> = ParamsOf<Calls[K]>;
export type CallQuery<K extends CallKey> = QueryOf<Calls[K]>;
export type CallBody<K extends CallKey> = BodyOf<Calls[K]>;
export type CallAnswer<K extends CallKey> = AnswerOf<Calls[K]>;

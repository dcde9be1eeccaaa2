import { type Static, Type } from 'typebox';
import { Id, Instant, OneOf } from './values.ts';

/** How a client proved who they are. */
export const signInMethods = [
  'password',
  'password_and_code',
  'password_and_recovery_code',
  'passkey',
] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** How a signed-in client confirmed who they are. */
export const stepUpMethods = ['password', 'authenticator', 'recovery_code', 'passkey'] as const;
export type StepUpMethod = (typeof stepUpMethods)[number];

/** A sign-in of a client that has not ended. */
export const ClientSession = Type.Object({
  id: Id,
  /** The browser in plain words, for example `Chrome on Windows`. */
  device: Type.String(),
  created_at: Instant,
  /** Recorded at most once a minute. */
  last_used_at: Instant,
  signed_in_with: OneOf(signInMethods),
  /** Whether it made the call. */
  is_current: Type.Boolean(),
});
export type ClientSession = Static<typeof ClientSession>;

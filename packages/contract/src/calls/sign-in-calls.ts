import { type Static, Type } from 'typebox';
import { OneOf } from '../entities/values.ts';
import type { CallDefinition } from './call-definition.ts';
import { usualPolicy } from './call-policy.ts';
import { Code, Credential, CredentialOptions, LinkToken, Password } from './credential-fields.ts';

export const LoginBody = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 320 }),
    password: Password,
    /** Of an authenticator app, or a recovery code. Only for clients with a second factor. */
    code: Type.Optional(Code),
  },
  { additionalProperties: false },
);

export const AccessToken = Type.Object({
  access_token: Type.String(),
  /** Our server sends `Bearer`. Other servers may omit it, leave it empty, or spell it in a different case. */
  token_type: Type.Optional(Type.Unknown({ description: '`Bearer`' })),
  /** Seconds. */
  expires_in: Type.Integer(),
});
export type AccessToken = Static<typeof AccessToken>;

export const SignInHeaders = Type.Object({
  /**
   * A sign-in on a page of the API’s own origin also sets a cookie, without which its token is not accepted. A browser that
   * blocks cookies sends `blocked` and gets a token that needs none, as all other callers do.
   */
  'x-cookies': Type.Optional(OneOf(['blocked'])),
});

export const ForgottenPasswordBody = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 320 }) },
  { additionalProperties: false },
);

export const PasswordLinkBody = Type.Object({ token: LinkToken }, { additionalProperties: false });

export const PasswordLink = Type.Object({
  /** False once the link has been used, has expired or has been replaced. */
  is_open: Type.Boolean(),
  /** The characters that the password needs at least; the usual number if the link is not open. */
  min_password_length: Type.Integer(),
});
export type PasswordLink = Static<typeof PasswordLink>;

export const NewPasswordBody = Type.Object(
  {
    token: LinkToken,
    password: Password,
  },
  { additionalProperties: false },
);

export const signInCalls = {
  'POST /login': {
    summary: 'Sign in',
    ...usualPolicy,
    cookies: 'allowed-origins',
    log: 'sign-in',
    access: 'anyone',
    headers: SignInHeaders,
    body: { schema: LoginBody, optional: false },
    data: AccessToken,
    startsSession: true,
    errors: ['invalid_credentials', 'second_factor_required', 'invalid_input', 'too_many_login_attempts'],
  },
  'POST /passkey/options': {
    summary: 'Start to sign in with a passkey',
    ...usualPolicy,
    cookies: 'allowed-origins',
    access: 'anyone',
    data: CredentialOptions,
    errors: [],
  },
  'POST /passkey/login': {
    summary: 'Sign in with a passkey',
    ...usualPolicy,
    cookies: 'allowed-origins',
    log: 'sign-in',
    access: 'anyone',
    headers: SignInHeaders,
    body: {
      schema: Type.Object({ credential: Credential }, { additionalProperties: false }),
      optional: false,
    },
    data: AccessToken,
    startsSession: true,
    errors: ['invalid_input', 'passkey_rejected', 'too_many_login_attempts'],
  },
  'POST /logout': {
    summary: 'Sign out',
    ...usualPolicy,
    cookies: 'allowed-origins',
    log: 'sign-out',
    access: 'client',
    duringMaintenance: true,
    endsSession: true,
    errors: ['unauthenticated'],
  },
  'POST /password/forgot': {
    summary: 'Request a password reset link; the answer is the same for unknown email addresses',
    ...usualPolicy,
    cookies: 'allowed-origins',
    log: 'password-link-requested',
    access: 'anyone',
    body: { schema: ForgottenPasswordBody, optional: false },
    errors: ['invalid_input', 'too_many_requests'],
  },
  // POST, because a token in a URL would end up in logs.
  'POST /password/check-link': {
    summary: 'Check whether a password reset link still works, without using it',
    ...usualPolicy,
    cookies: 'allowed-origins',
    access: 'anyone',
    body: { schema: PasswordLinkBody, optional: false },
    data: PasswordLink,
    errors: ['invalid_input', 'too_many_requests'],
  },
  'POST /password/reset': {
    summary: 'Set a new password with the token of a link, once; signs the client out everywhere',
    ...usualPolicy,
    cookies: 'allowed-origins',
    log: 'password-set',
    access: 'anyone',
    body: { schema: NewPasswordBody, optional: false },
    errors: ['invalid_input', 'link_expired', 'too_many_requests'],
  },
} as const satisfies Record<string, CallDefinition>;

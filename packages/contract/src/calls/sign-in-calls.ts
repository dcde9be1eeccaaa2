import { type Static, Type } from 'typebox';
import type { CallDefinition } from './call-definition.ts';

const Password = Type.String({ minLength: 1, maxLength: 1024 });

export const LoginBody = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 320 }), password: Password },
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

export const signInCalls = {
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
    endsSession: true,
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
} as const satisfies Record<string, CallDefinition>;

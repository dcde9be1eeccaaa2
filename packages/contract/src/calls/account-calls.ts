import { Type } from 'typebox';
import { Account, AddedFactor, Factor, NewAuthenticator } from '../entities/account-entities.ts';
import { Nullable, OneOf, PhoneNumber } from '../entities/values.ts';
import { body, type CallDefinition, IdParam } from './call-definition.ts';
import { usualPolicy } from './call-policy.ts';
import {
  Code,
  Credential,
  CredentialOptions,
  Email,
  FactorName,
  LinkToken,
  Password,
} from './credential-fields.ts';

/**
 * The errors of changes that need a recent confirmation of the client’s identity. To add the first second factor, the
 * sign-in counts as one.
 */
const confirmed = ['unauthenticated', 'identity_not_confirmed'] as const;

/** The calls about the caller’s own account: how they sign in, and how we reach them. */
export const accountCalls = {
  'GET /account': {
    summary: 'Read how the client signs in, their email address and their phone number',
    ...usualPolicy,
    access: 'client',
    data: Account,
    errors: ['unauthenticated'],
  },
  'PUT /account/password': {
    summary: 'Change the password with the current one; ends the client’s other sessions',
    ...usualPolicy,
    cookies: 'allowed-origins',
    access: 'client',
    body: body({ current_password: Password, password: Password }),
    errors: [...confirmed, 'invalid_input', 'too_many_login_attempts', 'too_many_requests'],
  },
  'POST /account/confirm': {
    summary: 'Confirm that it is you with a code; with the password only while there is no second factor',
    ...usualPolicy,
    access: 'client',
    body: body({ code: Type.Optional(Code), password: Type.Optional(Password) }),
    errors: ['unauthenticated', 'invalid_input', 'code_rejected', 'too_many_login_attempts'],
  },
  'POST /account/confirm/options': {
    summary: 'Start to confirm that it is you with a passkey',
    ...usualPolicy,
    access: 'client',
    data: CredentialOptions,
    errors: ['unauthenticated'],
  },
  'POST /account/confirm/passkey': {
    summary: 'Confirm that it is you with a passkey',
    ...usualPolicy,
    access: 'client',
    body: body({ credential: Credential }),
    errors: ['unauthenticated', 'invalid_input', 'passkey_rejected', 'too_many_login_attempts'],
  },
  'POST /account/authenticators': {
    summary: 'Start to add an authenticator app; its secret is shown once',
    ...usualPolicy,
    access: 'client',
    data: NewAuthenticator,
    errors: [...confirmed, 'factor_state'],
  },
  'POST /account/authenticators/{id}/activate': {
    summary: 'Add the authenticator app with a code that it shows',
    ...usualPolicy,
    access: 'client',
    params: IdParam,
    body: body({ code: Code, name: FactorName }),
    data: AddedFactor,
    errors: [...confirmed, 'invalid_input', 'not_found', 'code_rejected', 'factor_state'],
  },
  'POST /account/passkeys/options': {
    summary: 'Start to add a passkey',
    ...usualPolicy,
    access: 'client',
    data: CredentialOptions,
    errors: [...confirmed, 'factor_state'],
  },
  'POST /account/passkeys': {
    summary: 'Add the passkey that the browser has made',
    ...usualPolicy,
    access: 'client',
    body: body({ credential: Credential, name: FactorName }),
    data: AddedFactor,
    errors: [...confirmed, 'invalid_input', 'passkey_rejected', 'factor_state'],
  },
  'PUT /account/factors/{id}': {
    summary: 'Rename a passkey or an authenticator app',
    ...usualPolicy,
    access: 'client',
    params: IdParam,
    body: body({ name: FactorName }),
    data: Factor,
    errors: [...confirmed, 'invalid_input', 'not_found'],
  },
  'DELETE /account/factors/{id}': {
    summary: 'Remove a passkey or an authenticator app; ends the client’s other sessions',
    ...usualPolicy,
    access: 'client',
    params: IdParam,
    errors: [...confirmed, 'not_found', 'factor_state'],
  },
  'POST /account/recovery-codes': {
    summary: 'Replace the recovery codes',
    ...usualPolicy,
    access: 'client',
    data: Type.Object({ recovery_codes: Type.Array(Type.String()) }),
    errors: [...confirmed, 'factor_state'],
  },
  'POST /account/email': {
    summary:
      'Start to change the email address: mails links to the new and the current one, which confirm it',
    ...usualPolicy,
    access: 'client',
    body: body({ email: Email }),
    data: Account,
    errors: [...confirmed, 'invalid_input', 'email_unchanged', 'email_changed_recently', 'too_many_requests'],
  },
  'DELETE /account/email': {
    summary: 'Cancel a change of the email address',
    ...usualPolicy,
    access: 'client',
    data: Account,
    errors: ['unauthenticated'],
  },
  'PUT /account/phone': {
    summary: 'Change the phone number, or remove it with null; the client is mailed about it',
    ...usualPolicy,
    access: 'client',
    body: body({ phone: Nullable(PhoneNumber) }),
    data: Account,
    errors: [...confirmed, 'invalid_input', 'too_many_requests'],
  },
  // POST, because a token in a URL would end up in logs.
  'POST /email-change/confirm': {
    summary:
      'Confirm a change of the email address with the token of the link to either address; the second one makes it',
    ...usualPolicy,
    access: 'anyone',
    body: body({ token: LinkToken }),
    data: Type.Object({
      /** The address that has not confirmed the change yet; null once the change is made. */
      missing: Nullable(OneOf(['new_address', 'former_address'])),
    }),
    errors: ['invalid_input', 'link_expired', 'email_taken', 'too_many_requests'],
  },
  'POST /email-change/stop': {
    summary:
      'Stop or undo a change of the email address with the token of the link to the former one; ends all sessions',
    ...usualPolicy,
    access: 'anyone',
    body: body({ token: LinkToken }),
    data: Type.Object({
      /** Whether the change had been made. No links are emailed then until the client has proved who they are. */
      is_undone: Type.Boolean(),
    }),
    errors: ['invalid_input', 'link_expired', 'too_many_requests'],
  },
} as const satisfies Record<string, CallDefinition>;

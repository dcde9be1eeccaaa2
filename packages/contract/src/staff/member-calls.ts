import { Type } from 'typebox';
import { body, IdParam } from '../calls/call-definition.ts';
import {
  Code,
  Credential,
  CredentialOptions,
  Email,
  FactorName,
  LinkToken,
  Password,
} from '../calls/credential-fields.ts';
import { AddedFactor, Factor, Factors, NewAuthenticator } from '../entities/account-entities.ts';
import { Nullable, OneOf } from '../entities/values.ts';
import { deskDefaults, type StaffCallDefinition } from './staff-call-definition.ts';
import { ListedStaffMember, StaffMember, StaffSession, StaffSignIn } from './staff-entities.ts';
import { staffRoles } from './staff-vocabulary.ts';

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });

/** The calls that need no session, or start one. */
const signInCalls = {
  // POST, because a token in a URL would end up in logs.
  'POST /staff/invitation/check': {
    summary: 'Check whether an invitation still works, without using it',
    ...deskDefaults,
    access: 'desk',
    body: body({ token: LinkToken }),
    data: Type.Object({
      is_open: Type.Boolean(),
      email: Nullable(Type.String()),
      name: Nullable(Type.String()),
    }),
    errors: ['invalid_input', 'not_from_desk', 'too_many_requests'],
  },
  'POST /staff/invitation/accept': {
    summary: 'Accept an invitation once, with a name and a password, and sign in',
    ...deskDefaults,
    log: 'staff-sign-in',
    access: 'desk',
    body: body({ token: LinkToken, name: Name, password: Password }),
    data: StaffSignIn,
    errors: ['invalid_input', 'link_expired', 'not_from_desk', 'too_many_requests'],
  },
  'POST /staff/login': {
    summary: 'Sign in with a password and a code of an authenticator app, or a recovery code',
    ...deskDefaults,
    log: 'staff-sign-in',
    access: 'desk',
    body: body({ email: text(320), password: Password, code: Type.Optional(Code) }),
    data: StaffSignIn,
    errors: [
      'invalid_credentials',
      'invalid_input',
      'not_from_desk',
      'factor_required',
      'too_many_login_attempts',
    ],
  },
  'POST /staff/passkey/options': {
    summary: 'Start to sign in with a passkey',
    ...deskDefaults,
    access: 'desk',
    data: CredentialOptions,
    errors: ['not_from_desk'],
  },
  'POST /staff/passkey/login': {
    summary: 'Sign in with a passkey',
    ...deskDefaults,
    log: 'staff-sign-in',
    access: 'desk',
    body: body({ credential: Credential }),
    data: StaffSignIn,
    errors: ['invalid_input', 'not_from_desk', 'passkey_rejected', 'too_many_login_attempts'],
  },
} as const satisfies Record<string, StaffCallDefinition>;

const inSession = ['unauthenticated', 'not_from_desk'] as const;

/** The calls about the caller’s own session, factors and password. */
const ownCalls = {
  'GET /staff/session': {
    summary: 'Get the session and its staff member',
    ...deskDefaults,
    access: 'enrolling',
    data: StaffSignIn,
    errors: ['unauthenticated'],
  },
  'POST /staff/logout': {
    summary: 'Sign out',
    ...deskDefaults,
    log: 'staff-sign-out',
    access: 'enrolling',
    errors: [...inSession],
  },
  'POST /staff/session/confirm': {
    summary:
      'Confirm the caller’s identity with a code, or with the password while there is no second factor',
    ...deskDefaults,
    access: 'enrolling',
    body: body({ code: Type.Optional(Code), password: Type.Optional(Password) }),
    data: StaffSignIn,
    errors: [...inSession, 'invalid_input', 'code_rejected', 'too_many_login_attempts'],
  },
  'POST /staff/session/confirm/options': {
    summary: 'Start to confirm the caller’s identity with a passkey',
    ...deskDefaults,
    access: 'enrolling',
    data: CredentialOptions,
    errors: [...inSession],
  },
  'POST /staff/session/confirm/passkey': {
    summary: 'Confirm the caller’s identity with a passkey',
    ...deskDefaults,
    access: 'enrolling',
    body: body({ credential: Credential }),
    data: StaffSignIn,
    errors: [...inSession, 'invalid_input', 'passkey_rejected', 'too_many_login_attempts'],
  },
  'GET /staff/sessions': {
    summary: 'List the caller’s open sessions',
    ...deskDefaults,
    access: staffRoles,
    data: Type.Array(StaffSession),
    errors: ['unauthenticated', 'factor_required'],
  },
  'DELETE /staff/sessions': {
    summary: 'End all sessions of the caller, including this one',
    ...deskDefaults,
    access: staffRoles,
    errors: [...inSession, 'factor_required'],
  },
  'DELETE /staff/sessions/{id}': {
    summary: 'End one session of the caller',
    ...deskDefaults,
    access: staffRoles,
    params: IdParam,
    errors: [...inSession, 'factor_required', 'not_found'],
  },
  'PUT /staff/password': {
    summary: 'Change the caller’s password; ends their other sessions',
    ...deskDefaults,
    access: staffRoles,
    confirmed: true,
    body: body({ password: Password }),
    errors: [...inSession, 'factor_required', 'identity_not_confirmed', 'invalid_input', 'too_many_requests'],
  },
  'GET /staff/factors': {
    summary: 'List the caller’s passkeys and authenticator apps',
    ...deskDefaults,
    access: 'enrolling',
    data: Factors,
    errors: ['unauthenticated'],
  },
  'POST /staff/authenticators': {
    summary: 'Start to add an authenticator app; its secret is shown once',
    ...deskDefaults,
    access: 'enrolling',
    confirmed: true,
    data: NewAuthenticator,
    errors: [...inSession, 'identity_not_confirmed', 'factor_state'],
  },
  'POST /staff/authenticators/{id}/activate': {
    summary: 'Add the authenticator app with a code that it shows',
    ...deskDefaults,
    access: 'enrolling',
    confirmed: true,
    params: IdParam,
    body: body({ code: Code, name: FactorName }),
    data: AddedFactor,
    errors: [
      ...inSession,
      'identity_not_confirmed',
      'invalid_input',
      'not_found',
      'code_rejected',
      'factor_state',
      'too_many_login_attempts',
    ],
  },
  'POST /staff/passkeys/options': {
    summary: 'Start to add a passkey',
    ...deskDefaults,
    access: 'enrolling',
    confirmed: true,
    data: CredentialOptions,
    errors: [...inSession, 'identity_not_confirmed', 'factor_state'],
  },
  'POST /staff/passkeys': {
    summary: 'Add the passkey that the browser has created',
    ...deskDefaults,
    access: 'enrolling',
    confirmed: true,
    body: body({ credential: Credential, name: FactorName }),
    data: AddedFactor,
    errors: [...inSession, 'identity_not_confirmed', 'invalid_input', 'passkey_rejected', 'factor_state'],
  },
  'PUT /staff/factors/{id}': {
    summary: 'Rename a passkey or an authenticator app',
    ...deskDefaults,
    access: staffRoles,
    params: IdParam,
    body: body({ name: FactorName }),
    data: Factor,
    errors: [...inSession, 'factor_required', 'invalid_input', 'not_found'],
  },
  'DELETE /staff/factors/{id}': {
    summary: 'Remove a passkey or an authenticator app, but not the last one where one is required',
    ...deskDefaults,
    access: staffRoles,
    confirmed: true,
    params: IdParam,
    errors: [...inSession, 'factor_required', 'identity_not_confirmed', 'not_found', 'last_factor'],
  },
  'POST /staff/recovery-codes': {
    summary: 'Replace the caller’s recovery codes',
    ...deskDefaults,
    access: staffRoles,
    confirmed: true,
    data: Type.Object({ recovery_codes: Type.Array(Type.String()) }),
    errors: [...inSession, 'factor_required', 'identity_not_confirmed', 'factor_state'],
  },
} as const satisfies Record<string, StaffCallDefinition>;

const byAdmins = [
  ...inSession,
  'factor_required',
  'role_not_permitted',
  'identity_not_confirmed',
  'not_found',
] as const;
const admins = ['admin'] as const;

/** The calls with which admins manage staff. */
const administrationCalls = {
  'GET /staff/members': {
    summary: 'List all staff members',
    ...deskDefaults,
    access: admins,
    data: Type.Array(ListedStaffMember),
    errors: ['unauthenticated', 'factor_required', 'role_not_permitted'],
  },
  'POST /staff/members': {
    summary: 'Invite a staff member by email',
    ...deskDefaults,
    access: admins,
    confirmed: true,
    body: body({ email: Email, role: OneOf(staffRoles), name: Type.Optional(Name) }),
    data: StaffMember,
    errors: [...byAdmins, 'invalid_input', 'staff_exists', 'too_many_requests'],
  },
  'POST /staff/members/{id}/invitation': {
    summary: 'Send the invitation again; the earlier link stops working',
    ...deskDefaults,
    access: admins,
    confirmed: true,
    params: IdParam,
    errors: [...byAdmins, 'staff_state', 'too_many_requests'],
  },
  'PUT /staff/members/{id}/role': {
    summary: 'Change a role; ends the member’s sessions',
    ...deskDefaults,
    access: admins,
    confirmed: true,
    params: IdParam,
    body: body({ role: OneOf(staffRoles) }),
    data: StaffMember,
    errors: [...byAdmins, 'invalid_input', 'last_admin'],
  },
  'POST /staff/members/{id}/disable': {
    summary: 'Disable a member or withdraw their invitation; ends their sessions',
    ...deskDefaults,
    access: admins,
    confirmed: true,
    params: IdParam,
    data: StaffMember,
    errors: [...byAdmins, 'last_admin'],
  },
  'POST /staff/members/{id}/enable': {
    summary: 'Enable a disabled member; invites them if they had not accepted their invitation',
    ...deskDefaults,
    access: admins,
    confirmed: true,
    params: IdParam,
    data: StaffMember,
    errors: [...byAdmins, 'too_many_requests'],
  },
  'POST /staff/members/{id}/reset-factors': {
    summary: 'Remove a member’s password and second factors, end their sessions, and invite them again',
    ...deskDefaults,
    access: admins,
    confirmed: true,
    params: IdParam,
    data: StaffMember,
    errors: [...byAdmins, 'staff_state', 'last_admin', 'too_many_requests'],
  },
  'GET /staff/members/{id}/sessions': {
    summary: 'List the open sessions of a member',
    ...deskDefaults,
    access: admins,
    params: IdParam,
    data: Type.Array(StaffSession),
    errors: ['unauthenticated', 'factor_required', 'role_not_permitted', 'not_found'],
  },
  'DELETE /staff/members/{id}/sessions': {
    summary: 'End all sessions of a member',
    ...deskDefaults,
    access: admins,
    confirmed: true,
    params: IdParam,
    errors: [...byAdmins],
  },
} as const satisfies Record<string, StaffCallDefinition>;

/** The calls about sign-in, the caller and staff members. */
export const memberCalls = {
  ...signInCalls,
  ...ownCalls,
  ...administrationCalls,
} as const satisfies Record<string, StaffCallDefinition>;

import type { MemberCallKey, StaffSignIn } from '@keyturn/contract/staff';
import type { StaffHandlers, StaffRequest } from '../../http/staff/staff-handlers.ts';
import { staffInvitationLanes } from '../../people/credentials/attempt-lanes.ts';
import {
  activateAuthenticator,
  startAuthenticator,
} from '../../people/credentials/factors/authenticators.ts';
import { challengeLifetime } from '../../people/credentials/factors/challenges.ts';
import { confirmWithCode } from '../../people/credentials/factors/confirm-identity.ts';
import {
  listFactors,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
} from '../../people/credentials/factors/factors.ts';
import {
  addPasskey,
  confirmWithPasskey,
  startPasskey,
  startPasskeyConfirmation,
  startPasskeySignIn,
} from '../../people/credentials/factors/passkeys.ts';
import { deviceLifetime } from '../../people/credentials/known-devices.ts';
import { checkLink, limitSending, useLink } from '../../people/credentials/limit-links.ts';
import { acceptInvitation, findInvited } from '../../people/staff/accounts/accept-invitation.ts';
import {
  changeStaffRole,
  disableStaff,
  enableStaff,
  endStaffSessions,
  inviteStaff,
  inviteStaffAgain,
  type ManagedBy,
  resetStaffFactors,
} from '../../people/staff/accounts/manage-staff.ts';
import { findStaff, listStaff, toStaffMember } from '../../people/staff/accounts/staff-store.ts';
import { listStaffSessions } from '../../people/staff/sign-in/list-sessions.ts';
import {
  changeOwnPassword,
  endOwnSessions,
  endOwnStaffSession,
  signOutStaff,
} from '../../people/staff/sign-in/own-sessions.ts';
import { signInStaffWithPasskey } from '../../people/staff/sign-in/sign-in-with-passkey.ts';
import {
  staffCsrfTokenOf,
  staffIdleAfter,
  staffSessionLength,
} from '../../people/staff/sign-in/staff-sessions.ts';
import { type StaffSignedIn, signInWithPassword } from '../../people/staff/sign-in/staff-sign-in.ts';
import type { StaffDependencies } from '../../people/staff/staff-dependencies.ts';
import { byStaff } from '../../platform/audit/record-audit.ts';
import { confirmationLifetime } from '../../platform/credentials/assert-recent.ts';
import type { SignedInStaff } from '../../platform/credentials/signed-in-staff.ts';
import { DomainError } from '../../platform/domain-error.ts';

type SignInCalls =
  | 'POST /staff/invitation/check'
  | 'POST /staff/invitation/accept'
  | 'POST /staff/login'
  | 'POST /staff/passkey/options'
  | 'POST /staff/passkey/login';
type AdministrationCalls = Extract<MemberCallKey, `${string} /staff/members${string}`>;
type OwnCalls = Exclude<MemberCallKey, SignInCalls | AdministrationCalls>;

/** Returns the handlers of the calls about sign-in, the caller and staff members. */
export const memberHandlers = (dependencies: StaffDependencies): StaffHandlers<MemberCallKey> => ({
  ...signInHandlers(dependencies),
  ...ownHandlers(dependencies),
  ...administrationHandlers(dependencies),
});

function signInHandlers(dependencies: StaffDependencies): StaffHandlers<SignInCalls> {
  const { throttle } = dependencies;
  return {
    'POST /staff/invitation/check': async ({ body, address }) => {
      const link = { accountKind: 'staff', token: body.token, address } as const;
      const member = await checkLink(throttle, link, () => findInvited(dependencies, body.token));
      return { is_open: member !== null, email: member?.email ?? null, name: member?.name ?? null };
    },
    'POST /staff/invitation/accept': async (request) => {
      const link = { accountKind: 'staff', token: request.body.token, address: request.address } as const;
      const signedIn = await useLink(throttle, link, () =>
        acceptInvitation(dependencies, request.body, originOf(request)),
      );
      return answerSignIn(dependencies, signedIn, request);
    },
    'POST /staff/login': async (request) => {
      const { email, password, code } = request.body;
      request.about({ email });
      const credentials = { email, password, code };
      return answerSignIn(
        dependencies,
        await signInWithPassword(dependencies, credentials, originOf(request)),
        request,
      );
    },
    'POST /staff/passkey/options': async ({ origin, challenge }) => {
      const { options, browser } = await startPasskeySignIn(dependencies, origin);
      challenge.set(browser, challengeLifetime);
      return { options };
    },
    'POST /staff/passkey/login': async (request) => {
      const { challenge, origin, body } = request;
      const sent = { credential: body.credential, browser: challenge.value, origin };
      const signedIn = await signInStaffWithPasskey(dependencies, sent, originOf(request));
      challenge.clear();
      return answerSignIn(dependencies, signedIn, request);
    },
  };
}

function ownHandlers(dependencies: StaffDependencies): StaffHandlers<OwnCalls> {
  const { database } = dependencies;
  return {
    'GET /staff/session': ({ session, staff }) => readSignIn(session.value ?? '', staff),
    'POST /staff/logout': async (request) => {
      await signOutStaff(dependencies, ownerOf(request));
      request.session.clear();
      return undefined;
    },
    'POST /staff/session/confirm': async (request) => {
      const { code, password } = request.body;
      if ((code === undefined) === (password === undefined))
        throw new DomainError('invalid_input', { errors: { code: ['give either a code or a password'] } });
      await confirmWithCode(dependencies, ownerOf(request), { code, password });
      return readSignInAgain(dependencies, request);
    },
    'POST /staff/session/confirm/options': async (request) => ({
      options: await startPasskeyConfirmation(dependencies, ownerOf(request), request.origin),
    }),
    'POST /staff/session/confirm/passkey': async (request) => {
      const { credential } = request.body;
      await confirmWithPasskey(dependencies, ownerOf(request), { credential, origin: request.origin });
      return readSignInAgain(dependencies, request);
    },
    'GET /staff/sessions': ({ staff }) => listStaffSessions(dependencies, staff.id, staff.sessionId),
    'DELETE /staff/sessions': async (request) => {
      await endOwnSessions(dependencies, ownerOf(request));
      request.session.clear();
      return undefined;
    },
    'DELETE /staff/sessions/{id}': async (request) => {
      await endOwnStaffSession(dependencies, ownerOf(request), request.params.id);
      return undefined;
    },
    'PUT /staff/password': async (request) => {
      await changeOwnPassword(dependencies, ownerOf(request), request.body.password);
      return undefined;
    },
    'GET /staff/factors': ({ staff }) => listFactors(database, dependencies.factorRules.tables, staff.id),
    'POST /staff/authenticators': (request) => startAuthenticator(dependencies, ownerOf(request)),
    'POST /staff/authenticators/{id}/activate': (request) =>
      activateAuthenticator(dependencies, ownerOf(request), { ...request.params, ...request.body }),
    'POST /staff/passkeys/options': async (request) => ({
      options: await startPasskey(dependencies, ownerOf(request), request.origin),
    }),
    'POST /staff/passkeys': (request) =>
      addPasskey(dependencies, ownerOf(request), { ...request.body, origin: request.origin }),
    'PUT /staff/factors/{id}': (request) =>
      renameFactor(dependencies, ownerOf(request), { ...request.params, ...request.body }),
    'DELETE /staff/factors/{id}': async (request) => {
      await removeFactor(dependencies, ownerOf(request), request.params.id);
      return undefined;
    },
    'POST /staff/recovery-codes': async (request) => ({
      recovery_codes: await renewRecoveryCodes(dependencies, ownerOf(request)),
    }),
  };
}

function administrationHandlers(dependencies: StaffDependencies): StaffHandlers<AdministrationCalls> {
  const { database, clock, throttle } = dependencies;
  const limitInvitation = <Result>(
    { staff }: SignedInRequest,
    email: string,
    invite: () => Promise<Result>,
  ) => limitSending(throttle, staffInvitationLanes(email, staff.id), invite);
  /** The same for a member who has not accepted an invitation: resetting any other is never refused. */
  async function limitInvitationOf<Result>(
    request: SignedInRequest & { params: { id: string } },
    invite: () => Promise<Result>,
  ): Promise<Result> {
    const member = await findStaff(database, request.params.id);
    return member?.acceptedAt === null ? limitInvitation(request, member.email, invite) : invite();
  }
  return {
    'GET /staff/members': () => listStaff(database, clock()),
    'POST /staff/members': async (request) => {
      const { email, role, name = null } = request.body;
      const invited = limitInvitation(request, email, () =>
        inviteStaff(dependencies, { email, role, name }, byCaller(request)),
      );
      return toStaffMember(await invited);
    },
    'POST /staff/members/{id}/invitation': async (request) => {
      await limitInvitationOf(request, () =>
        inviteStaffAgain(dependencies, request.params.id, byCaller(request)),
      );
      return undefined;
    },
    'PUT /staff/members/{id}/role': async (request) => {
      const change = { id: request.params.id, role: request.body.role };
      return toStaffMember(await changeStaffRole(dependencies, change, byCaller(request)));
    },
    'POST /staff/members/{id}/disable': async (request) =>
      toStaffMember(await disableStaff(dependencies, request.params.id, byCaller(request))),
    'POST /staff/members/{id}/enable': async (request) => {
      const enabled = limitInvitationOf(request, () =>
        enableStaff(dependencies, request.params.id, byCaller(request)),
      );
      return toStaffMember(await enabled);
    },
    'POST /staff/members/{id}/reset-factors': async (request) => {
      const reset = limitInvitationOf(request, () =>
        resetStaffFactors(dependencies, request.params.id, byCaller(request)),
      );
      return toStaffMember(await reset);
    },
    'GET /staff/members/{id}/sessions': async ({ params, staff }) => {
      const member = await findStaff(database, params.id);
      if (!member) throw new DomainError('not_found');
      return listStaffSessions(dependencies, member.id, staff.sessionId);
    },
    'DELETE /staff/members/{id}/sessions': async (request) => {
      await endStaffSessions(dependencies, request.params.id, byCaller(request));
      return undefined;
    },
  };
}

type SignedInRequest = Pick<StaffRequest<OwnCalls>, 'address'> & { staff: SignedInStaff };

const ownerOf = ({ staff: { id, email, name, sessionHash }, address }: SignedInRequest) => ({
  id,
  email,
  name,
  sessionHash,
  address,
});

const byCaller = (request: SignedInRequest): ManagedBy => ({
  ...byStaff(request),
  mayRemoveLastAdmin: false,
});

type AnyRequest = Pick<StaffRequest<MemberCallKey>, 'address' | 'userAgent' | 'device' | 'session' | 'about'>;

const originOf = ({ address, userAgent, device }: AnyRequest) => ({
  address,
  userAgent,
  device: device.token,
});

/** Sets the cookies of a new session, and answers with it. */
async function answerSignIn(
  { sessions }: StaffDependencies,
  { staffId, token, device }: StaffSignedIn,
  request: AnyRequest,
): Promise<StaffSignIn> {
  request.about({ staff: staffId });
  const member = await sessions.authenticate(token, { touch: false });
  // An admin has disabled the member meanwhile.
  if (!member) throw new DomainError('unauthenticated');
  request.session.set(token, staffSessionLength);
  request.device.remember(device, deviceLifetime);
  return readSignIn(token, member);
}

async function readSignInAgain(
  { sessions }: StaffDependencies,
  { session }: Pick<AnyRequest, 'session'>,
): Promise<StaffSignIn> {
  const token = session.value ?? '';
  const member = await sessions.authenticate(token, { touch: false });
  if (!member) throw new DomainError('unauthenticated');
  return readSignIn(token, member);
}

const readSignIn = async (token: string, member: SignedInStaff): Promise<StaffSignIn> => ({
  member: toStaffMember({ ...member, state: 'active' }),
  csrf_token: staffCsrfTokenOf(token),
  expires_at: member.expiresAt.toISOString(),
  idle_after: staffIdleAfter,
  must_add_factor: member.mustAddFactor,
  confirmed_until: new Date(member.confirmedAt.getTime() + confirmationLifetime * 1_000).toISOString(),
});

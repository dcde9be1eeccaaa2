import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { reportedRun, signInLanes } from '../../credentials/attempt-lanes.ts';
import { checkCredentials } from '../../credentials/check-credentials.ts';
import { recordOwnAudit } from '../../record-own-audit.ts';
import { queueStaffNotice } from '../accounts/staff-mail.ts';
import { findStaffByEmail, lockStaff, type StaffRow } from '../accounts/staff-store.ts';
import type { StaffDependencies } from '../staff-dependencies.ts';

/** The browser of a sign-in. */
export interface SignInOrigin {
  /** IP address. */
  address: string;
  userAgent: string | null;
  /** The token of the device’s cookie; null without one. */
  device: string | null;
}

export interface StaffSignedIn {
  staffId: string;
  /** The token of the session. */
  token: string;
  /** The token that makes the device known. */
  device: string;
}

export interface StaffCredentials {
  email: string;
  password: string;
  /** A code of an authenticator app, or a recovery code. */
  code: string | undefined;
}

/**
 * Signs a member in with password and code. An unknown email, a wrong password and a wrong code cannot be distinguished.
 * @throws DomainError `invalid_credentials`, `too_many_login_attempts`, `factor_required`
 */
export async function signInWithPassword(
  dependencies: StaffDependencies,
  credentials: StaffCredentials,
  from: SignInOrigin,
): Promise<StaffSignedIn> {
  const { throttle, alertOperator } = dependencies;
  const email = credentials.email.trim().toLowerCase();
  const isKnown = await dependencies.devices.isKnown(from.device, email);
  const attempt = await throttle.admit(signInLanes('staff', email, { ...from, isKnown }));
  const starting = startIfCorrect(dependencies, { ...credentials, email, isKnown }, from);
  const signedIn = await attempt.withdrawnIfFails(starting);
  if (signedIn) {
    await attempt.succeeded();
    return signedIn;
  }
  const { email: forEmail, device: onDevice } = attempt.failed();
  if (forEmail === reportedRun.email || onDevice === reportedRun.device) {
    alertOperator('many wrong passwords or codes for a staff sign-in', { address: from.address });
  }
  throw new DomainError('invalid_credentials', {
    message: 'These details do not match our records. Check your email address, password and code.',
  });
}

/** @returns null if anything is wrong @throws DomainError `factor_required` */
async function startIfCorrect(
  dependencies: StaffDependencies,
  { email, password, code, isKnown }: StaffCredentials & { isKnown: boolean },
  from: SignInOrigin,
): Promise<StaffSignedIn | null> {
  const { database, clock, requiresSecondFactor, factorRules } = dependencies;
  const member = await findStaffByEmail(database, email);
  const checked = await checkCredentials(dependencies, member, { password, code });
  const { passwordHash, hasFactor, matched } = checked;
  if (passwordHash === null || member?.state !== 'active') return null;
  if (hasFactor && !matched) return null;
  if (!hasFactor && requiresSecondFactor) {
    throw new DomainError('factor_required', {
      message:
        'Your sign-in was never set up completely. Ask an admin to reset it, and use the link they send.',
    });
  }
  return runTransaction(database, async (transaction) => {
    // Always locked first, because another order could deadlock with a reset.
    await lockStaff(transaction, member.id);
    if (matched && !(await matched.accept(transaction))) return null;
    if (matched?.kind === 'recovery_code')
      await factorRules.onRecoveryCodeUsed(transaction, { ...member, address: from.address }, clock());
    const method = matched ? `password and ${matched.kind}` : 'password';
    return startSignIn(dependencies, transaction, {
      member,
      passwordHash,
      method,
      from,
      isKnown,
    });
  });
}

/**
 * Starts a session for a member who has proved who they are, and emails them about a new device.
 * @returns null if the member is no longer active, or the password has changed
 */
export async function startSignIn(
  { sessions, devices, clock }: StaffDependencies,
  transaction: Transaction,
  {
    member,
    passwordHash,
    method,
    from,
    isKnown,
  }: {
    member: StaffRow;
    passwordHash: string | null;
    method: string;
    from: SignInOrigin;
    /** Whether the member has signed in on the device before. */
    isKnown: boolean;
  },
): Promise<StaffSignedIn | null> {
  const { address, userAgent } = from;
  const token = await sessions.start(transaction, { staffId: member.id, passwordHash, address, userAgent });
  if (token === null) return null;
  const device = await devices.remember(from.device, member.id, transaction);
  if (!isKnown && method !== 'invitation')
    await queueStaffNotice(transaction, member.id, { kind: 'new_device' });
  const after = { method, new_device: !isKnown };
  await recordOwnAudit(transaction, 'staff.signed_in', { ...member, address, now: clock() }, { after });
  return { staffId: member.id, token, device };
}

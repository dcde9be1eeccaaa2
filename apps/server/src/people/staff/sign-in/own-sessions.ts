import { and, eq } from 'drizzle-orm';
import { DomainError } from '../../../platform/domain-error.ts';
import { isId } from '../../../platform/ids.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { staff, staffSessions } from '../../../schema/tables/staff-tables.ts';
import { endSessions, endSessionsOf } from '../../credentials/account-sessions.ts';
import { assertNewPassword } from '../../credentials/check-new-password.ts';
import { type OwnAction, recordOwnAudit } from '../../record-own-audit.ts';
import { queueStaffNotice } from '../accounts/staff-mail.ts';
import type { StaffDependencies } from '../staff-dependencies.ts';
import { type CallingMember, lockCallingMember } from './calling-member.ts';

type Ending = Pick<StaffDependencies, 'database' | 'clock'>;

/** Ends the session that made the call. */
export const signOutStaff = (dependencies: Ending, member: CallingMember): Promise<void> =>
  endOwn(dependencies, member, { action: 'staff.signed_out', sessionHash: member.sessionHash });

/** Ends one session of the member. @throws DomainError `not_found`, including for another member’s */
export async function endOwnStaffSession(
  dependencies: Ending,
  member: CallingMember,
  id: string,
): Promise<void> {
  const [session] = isId(id)
    ? await dependencies.database
        .select({ tokenHash: staffSessions.tokenHash })
        .from(staffSessions)
        .where(and(eq(staffSessions.id, id), eq(staffSessions.ownerId, member.id)))
    : [];
  if (!session) throw new DomainError('not_found');
  await endOwn(dependencies, member, { action: 'staff.session_ended', sessionHash: session.tokenHash });
}

/** Ends all sessions of the member, including the one that made the call. */
export async function endOwnSessions({ database, clock }: Ending, member: CallingMember): Promise<void> {
  await runTransaction(database, async (transaction) => {
    const now = clock();
    const sessions = await endSessionsOf(transaction, staffSessions, { ownerId: member.id, now });
    await recordOwnAudit(transaction, 'staff.sessions_ended', { ...member, now }, { after: { sessions } });
  });
}

/** Sets a new password, and ends the member’s other sessions. @throws DomainError `invalid_input`, `too_many_requests` */
export async function changeOwnPassword(
  dependencies: StaffDependencies,
  member: CallingMember,
  password: string,
): Promise<void> {
  const { database, clock, passwords, devices } = dependencies;
  await assertNewPassword(dependencies, password, {
    id: member.id,
    accountKind: 'staff',
    hasSecondFactor: true,
    personal: [member.email, member.name ?? ''],
  });
  const passwordHash = await passwords.hash(password);
  await runTransaction(database, async (transaction) => {
    const now = clock();
    await lockCallingMember(transaction, member, now);
    await transaction.update(staff).set({ passwordHash, updatedAt: now }).where(eq(staff.id, member.id));
    await endSessionsOf(transaction, staffSessions, {
      ownerId: member.id,
      now,
      except: member.sessionHash,
    });
    await devices.forgetDevicesOf(member.id, transaction);
    await queueStaffNotice(transaction, member.id, { kind: 'password_changed' });
    await recordOwnAudit(transaction, 'staff.password_changed', { ...member, now });
  });
}

async function endOwn(
  { database, clock }: Ending,
  member: CallingMember,
  { action, sessionHash }: { action: OwnAction; sessionHash: Buffer },
): Promise<void> {
  await runTransaction(database, async (transaction) => {
    const now = clock();
    const which = eq(staffSessions.tokenHash, sessionHash);
    const ended = await endSessions(transaction, staffSessions, { which, now });
    if (ended.length > 0) await recordOwnAudit(transaction, action, { ...member, now });
  });
}

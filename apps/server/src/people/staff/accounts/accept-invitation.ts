import { and, eq, gt, isNull } from 'drizzle-orm';
import { hashToken } from '../../../platform/credentials/hash-token.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { staffFactorTables } from '../../../schema/tables/factor-tables.ts';
import { staff, staffInvitations } from '../../../schema/tables/staff-tables.ts';
import { assertNewPassword } from '../../credentials/check-new-password.ts';
import { deleteFactors } from '../../credentials/factors/factors.ts';
import { recordOwnAudit } from '../../record-own-audit.ts';
import { type SignInOrigin, type StaffSignedIn, startSignIn } from '../sign-in/staff-sign-in.ts';
import type { StaffAdministration, StaffDependencies } from '../staff-dependencies.ts';
import { findStaff, lockStaff, type StaffRow, withdrawInvitations } from './staff-store.ts';

/** Returns the member with a valid invitation, without consuming it; null for any other token. */
export async function findInvited(
  { database, clock }: StaffAdministration,
  token: string,
): Promise<StaffRow | null> {
  const [link] = await database
    .select({ staffId: staffInvitations.staffId })
    .from(staffInvitations)
    .where(openInvitation(token, clock()));
  const member = link && (await findStaff(database, link.staffId));
  return member?.state === 'invited' ? member : null;
}

/**
 * Accepts an invitation: sets name and password, and signs the member in. Where a second factor is required, the session
 * can only add one.
 * @throws DomainError `link_expired`, `invalid_input` for the password, `too_many_requests`
 */
export async function acceptInvitation(
  dependencies: StaffDependencies,
  { token, name, password }: { token: string; name: string; password: string },
  from: SignInOrigin,
): Promise<StaffSignedIn> {
  const { database, clock, passwords, devices } = dependencies;
  const invited = await findInvited(dependencies, token);
  if (!invited) throw new DomainError('link_expired');
  await assertNewPassword(dependencies, password, {
    id: invited.id,
    accountKind: 'staff',
    hasSecondFactor: true,
    personal: [invited.email, name],
  });
  const passwordHash = await passwords.hash(password);
  return runTransaction(database, async (transaction) => {
    const now = clock();
    // Always locked before the invitation, because another order could deadlock with a reset.
    const member = await lockStaff(transaction, invited.id);
    const { rowCount } = await transaction
      .update(staffInvitations)
      .set({ usedAt: now })
      .where(openInvitation(token, now));
    if (member?.state !== 'invited' || rowCount !== 1) throw new DomainError('link_expired');
    const accepted = {
      name: name.trim(),
      state: 'active',
      passwordHash,
      acceptedAt: now,
      updatedAt: now,
    } as const;
    await transaction.update(staff).set(accepted).where(eq(staff.id, member.id));
    await withdrawInvitations(transaction, member.id, now);
    // A reset has already removed them. This ensures that no other person’s factors can be used with the new
    // password.
    await deleteFactors(transaction, staffFactorTables, member.id);
    await devices.forgetDevicesOf(member.id, transaction);
    const active = { ...member, ...accepted };
    const { address } = from;
    await recordOwnAudit(transaction, 'staff.invitation_accepted', { ...active, address, now });
    const signedIn = await startSignIn(dependencies, transaction, {
      member: active,
      passwordHash,
      method: 'invitation',
      from,
      isKnown: false,
    });
    if (!signedIn) throw new DomainError('link_expired');
    return signedIn;
  });
}

const openInvitation = (token: string, now: Date) =>
  and(
    eq(staffInvitations.tokenHash, hashToken(token)),
    isNull(staffInvitations.usedAt),
    isNull(staffInvitations.withdrawnAt),
    gt(staffInvitations.expiresAt, now),
  );

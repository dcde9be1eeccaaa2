import { eq } from 'drizzle-orm';
import { confirmationLane } from '../../../platform/credentials/attempt-lanes.ts';
import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { staffSessions } from '../../../platform/tables/staff-tables.ts';
import { queueNotice } from '../accounts/staff-mails.ts';
import { findStaff } from '../accounts/staff-store.ts';
import { matchCode } from '../factors/codes.ts';
import { activeFactors } from '../factors/factors.ts';
import { recordOwnAudit } from '../record-staff-audit.ts';
import type { StaffDependencies } from '../staff-dependencies.ts';
import { type CallingMember, lockCallingMember } from './calling-member.ts';

/**
 * Records in the session that the member proved who they are with a code; with the password only for a member without a
 * second factor.
 * @throws DomainError `code_rejected`, `too_many_login_attempts`
 */
export async function confirmWithCode(
  dependencies: StaffDependencies,
  member: CallingMember,
  { code, password }: { code?: string | undefined; password?: string | undefined },
): Promise<void> {
  const { database } = dependencies;
  await confirmIdentity(dependencies, member, async () => {
    if (code !== undefined) {
      const matched = await matchCode(dependencies, member.id, code);
      if (!matched) return null;
      return async (transaction) => {
        if (!(await matched.accept(transaction))) return null;
        if (matched.kind === 'recovery_code')
          await queueNotice(transaction, member.id, { kind: 'recovery_code_used' });
        return matched.kind;
      };
    }
    if ((await activeFactors(database, member.id)).length > 0) return null;
    const stored = await findStaff(database, member.id);
    const isCorrect = await dependencies.passwords.matches(password ?? '', stored?.passwordHash ?? null);
    return isCorrect ? async () => 'password' : null;
  });
}

/**
 * Checks a proof before the transaction, and consumes it in the transaction. Each function returns null for a wrong
 * proof.
 */
type Proof = () => Promise<((transaction: Transaction) => Promise<string | null>) | null>;

/**
 * Records in the session that the member proved who they are, if the proof is valid. Wrong proofs are limited, so that a
 * stolen session cannot guess codes.
 */
export async function confirmIdentity(
  { database, clock, throttle }: StaffDependencies,
  member: CallingMember,
  prove: Proof,
  rejected: 'code_rejected' | 'passkey_rejected' = 'code_rejected',
): Promise<void> {
  const attempt = await throttle.admit(confirmationLane(member.id));
  let isConfirmed: boolean;
  try {
    const accept = await prove();
    isConfirmed =
      accept !== null &&
      (await database.transaction(async (transaction) => {
        const now = clock();
        await lockCallingMember(transaction, member, now);
        const method = await accept(transaction);
        if (method === null) return false;
        await transaction
          .update(staffSessions)
          .set({ confirmedAt: now })
          .where(eq(staffSessions.tokenHash, member.sessionHash));
        await recordOwnAudit(transaction, 'staff.identity_confirmed', member, { now, after: { method } });
        return true;
      }));
  } catch (error) {
    await attempt.withdrawn();
    throw error;
  }
  if (isConfirmed) return attempt.succeeded();
  attempt.failed();
  throw new DomainError(rejected);
}

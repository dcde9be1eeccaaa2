import { eq } from 'drizzle-orm';
import { DomainError } from '../../../platform/domain-error.ts';
import { staffFactorTables } from '../../../schema/tables/factor-tables.ts';
import { staffSessions } from '../../../schema/tables/staff-tables.ts';
import type { FactorRules } from '../../credentials/factors/factor-rules.ts';
import { queueStaffNotice } from '../accounts/staff-mail.ts';
import { findStaff } from '../accounts/staff-store.ts';
import { lockCallingMember } from '../sign-in/calling-member.ts';

/**
 * What is particular to the second factors of staff.
 * @param requiresSecondFactor whether every member needs a passkey or an authenticator app
 */
export const staffFactorRules = ({
  requiresSecondFactor,
}: {
  requiresSecondFactor: boolean;
}): FactorRules => ({
  accountKind: 'staff',
  tables: staffFactorTables,
  sessions: staffSessions,
  lockOwner: lockCallingMember,
  readPasswordHash: async (connection, staffId) =>
    (await findStaff(connection, staffId))?.passwordHash ?? null,
  assertCanRemoveLast: async () => {
    if (requiresSecondFactor) throw new DomainError('last_factor');
  },
  notify: queueStaffNotice,
  onRecoveryCodeUsed: (transaction, { id }) =>
    queueStaffNotice(transaction, id, { kind: 'recovery_code_used' }),
  recordConfirmation: async (transaction, { sessionHash }, _method, now) => {
    await transaction
      .update(staffSessions)
      .set({ confirmedAt: now })
      .where(eq(staffSessions.tokenHash, sessionHash));
  },
  onSessionStolen: async () => {},
});

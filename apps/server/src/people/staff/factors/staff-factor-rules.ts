import { eq } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { staffFactorTables } from '../../../schema/tables/factor-tables.ts';
import { staffSessions } from '../../../schema/tables/staff-tables.ts';
import type { FactorChange, FactorOwner, FactorRules } from '../../credentials/factors/factor-rules.ts';
import { queueNotice } from '../accounts/staff-mails.ts';
import { findStaff } from '../accounts/staff-store.ts';
import { recordOwnAudit } from '../record-staff-audit.ts';
import { lockCallingMember } from '../sign-in/calling-member.ts';
import { endSessions, endSessionsOf } from '../sign-in/end-sessions.ts';

/** @param requiresSecondFactor whether every member needs a passkey or an authenticator app */
export const staffFactorRules = ({
  requiresSecondFactor,
}: {
  requiresSecondFactor: boolean;
}): FactorRules => ({
  accountKind: 'staff',
  tables: staffFactorTables,
  lockOwner: lockCallingMember,
  readPasswordHash: async (connection, staffId) =>
    (await findStaff(connection, staffId))?.passwordHash ?? null,
  assertCanRemoveLast: async () => {
    if (requiresSecondFactor) throw new DomainError('last_factor');
  },
  onChange: recordChange,
});

async function recordChange(
  transaction: Transaction,
  owner: FactorOwner,
  change: FactorChange,
  now: Date,
): Promise<void> {
  switch (change.kind) {
    case 'factor_added': {
      const { id, kind } = change.factor;
      await queueNotice(transaction, owner.id, { kind: change.kind, factor: kind });
      return recordOwnAudit(transaction, 'staff.factor_added', owner, { now, after: { factor: id, kind } });
    }
    case 'factor_renamed':
      return recordOwnAudit(transaction, 'staff.factor_renamed', owner, {
        now,
        after: { factor: change.factor.id },
      });
    case 'factor_removed': {
      const { id, kind } = change.factor;
      // The factor may have been a thief's.
      await endSessionsOf(transaction, owner.id, now, { except: owner.sessionHash });
      await queueNotice(transaction, owner.id, { kind: change.kind, factor: kind });
      return recordOwnAudit(transaction, 'staff.factor_removed', owner, {
        now,
        before: { factor: id, kind },
      });
    }
    case 'recovery_codes_replaced':
      await queueNotice(transaction, owner.id, change);
      return recordOwnAudit(transaction, 'staff.recovery_codes_replaced', owner, { now });
    case 'recovery_code_used':
      return queueNotice(transaction, owner.id, change);
    case 'identity_confirmed': {
      const { method } = change;
      await transaction
        .update(staffSessions)
        .set({ confirmedAt: now })
        .where(eq(staffSessions.tokenHash, owner.sessionHash));
      return recordOwnAudit(transaction, 'staff.identity_confirmed', owner, { now, after: { method } });
    }
    case 'proof_rejected': {
      const { failures, endsSession } = change;
      if (endsSession) await endSessions(transaction, eq(staffSessions.tokenHash, owner.sessionHash), now);
      return recordOwnAudit(transaction, 'staff.identity_rejected', owner, { now, after: { failures } });
    }
  }
}

import type { AuditAction, AuditActor, AuditValues } from '../../platform/audit/audit-entry.ts';
import { recordAudit, staffActor } from '../../platform/audit/record-audit.ts';
import type { Transaction } from '../../platform/database.ts';

interface StaffChange {
  now: Date;
  before?: AuditValues;
  after?: AuditValues;
}

/** Adds an entry about a staff member to the audit log. */
export const recordStaffAudit = (
  transaction: Transaction,
  action: AuditAction,
  staffId: string,
  { by, now, ...values }: StaffChange & { by: { actor: AuditActor; address: string | null } },
): Promise<void> =>
  recordAudit(transaction, {
    occurredAt: now,
    actor: by.actor,
    action,
    subject: { kind: 'staff', id: staffId },
    address: by.address,
    ...values,
  });

/** Adds an entry about what a member did with their own account. */
export const recordOwnAudit = (
  transaction: Transaction,
  action: AuditAction,
  member: { id: string; email: string; name: string | null; address: string },
  change: StaffChange,
): Promise<void> =>
  recordStaffAudit(transaction, action, member.id, {
    by: { actor: staffActor(member), address: member.address },
    ...change,
  });

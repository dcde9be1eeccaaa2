import type { StaffRole } from '@keyturn/contract/staff';
import { eq } from 'drizzle-orm';
import type { AuditAction, AuditActor, AuditValues } from '../../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../../platform/audit/record-audit.ts';
import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { staffFactorTables } from '../../../schema/tables/factor-tables.ts';
import { staff, staffSessions } from '../../../schema/tables/staff-tables.ts';
import { endSessionsOf } from '../../credentials/account-sessions.ts';
import { deleteFactors } from '../../credentials/factors/factors.ts';
import type { StaffAdministration } from '../staff-dependencies.ts';
import { queueInvitation } from './staff-mail.ts';
import {
  findStaffByEmail,
  lockActiveAdmins,
  lockStaff,
  type StaffRow,
  withdrawInvitations,
} from './staff-store.ts';

/** The operator or admin who manages staff, and what they may do. */
export interface ManagedBy {
  actor: AuditActor;
  /** IP address of the caller; null on the command line. */
  address: string | null;
  /** Whether the last active admin may be removed, as on the command line, which can invite another one. */
  mayRemoveLastAdmin: boolean;
}

/**
 * Invites a staff member by email. An invitation that was not accepted is sent again, with the new role.
 * @throws DomainError `staff_exists` for a member who has accepted, or is disabled
 */
export async function inviteStaff(
  { database, clock }: StaffAdministration,
  { email, role, name }: { email: string; role: StaffRole; name: string | null },
  by: ManagedBy,
): Promise<StaffRow> {
  const now = clock();
  return runTransaction(database, async (transaction) => {
    const [created] = await transaction
      .insert(staff)
      .values({
        id: newId(),
        email: email.trim(),
        name,
        role,
        state: 'invited',
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing()
      .returning();
    const existing = created ?? (await findStaffByEmail(transaction, email));
    const member = existing && (await lockStaff(transaction, existing.id));
    if (member?.state !== 'invited') throw new DomainError('staff_exists');
    if (!created) {
      await transaction
        .update(staff)
        .set({ role, name: name ?? member.name, updatedAt: now })
        .where(eq(staff.id, member.id));
    }
    await queueInvitation(transaction, member.id);
    const action = created ? 'staff.invited' : 'staff.invitation_resent';
    await recordStaffAudit(transaction, action, member.id, { by, now, after: { role } });
    return { ...member, role, name: name ?? member.name };
  });
}

/** Sends an invitation again. @throws DomainError `not_found`, `staff_state` */
export async function inviteStaffAgain(
  { database, clock }: StaffAdministration,
  id: string,
  by: ManagedBy,
): Promise<void> {
  await runTransaction(database, async (transaction) => {
    const member = await requireStaff(transaction, id);
    if (member.state !== 'invited') {
      throw new DomainError('staff_state', {
        message: 'Only someone who hasn’t accepted their invitation can be invited again.',
      });
    }
    await queueInvitation(transaction, id);
    await recordStaffAudit(transaction, 'staff.invitation_resent', id, { by, now: clock() });
  });
}

/** Changes a role and ends the member’s sessions. Idempotent. @throws DomainError `not_found`, `last_admin` */
export async function changeStaffRole(
  { database, clock }: StaffAdministration,
  { id, role }: { id: string; role: StaffRole },
  by: ManagedBy,
): Promise<StaffRow> {
  return runTransaction(database, async (transaction) => {
    if (role !== 'admin') await assertNotLastAdmin(transaction, id, by);
    const member = await requireStaff(transaction, id);
    if (member.role === role) return member;
    const now = clock();
    const before = { role: member.role };
    const changed = await updateStaff(transaction, member, { role, updatedAt: now });
    await endSessionsOf(transaction, staffSessions, { ownerId: id, now });
    await recordStaffAudit(transaction, 'staff.role_changed', id, { by, now, before, after: { role } });
    return changed;
  });
}

/**
 * Disables a member, or withdraws the invitation of one who has not accepted it. Their sessions end. Idempotent.
 * @throws DomainError `not_found`, `last_admin`
 */
export async function disableStaff(
  { database, clock }: StaffAdministration,
  id: string,
  by: ManagedBy,
): Promise<StaffRow> {
  return runTransaction(database, async (transaction) => {
    await assertNotLastAdmin(transaction, id, by);
    const member = await requireStaff(transaction, id);
    if (member.state === 'disabled') return member;
    const now = clock();
    const disabled = await updateStaff(transaction, member, { state: 'disabled', updatedAt: now });
    await withdrawInvitations(transaction, id, now);
    await endSessionsOf(transaction, staffSessions, { ownerId: id, now });
    await recordStaffAudit(transaction, 'staff.disabled', id, { by, now, before: { state: member.state } });
    return disabled;
  });
}

/** Enables a disabled member, and invites one who had not accepted yet. Idempotent. @throws DomainError `not_found` */
export async function enableStaff(
  { database, clock }: StaffAdministration,
  id: string,
  by: ManagedBy,
): Promise<StaffRow> {
  return runTransaction(database, async (transaction) => {
    const member = await requireStaff(transaction, id);
    if (member.state !== 'disabled') return member;
    const now = clock();
    const state = member.acceptedAt ? 'active' : 'invited';
    const enabled = await updateStaff(transaction, member, { state, updatedAt: now });
    if (state === 'invited') await queueInvitation(transaction, id);
    await recordStaffAudit(transaction, 'staff.enabled', id, { by, now, after: { state } });
    return enabled;
  });
}

/**
 * Removes a member’s password and second factors, ends their sessions and invites them again: for a member who has lost
 * their devices or forgotten their password.
 * @throws DomainError `not_found`, `staff_state` for a disabled member, `last_admin`
 */
export async function resetStaffFactors(
  { database, clock }: StaffAdministration,
  id: string,
  by: ManagedBy,
): Promise<StaffRow> {
  return runTransaction(database, async (transaction) => {
    await assertNotLastAdmin(transaction, id, by);
    const member = await requireStaff(transaction, id);
    if (member.state === 'disabled')
      throw new DomainError('staff_state', { message: 'Enable this staff member first.' });
    const now = clock();
    const reset = await updateStaff(transaction, member, {
      state: 'invited',
      passwordHash: null,
      acceptedAt: null,
      updatedAt: now,
    });
    await deleteFactors(transaction, staffFactorTables, id);
    await withdrawInvitations(transaction, id, now);
    await endSessionsOf(transaction, staffSessions, { ownerId: id, now });
    await queueInvitation(transaction, id);
    await recordStaffAudit(transaction, 'staff.factors_reset', id, { by, now });
    return reset;
  });
}

/** Ends all sessions of a member. @throws DomainError `not_found` */
export async function endStaffSessions(
  { database, clock }: StaffAdministration,
  id: string,
  by: ManagedBy,
): Promise<number> {
  return runTransaction(database, async (transaction) => {
    await requireStaff(transaction, id);
    const now = clock();
    const ended = await endSessionsOf(transaction, staffSessions, { ownerId: id, now });
    await recordStaffAudit(transaction, 'staff.sessions_ended', id, { by, now, after: { sessions: ended } });
    return ended;
  });
}

async function assertNotLastAdmin(transaction: Transaction, id: string, { mayRemoveLastAdmin }: ManagedBy) {
  const admins = await lockActiveAdmins(transaction);
  if (!mayRemoveLastAdmin && admins.length === 1 && admins[0] === id) throw new DomainError('last_admin');
}

async function requireStaff(transaction: Transaction, id: string): Promise<StaffRow> {
  const member = await lockStaff(transaction, id);
  if (!member) throw new DomainError('not_found');
  return member;
}

async function updateStaff(
  transaction: Transaction,
  member: StaffRow,
  change: Partial<StaffRow>,
): Promise<StaffRow> {
  await transaction.update(staff).set(change).where(eq(staff.id, member.id));
  return { ...member, ...change };
}

/** Adds an entry about a member to the audit log. */
const recordStaffAudit = (
  transaction: Transaction,
  action: AuditAction,
  staffId: string,
  { by, now, ...values }: { by: ManagedBy; now: Date; before?: AuditValues; after?: AuditValues },
): Promise<void> =>
  recordAudit(transaction, {
    occurredAt: now,
    actor: by.actor,
    action,
    subject: { kind: 'staff', id: staffId },
    address: by.address,
    ...values,
  });

import type { ListedStaffMember, StaffMember } from '@keyturn/contract/staff';
import { and, asc, count, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { isId } from '../../../platform/ids.ts';
import { staffFactorTables } from '../../../schema/tables/factor-tables.ts';
import { staff, staffInvitations, staffSessions } from '../../../schema/tables/staff-tables.ts';

const { factors: staffFactors } = staffFactorTables;

export type StaffRow = typeof staff.$inferSelect;

/** @param email in any case */
export async function findStaffByEmail(connection: Connection, email: string): Promise<StaffRow | undefined> {
  const address = email.trim().toLowerCase();
  // PostgreSQL cannot store either, so no member has such an email.
  if (address.includes('\0') || !address.isWellFormed()) return undefined;
  const [member] = await connection.select().from(staff).where(sql`lower(${staff.email}) = ${address}`);
  return member;
}

/** Finds a member; undefined also for text that is not an id. */
export async function findStaff(connection: Connection, id: string): Promise<StaffRow | undefined> {
  const [member] = isId(id) ? await connection.select().from(staff).where(eq(staff.id, id)) : [];
  return member;
}

/** Locks a member until the transaction ends: sign-ins wait, and see the change. */
export async function lockStaff(transaction: Transaction, id: string): Promise<StaffRow | undefined> {
  const [member] = isId(id)
    ? await transaction.select().from(staff).where(eq(staff.id, id)).for('update')
    : [];
  return member;
}

/**
 * Locks all active admins, in the same order everywhere. Otherwise two admins who demote each other concurrently
 * would leave none.
 */
export async function lockActiveAdmins(transaction: Transaction): Promise<string[]> {
  const admins = await transaction
    .select({ id: staff.id })
    .from(staff)
    .where(sql`${staff.role} = 'admin' and ${staff.state} = 'active'`)
    .orderBy(asc(staff.id))
    .for('update');
  return admins.map(({ id }) => id);
}

/**
 * Withdraws the invitations of a member that were not accepted.
 * @param before withdraws only those that were stored before this time
 */
export async function withdrawInvitations(
  connection: Connection,
  staffId: string,
  now: Date,
  before?: Date,
): Promise<void> {
  await connection
    .update(staffInvitations)
    .set({ withdrawnAt: now })
    .where(
      and(
        eq(staffInvitations.staffId, staffId),
        isNull(staffInvitations.usedAt),
        isNull(staffInvitations.withdrawnAt),
        before && lt(staffInvitations.createdAt, before),
      ),
    );
}

export const toStaffMember = (
  row: Pick<StaffRow, 'id' | 'email' | 'name' | 'role' | 'state' | 'createdAt'>,
) =>
  ({
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    state: row.state,
    created_at: row.createdAt.toISOString(),
  }) satisfies StaffMember;

/** Lists all members by email. */
export async function listStaff(connection: Connection, now: Date): Promise<ListedStaffMember[]> {
  const factors = connection
    .select({
      staffId: staffFactors.ownerId,
      passkeys: count(sql`case when ${staffFactors.kind} = 'passkey' then 1 end`).as('passkeys'),
      authenticators: count(sql`case when ${staffFactors.kind} = 'authenticator' then 1 end`).as(
        'authenticators',
      ),
    })
    .from(staffFactors)
    .where(sql`${staffFactors.activeAt} is not null`)
    .groupBy(staffFactors.ownerId)
    .as('factors');
  const lastSignIn = sql`(select max(${staffSessions.createdAt}) from ${staffSessions}
    where ${staffSessions.ownerId} = ${staff.id})`.mapWith(staffSessions.createdAt);
  const invitation = sql`(select max(${staffInvitations.expiresAt}) from ${staffInvitations}
    where ${staffInvitations.staffId} = ${staff.id} and ${staffInvitations.usedAt} is null
      and ${staffInvitations.withdrawnAt} is null and ${staffInvitations.expiresAt} > ${now.toISOString()}::timestamptz)`.mapWith(
    staffInvitations.expiresAt,
  );
  const rows = await connection
    .select({
      member: staff,
      passkeys: factors.passkeys,
      authenticators: factors.authenticators,
      lastSignIn,
      invitation,
    })
    .from(staff)
    .leftJoin(factors, eq(factors.staffId, staff.id))
    .orderBy(asc(staff.email));
  return rows.map(({ member, passkeys, authenticators, lastSignIn, invitation }) => ({
    ...toStaffMember(member),
    passkeys: passkeys ?? 0,
    authenticators: authenticators ?? 0,
    invitation_expires_at: (invitation as Date | null)?.toISOString() ?? null,
    last_signed_in_at: (lastSignIn as Date | null)?.toISOString() ?? null,
  }));
}

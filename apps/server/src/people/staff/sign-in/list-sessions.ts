import type { StaffSession } from '@keyturn/contract/staff';
import { desc } from 'drizzle-orm';
import { staffSessions } from '../../../schema/tables/staff-tables.ts';
import { isInUse } from '../../credentials/account-sessions.ts';
import type { StaffAdministration } from '../staff-dependencies.ts';
import { staffIdleAfter } from './staff-sessions.ts';

/**
 * Lists the open sessions of a member, the newest first.
 * @param currentId the caller’s own session; null for another member’s sessions
 */
export async function listStaffSessions(
  { database, clock }: StaffAdministration,
  staffId: string,
  currentId: string | null,
): Promise<StaffSession[]> {
  const rows = await database
    .select()
    .from(staffSessions)
    .where(isInUse(staffSessions, { ownerId: staffId, now: clock(), idleAfter: staffIdleAfter }))
    .orderBy(desc(staffSessions.createdAt), staffSessions.id);
  return rows.map(({ id, createdAt, lastUsedAt, expiresAt, address, userAgent }) => ({
    id,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt.toISOString(),
    expires_at: expiresAt.toISOString(),
    address,
    user_agent: userAgent,
    is_current: id === currentId,
  }));
}

import { and, eq, gt, isNull, ne, type SQL } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';
import { staffSessions } from '../../../schema/tables/staff-tables.ts';

/**
 * Ends every session of a member. Changes of role, state, password or factors call it in their transaction.
 * @param options.except the hash of a session that continues
 * @returns how many it ended
 */
export async function endSessionsOf(
  connection: Connection,
  staffId: string,
  now: Date,
  { except }: { except?: Buffer } = {},
): Promise<number> {
  const rest = except ? ne(staffSessions.tokenHash, except) : undefined;
  return endSessions(connection, and(eq(staffSessions.staffId, staffId), rest), now);
}

/** Matches sessions that have neither ended nor expired, including idle ones. */
export const isNotEnded = (now: Date) => and(isNull(staffSessions.endedAt), gt(staffSessions.expiresAt, now));

/**
 * Ends the sessions that meet a condition, including idle ones, because a request admitted just before could record
 * activity.
 * @returns how many it ended
 */
export async function endSessions(
  connection: Connection,
  which: SQL | undefined,
  now: Date,
): Promise<number> {
  const { rowCount } = await connection
    .update(staffSessions)
    .set({ endedAt: now })
    .where(and(which, isNotEnded(now)));
  return rowCount ?? 0;
}

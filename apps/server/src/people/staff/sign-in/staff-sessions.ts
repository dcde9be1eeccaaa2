import { createHmac } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Clock } from '../../../platform/clock.ts';
import { hashToken } from '../../../platform/credentials/hash-token.ts';
import type { SignedInStaff } from '../../../platform/credentials/signed-in-staff.ts';
import type { Connection, Database } from '../../../platform/database.ts';
import { newId } from '../../../platform/ids.ts';
import { staffFactorTables } from '../../../schema/tables/factor-tables.ts';
import { staff, staffSessions } from '../../../schema/tables/staff-tables.ts';
import { createSessionStore } from '../../credentials/account-sessions.ts';

/** Sign-ins of staff. Only the browser has the token, in a cookie; the database stores its SHA-256. */
export interface StaffSessions {
  /**
   * Signs a member in.
   * @param start.passwordHash the hash that the password was compared with; null if no password was used
   * @returns the token of the session; null if the member is no longer active or the password has changed
   */
  start(connection: Connection, start: StaffSessionStart): Promise<string | null>;
  /**
   * Finds the member of a token.
   * @param options.touch whether the request counts as activity, which is recorded at most once a minute
   * @returns null if the session is unknown, ended, expired or idle, or its member is not active
   */
  authenticate(token: string, options: { touch: boolean }): Promise<SignedInStaff | null>;
}

export interface StaffSessionStart {
  staffId: string;
  passwordHash: string | null;
  /** IP address of the caller. */
  address: string;
  userAgent: string | null;
}

/** Seconds: the maximum length of a session, and the inactivity after which it ends. */
export const staffSessionLength = 8 * 3_600;
export const staffIdleAfter = 30 * 60;

const { factors: staffFactors } = staffFactorTables;

const maxUserAgent = 300;

export function createStaffSessions({
  database,
  clock,
  requiresSecondFactor,
}: {
  database: Database;
  clock: Clock;
  requiresSecondFactor: boolean;
}): StaffSessions {
  const store = createSessionStore({
    database,
    table: staffSessions,
    prefix: 'kt_staff_',
    idleAfter: staffIdleAfter,
    keptFor,
  });
  return {
    start: async (connection, { staffId, passwordHash, address, userAgent }) => {
      const now = clock();
      await store.deleteExpired(connection, now);
      const token = store.newToken();
      const expiresAt = new Date(now.getTime() + staffSessionLength * 1_000);
      // The row lock serialises sign-in with a change of state or password: either this sees the change, or the change
      // finds this session and ends it.
      const { rowCount } = await connection.execute(sql`
        insert into staff_sessions (token_hash, id, staff_id, created_at, last_used_at, expires_at, confirmed_at,
          address, user_agent)
        select ${hashToken(token)}::bytea, ${newId()}::uuid, id, ${now}::timestamptz, ${now}::timestamptz,
          ${expiresAt}::timestamptz, ${now}::timestamptz, ${address}, ${userAgent?.slice(0, maxUserAgent) ?? null}
        from staff where id = ${staffId} and state = 'active'
          and (${passwordHash}::text is null or password_hash = ${passwordHash}::text)
        for share`);
      return rowCount === 1 ? token : null;
    },

    authenticate: async (token, { touch }) => {
      if (!store.isToken(token)) return null;
      const sessionHash = hashToken(token);
      const [found] = await database
        .select({
          session: staffSessions,
          member: staff,
          hasFactor: sql<boolean>`exists (select from ${staffFactors}
            where ${staffFactors.ownerId} = ${staff.id} and ${staffFactors.activeAt} is not null)`,
        })
        .from(staffSessions)
        .innerJoin(staff, eq(staff.id, staffSessions.ownerId))
        .where(eq(staffSessions.tokenHash, sessionHash));
      if (!found) return null;
      const { session, member } = found;
      if (session.endedAt || member.state !== 'active') return null;
      const [lastUsedAt, expiresAt] = [session.lastUsedAt.getTime(), session.expiresAt.getTime()];
      if (!(await store.use({ sessionHash, lastUsedAt, expiresAt }, { touch, now: clock() }))) return null;
      const { id, email, name, role, createdAt } = member;
      return {
        id,
        email,
        name,
        role,
        createdAt,
        sessionId: session.id,
        sessionHash,
        expiresAt: session.expiresAt,
        confirmedAt: session.confirmedAt,
        mustAddFactor: requiresSecondFactor && !found.hasFactor,
      };
    },
  };
}

/** Milliseconds for which an expired session is kept, for the time of the last sign-in in the list of staff. */
const keptFor = 90 * 86_400_000;

/**
 * Derives the CSRF token that a page sends with each change. Pages of other sites cannot read it, and it is not in
 * the database.
 */
export const staffCsrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('changes by staff').digest('base64url');

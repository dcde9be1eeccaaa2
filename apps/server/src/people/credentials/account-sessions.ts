import { randomBytes } from 'node:crypto';
import { and, eq, getTableName, gt, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Connection, Database, Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { prepareSql } from '../../platform/prepared-statement.ts';
import { deleteExpiredRows } from '../../schema/tables/delete-expired-rows.ts';
import type { staffSessions } from '../../schema/tables/staff-tables.ts';
import type { sessions } from '../../schema/tables/tables.ts';

/** The sessions of clients, or those of staff. */
export type SessionTable = typeof sessions | typeof staffSessions;

/** Matches sessions that have neither ended nor expired, including idle ones. */
export const isOpen = (table: SessionTable, now: Date): SQL | undefined =>
  and(isNull(table.endedAt), gt(table.expiresAt, now));

/** Matches the open sessions of an account that are not idle. @param session.idleAfter seconds */
export const isInUse = (
  table: SessionTable,
  { ownerId, now, idleAfter }: { ownerId: string; now: Date; idleAfter: number },
): SQL | undefined =>
  and(
    eq(table.ownerId, ownerId),
    isOpen(table, now),
    gt(table.lastUsedAt, new Date(now.getTime() - idleAfter * 1_000)),
  );

/**
 * Ends the open sessions that meet a condition, including idle ones, because a request admitted just before could record
 * activity.
 * @returns the hashes of their tokens
 */
export async function endSessions(
  connection: Connection,
  table: SessionTable,
  { which, now }: { which: SQL | undefined; now: Date },
): Promise<Buffer[]> {
  const ended = await connection
    .update(table)
    .set({ endedAt: now })
    .where(and(which, isOpen(table, now)))
    .returning({ hash: table.tokenHash });
  return ended.map(({ hash }) => hash);
}

/**
 * Ends every session of an account. Changes of password, second factors, role or state call it in their transaction, after
 * the change.
 * @param ending.except the hash of a session that continues
 * @returns how many it ended
 */
export async function endSessionsOf(
  connection: Connection,
  table: SessionTable,
  { ownerId, now, except }: { ownerId: string; now: Date; except?: Buffer },
): Promise<number> {
  const others = except && ne(table.tokenHash, except);
  return (await endSessions(connection, table, { which: and(eq(table.ownerId, ownerId), others), now }))
    .length;
}

/**
 * Locks the session that makes a call until the transaction ends. The caller has locked the account.
 * @throws DomainError `unauthenticated` if the session has ended
 */
export async function lockSession(
  transaction: Transaction,
  table: SessionTable,
  { id, sessionHash, now }: { id: string; sessionHash: Buffer; now: Date },
): Promise<void> {
  const which = and(eq(table.tokenHash, sessionHash), eq(table.ownerId, id), isOpen(table, now));
  const [session] = await transaction.select({ id: table.id }).from(table).where(which).for('share');
  if (!session) throw new DomainError('unauthenticated');
}

/** A stored session, with times in milliseconds. */
interface StoredSession {
  sessionHash: Buffer;
  lastUsedAt: number;
  expiresAt: number;
}

/** The tokens, activity and expiry of the sessions of clients, or of those of staff. */
export interface SessionStore {
  /** Creates a token of 256 random bits. */
  newToken(): string;
  /** Tells whether a text has the form of a token. */
  isToken(text: string): boolean;
  /**
   * Decides whether a session is in use, and records activity at most once a minute, so that a session may end up to a minute
   * before the idle limit, and never after it.
   * @param options.touch whether the call counts as activity
   * @returns false if the session has expired or was idle for too long
   */
  use(session: StoredSession, options: { touch: boolean; now: Date }): Promise<boolean>;
  /** Deletes expired sessions in batches, at most once a minute. */
  deleteExpired(connection: Connection, now: Date): Promise<void>;
}

/**
 * Creates the code for the sessions in one table.
 * @param options.prefix lets secret scanners recognise a leaked token
 * @param options.idleAfter seconds of inactivity after which a session ends
 * @param options.keptFor milliseconds for which an expired session is kept
 */
export function createSessionStore({
  database,
  table,
  prefix,
  idleAfter,
  keptFor = 0,
}: {
  database: Database;
  table: SessionTable;
  prefix: string;
  idleAfter: number;
  keptFor?: number;
}): SessionStore {
  const tokenForm = new RegExp(`^${prefix}[\\w-]{43}$`);
  const idleLimit = idleAfter * 1_000;
  const touchEvery = Math.min(60_000, idleLimit / 10);
  /** Does not wait for the disk: a session whose last use is lost in a crash ends earlier. */
  const touchSession = prepareSql<Record<string, never>, { sessionHash: Buffer; now: Date }>(
    `touch_${getTableName(table)}`,
    () => sql`
      update ${table} set last_used_at = ${sql.placeholder('now')}::timestamptz
      where token_hash = ${sql.placeholder('sessionHash')}
        and set_config('synchronous_commit', 'off', true) is not null`,
  );
  let sweptAt = Number.NEGATIVE_INFINITY;
  return {
    newToken: () => prefix + randomBytes(32).toString('base64url'),
    isToken: (text) => tokenForm.test(text),
    use: async ({ sessionHash, lastUsedAt, expiresAt }, { touch, now }) => {
      const unusedFor = now.getTime() - lastUsedAt;
      if (now.getTime() >= expiresAt || unusedFor >= idleLimit) return false;
      if (touch && unusedFor >= touchEvery) await touchSession(database, { sessionHash, now });
      return true;
    },
    deleteExpired: async (connection, now) => {
      if (Math.abs(now.getTime() - sweptAt) < 60_000) return;
      sweptAt = now.getTime();
      const until = new Date(now.getTime() - keptFor);
      await deleteExpiredRows(connection, { table, age: table.expiresAt }, until, { maxBatches: 1 });
    },
  };
}

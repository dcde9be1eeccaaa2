import { randomBytes } from 'node:crypto';
import type { SignInMethod } from '@keyturn/contract';
import { describeBrowser } from '@keyturn/format/describe-browser';
import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import { hashToken } from '../../platform/credentials/hash-token.ts';
import type { Connection, Database, SharedConnections } from '../../platform/database.ts';
import { prepareSql } from '../../platform/prepared-statement.ts';
import { type ClientRead, findSession } from '../../platform/reads/client-read.ts';
import { deleteExpiredRows } from '../../schema/tables/delete-expired-rows.ts';
import { sessions as table } from '../../schema/tables/tables.ts';

/** Sign-ins of clients. Only the client has the token; the database stores its SHA-256. */
export interface Sessions {
  /**
   * Signs a client in.
   * @param passwordHash the hash that the password was compared with; null after a sign-in without the password
   * @param options.userAgent the browser’s description of itself, of which only its name in plain words is stored
   * @returns the token and its maximum lifetime in seconds; null when the password has changed since the comparison
   */
  start(
    clientId: string,
    passwordHash: string | null,
    options?: { connection?: Connection; userAgent?: string | null; signedInWith?: SignInMethod },
  ): Promise<{ token: string; expiresIn: number } | null>;
  /**
   * Finds the client of a token with one lookup by primary key.
   * @param options.touch whether the call counts as activity. It is recorded at most once a minute, so a session may end
   *   up to a minute before the idle limit, and never after it.
   * @param options.read a read in the same statement, whose result is the `answer`
   * @param options.hash SHA-256 of the token, if it is known already
   * @returns null when the token is unknown, revoked, expired or idle for too long
   */
  authenticate(token: string, options: AuthenticateOptions): Promise<AuthenticatedClient | null>;
  /** @param sessionHash from `authenticate` */
  end(sessionHash: Buffer): Promise<void>;
  /**
   * Ends every session of a client. A change of password calls it in its transaction, after the change.
   * @param options.except the hash of a session that continues
   */
  revokeSessionsOf(clientId: string, connection?: Connection, options?: { except?: Buffer }): Promise<void>;
}

interface AuthenticatedClient {
  id: string;
  /** SHA-256 of the token. */
  sessionHash: Buffer;
  /** The result of `read`. */
  answer?: unknown;
}

interface AuthenticateOptions {
  touch: boolean;
  read?: ClientRead<unknown>;
  hash?: Buffer;
}

export interface SessionOptions {
  database: Database;
  /** Finds sessions, with what is read for them; the database by default. */
  sharedConnections?: SharedConnections;
  clock: Clock;
  /** Maximum session length in seconds. */
  expiresIn: number;
  /** Seconds of inactivity after which a session ends. */
  idleAfter: number;
}

export function createSessions({
  database,
  sharedConnections,
  clock,
  expiresIn,
  idleAfter,
}: SessionOptions): Sessions {
  const idleLimit = idleAfter * 1000;
  const touchEvery = Math.min(60_000, idleLimit / 10);
  let sweptAt = Number.NEGATIVE_INFINITY;

  return {
    start: async (
      clientId,
      passwordHash,
      { connection = database, userAgent = null, signedInWith = 'password' } = {},
    ) => {
      const token = newToken();
      const now = clock();
      await deleteExpiredSessions(now);
      // The row lock serialises sign-in with a change of password: either this sees the change, or the change finds
      // this session and ends it.
      const { rowCount } = await connection.execute(sql`
        insert into sessions (token_hash, client_id, created_at, last_used_at, confirmed_at, expires_at,
          device, signed_in_with)
        select ${hashToken(token)}::bytea, id, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz,
          ${new Date(now.getTime() + expiresIn * 1000)}::timestamptz, ${describeBrowser(userAgent)}, ${signedInWith}
        from clients where id = ${clientId} and disabled_at is null
          and (${passwordHash}::text is null or password_hash = ${passwordHash}::text)
        for share`);
      return rowCount === 1 ? { token, expiresIn } : null;
    },

    authenticate: async (token, { touch, read, hash: sessionHash = hashToken(token) }) => {
      if (!tokenForm.test(token)) return null;
      const found = read
        ? await read.forSession(sharedConnections ?? database, sessionHash)
        : await findSession(sharedConnections ?? database, sessionHash).then(
            (session) => session && { session, answer: () => {} },
          );
      if (!found || found.session.isRevoked) return null;
      const { clientId, lastUsedAt, expiresAt } = found.session;
      const now = clock();
      const unusedFor = now.getTime() - lastUsedAt;
      if (now.getTime() >= expiresAt || unusedFor >= idleLimit) return null;
      if (touch && unusedFor >= touchEvery) {
        await touchSession(database, { sessionHash, now });
      }
      return { id: clientId, sessionHash, answer: found.answer() };
    },

    end: async (sessionHash) => {
      await database
        .update(table)
        .set({ revokedAt: clock() })
        .where(and(eq(table.tokenHash, sessionHash), isNull(table.revokedAt)));
    },

    revokeSessionsOf: (clientId, connection = database, options = {}) =>
      revokeSessions(connection, { clientId, now: clock(), ...options }),
  };

  /** Deletes expired sessions in batches, at most once a minute. */
  async function deleteExpiredSessions(now: Date) {
    if (Math.abs(now.getTime() - sweptAt) < 60_000) return;
    sweptAt = now.getTime();
    await deleteExpiredRows(database, { table, age: table.expiresAt }, now, { maxBatches: 1 });
  }
}

/** Ends every session of a client. @param revoked.except the hash of a session that continues */
export async function revokeSessions(
  connection: Connection,
  { clientId, now, except }: { clientId: string; now: Date; except?: Buffer },
): Promise<void> {
  const others = except && ne(table.tokenHash, except);
  await connection
    .update(table)
    .set({ revokedAt: now })
    .where(and(eq(table.clientId, clientId), isNull(table.revokedAt), others));
}

/** Does not wait for the disk: a session whose last use is lost in a crash ends earlier. */
const touchSession = prepareSql<Record<string, never>, { sessionHash: Buffer; now: Date }>(
  'touch_session',
  () => sql`
    update sessions set last_used_at = ${sql.placeholder('now')}::timestamptz
    where token_hash = ${sql.placeholder('sessionHash')}
      and set_config('synchronous_commit', 'off', true) is not null`,
);

/** 256 random bits. The prefix lets secret scanners recognise a leaked token. */
const newToken = () => `kt_${randomBytes(32).toString('base64url')}`;
const tokenForm = /^kt_[\w-]{43}$/;

import type { SignInMethod } from '@keyturn/contract';
import { describeBrowser } from '@keyturn/format/describe-browser';
import { eq, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import { hashToken } from '../../platform/credentials/hash-token.ts';
import type { Connection, Database, SharedConnections } from '../../platform/database.ts';
import { type ClientRead, findSession } from '../../platform/reads/client-read.ts';
import { sessions as table } from '../../schema/tables/tables.ts';
import { createSessionStore, endSessions } from '../credentials/account-sessions.ts';

/** Sign-ins of clients. Only the client has the token; the database stores its SHA-256. */
export interface Sessions {
  /**
   * Signs a client in.
   * @param passwordHash the hash that the password was compared with; null after a sign-in without the password
   * @param options.token a new random one by default
   * @param options.userAgent the browser’s description of itself, of which only its name in plain words is stored
   * @returns the token and its maximum lifetime in seconds; null when the password has changed since the comparison
   */
  start(
    clientId: string,
    passwordHash: string | null,
    options?: {
      connection?: Connection;
      token?: string | undefined;
      userAgent?: string | null;
      signedInWith?: SignInMethod;
    },
  ): Promise<{ token: string; expiresIn: number } | null>;
  /**
   * Finds the client of a token with one lookup by primary key.
   * @param options.touch whether the call counts as activity
   * @param options.read a read in the same statement, whose result is the `answer`
   * @param options.hash SHA-256 of the token, if it is known already
   * @returns null when the token is unknown, revoked, expired or idle for too long
   */
  authenticate(token: string, options: AuthenticateOptions): Promise<AuthenticatedClient | null>;
  /** @param sessionHash from `authenticate` */
  end(sessionHash: Buffer): Promise<void>;
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
  const store = createSessionStore({ database, table, prefix: 'kt_', idleAfter });
  return {
    start: async (
      clientId,
      passwordHash,
      { connection = database, token = store.newToken(), userAgent = null, signedInWith = 'password' } = {},
    ) => {
      const now = clock();
      await store.deleteExpired(database, now);
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
      if (!store.isToken(token)) return null;
      const found = read
        ? await read.forSession(sharedConnections ?? database, sessionHash)
        : await findSession(sharedConnections ?? database, sessionHash).then(
            (session) => session && { session, answer: () => {} },
          );
      if (!found || found.session.isRevoked) return null;
      const { clientId, lastUsedAt, expiresAt } = found.session;
      const session = { sessionHash, lastUsedAt, expiresAt };
      if (!(await store.use(session, { touch, now: clock() }))) return null;
      return { id: clientId, sessionHash, answer: found.answer() };
    },

    end: async (sessionHash) => {
      await endSessions(database, table, { which: eq(table.tokenHash, sessionHash), now: clock() });
    },
  };
}

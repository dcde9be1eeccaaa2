import { createHash, randomBytes } from 'node:crypto';
import { and, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { sessions as table } from '../../platform/tables.ts';

/** Who is signed in, and until when. A token is known to its holder alone: the database has its SHA-256. */
export interface Sessions {
  /**
   * Signs a client in.
   * @param passwordHash what the client's password was compared with; if it has changed since, nobody is signed in
   * @returns the token and for how many seconds it holds at most; null: the password has changed
   */
  start(clientId: string, passwordHash: string): Promise<{ token: string; expiresIn: number } | null>;
  /**
   * The client of a token, or null when it is unknown, ended, past its absolute end, or was not used for too
   * long. One look-up by primary key.
   * @param options.touch whether this counts as use. It is written down once a minute at most, so that a session
   *   may end up to a minute before it was idle for the whole limit, and never after.
   */
  authenticate(token: string, options: { touch: boolean }): Promise<AuthenticatedClient | null>;
  /** @param sessionHash as `authenticate` gave it */
  end(sessionHash: Buffer): Promise<void>;
  /** Ends every session of a client, for a change of password: within its transaction, after the change. */
  revokeSessionsOf(clientId: string, connection?: Connection): Promise<void>;
}

interface AuthenticatedClient {
  id: string;
  /** SHA-256 of the token. */
  sessionHash: Buffer;
}

export interface SessionOptions {
  database: Database;
  clock: Clock;
  /** Seconds from sign-in to the absolute end. */
  expiresIn: number;
  /** Seconds without use after which a session ends. */
  idleAfter: number;
}

export function createSessions({ database, clock, expiresIn, idleAfter }: SessionOptions): Sessions {
  const idleLimit = idleAfter * 1000;
  const touchEvery = Math.min(60_000, idleLimit / 10);
  let sweptAt = Number.NEGATIVE_INFINITY;

  return {
    start: async (clientId, passwordHash) => {
      const token = newToken();
      const now = clock();
      await sweepNowAndThen(now);
      // The lock waits for a change of password under way, and holds up one that comes: either the change is
      // seen here, or the session is there to be ended by it.
      const { rowCount } = await database.execute(sql`
        insert into sessions (token_hash, client_id, created_at, last_used_at, expires_at)
        select ${hashOf(token)}::bytea, id, ${now}::timestamptz, ${now}::timestamptz,
          ${new Date(now.getTime() + expiresIn * 1000)}::timestamptz
        from clients where id = ${clientId} and password_hash = ${passwordHash}
        for share`);
      return rowCount === 1 ? { token, expiresIn } : null;
    },

    authenticate: async (token, { touch }) => {
      if (!tokenForm.test(token)) return null;
      const sessionHash = hashOf(token);
      const [session] = await database.select().from(table).where(eq(table.tokenHash, sessionHash));
      if (!session || session.revokedAt) return null;
      const now = clock();
      const unusedFor = now.getTime() - session.lastUsedAt.getTime();
      if (now >= session.expiresAt || unusedFor >= idleLimit) return null;
      if (touch && unusedFor >= touchEvery) {
        await database.update(table).set({ lastUsedAt: now }).where(eq(table.tokenHash, sessionHash));
      }
      return { id: session.clientId, sessionHash };
    },

    end: async (sessionHash) => {
      await database
        .update(table)
        .set({ revokedAt: clock() })
        .where(and(eq(table.tokenHash, sessionHash), isNull(table.revokedAt)));
    },

    revokeSessionsOf: async (clientId, connection = database) => {
      await connection
        .update(table)
        .set({ revokedAt: clock() })
        .where(and(eq(table.clientId, clientId), isNull(table.revokedAt)));
    },
  };

  /** Sessions past their absolute end, some at a time. */
  async function sweepNowAndThen(now: Date) {
    if (Math.abs(now.getTime() - sweptAt) < 60_000) return;
    sweptAt = now.getTime();
    const ended = database
      .select({ tokenHash: table.tokenHash })
      .from(table)
      .where(lte(table.expiresAt, now))
      .limit(500)
      .for('update', { skipLocked: true });
    await database.delete(table).where(inArray(table.tokenHash, ended));
  }
}

/** 256 bits; the prefix lets secret scanners recognise a token that was left lying about. */
const newToken = () => `kt_${randomBytes(32).toString('base64url')}`;
const tokenForm = /^kt_[\w-]{43}$/;

const hashOf = (token: string) => createHash('sha256').update(token).digest();

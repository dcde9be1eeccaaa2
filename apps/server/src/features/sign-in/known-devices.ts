import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { deleteExpiredRows } from '../../platform/tables/delete-expired-rows.ts';
import { clients, knownDevices as table } from '../../platform/tables/tables.ts';

/**
 * Browsers on which a client has signed in. Such a browser has a token in a cookie, and the database has its SHA-256
 * for each client. The token alone opens nothing: it only keeps other people’s wrong passwords from locking the client
 * out.
 */
export interface KnownDevices {
  /**
   * Tells whether the client with this email has signed in on the device.
   * @param email in its lookup form, trimmed and lower-case
   */
  isKnown(token: string, email: string): Promise<boolean>;
  /**
   * Records that a client has signed in on a device.
   * @param token from the device’s cookie; null without one
   * @returns the token for the device’s cookie. A token that no client has used is replaced, because another site may
   *   have planted it.
   */
  remember(token: string | null, clientId: string, connection?: Connection): Promise<string>;
  /** Forgets all devices of a client, for example because the password has changed. */
  forgetDevicesOf(clientId: string, connection: Connection): Promise<void>;
}

/** Seconds without a sign-in after which a device is forgotten. */
export const deviceLifetime = 180 * 86_400;

/** Devices per client; the one that was not used for longest is forgotten. */
const maxDevices = 20;

export function createKnownDevices({ database, clock }: { database: Database; clock: Clock }): KnownDevices {
  const oldest = () => new Date(clock().getTime() - deviceLifetime * 1_000);
  let sweptAt = Number.NEGATIVE_INFINITY;
  return {
    isKnown: async (token, email) => {
      if (!tokenForm.test(token) || email.includes('\0') || !email.isWellFormed()) return false;
      const [found] = await database
        .select({ clientId: table.clientId })
        .from(table)
        .innerJoin(clients, eq(clients.id, table.clientId))
        .where(
          and(
            eq(table.tokenHash, hashOf(token)),
            gt(table.lastUsedAt, oldest()),
            sql`lower(${clients.email}) = ${email}`,
          ),
        );
      return found !== undefined;
    },

    remember: async (token, clientId, connection = database) => {
      const now = clock();
      if (Math.abs(now.getTime() - sweptAt) > 3_600_000) {
        sweptAt = now.getTime();
        await deleteExpiredRows(connection, { table, age: table.lastUsedAt }, oldest(), { maxBatches: 1 });
      }
      const isUsed = token !== null && tokenForm.test(token) && (await isUsedByAnyClient(connection, token));
      const kept = isUsed ? token : randomBytes(32).toString('base64url');
      await connection
        .insert(table)
        .values({ tokenHash: hashOf(kept), clientId, createdAt: now, lastUsedAt: now })
        .onConflictDoUpdate({ target: [table.tokenHash, table.clientId], set: { lastUsedAt: now } });
      await connection.execute(sql`
        delete from known_devices where client_id = ${clientId} and token_hash in (
          select token_hash from known_devices where client_id = ${clientId}
          order by last_used_at desc, token_hash offset ${maxDevices})`);
      return kept;
    },

    forgetDevicesOf: async (clientId, connection) => {
      await connection.delete(table).where(eq(table.clientId, clientId));
    },
  };
}

async function isUsedByAnyClient(connection: Connection, token: string): Promise<boolean> {
  const [found] = await connection
    .select({ clientId: table.clientId })
    .from(table)
    .where(eq(table.tokenHash, hashOf(token)))
    .limit(1);
  return found !== undefined;
}

const tokenForm = /^[\w-]{43}$/;

const hashOf = (token: string) => createHash('sha256').update(token).digest();

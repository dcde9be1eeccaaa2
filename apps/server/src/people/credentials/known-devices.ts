import { randomBytes } from 'node:crypto';
import { getTableName, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKind } from '../../platform/credentials/account-kind.ts';
import { hashToken } from '../../platform/credentials/hash-token.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { deleteExpiredRows } from '../../schema/tables/delete-expired-rows.ts';
import { staff, staffDevices } from '../../schema/tables/staff-tables.ts';
import { clients, knownDevices } from '../../schema/tables/tables.ts';

/**
 * Browsers on which a client or a staff member has signed in. Such a browser has a token in a cookie, and the
 * database has its SHA-256 for each account. The token alone gives no access: it only prevents other people’s wrong
 * passwords from locking the account out.
 */
export interface KnownDevices {
  /**
   * Tells whether the account with this email has been signed in to on the device.
   * @param token from the device’s cookie; null without one
   */
  isKnown(token: string | null, email: string): Promise<boolean>;
  /**
   * Records a sign-in on a device.
   * @param token from the device’s cookie; null without one
   * @returns the token for the device’s cookie. A token that no account has used is replaced, because another site may
   *   have planted it.
   */
  remember(token: string | null, accountId: string, connection?: Connection): Promise<string>;
  /** Removes all known devices of an account, for example because the password has changed. */
  forgetDevicesOf(accountId: string, connection: Connection): Promise<void>;
}

/** Seconds without a sign-in after which a device is removed. */
export const deviceLifetime = 180 * 86_400;

/** The maximum number of devices per account; the least recently used one is removed. */
const maxDevices = 20;

/** The kinds of accounts with known devices, and the tables that record them. */
const kinds = {
  client: { devices: knownDevices, account: sql.identifier('client_id'), accounts: clients },
  staff: { devices: staffDevices, account: sql.identifier('staff_id'), accounts: staff },
};

export interface KnownDeviceOptions {
  database: Database;
  clock: Clock;
  accountKind?: AccountKind;
}

/** Creates the record of the devices of clients, or of staff. */
export function createKnownDevices({
  database,
  clock,
  accountKind = 'client',
}: KnownDeviceOptions): KnownDevices {
  const { devices, account, accounts } = kinds[accountKind];
  const table = sql.identifier(getTableName(devices));
  const oldest = () => new Date(clock().getTime() - deviceLifetime * 1_000);
  let sweptAt = Number.NEGATIVE_INFINITY;

  const isUsed = async (connection: Connection, token: string) => {
    const { rowCount } = await connection.execute(
      sql`select from ${table} where token_hash = ${hashToken(token)} limit 1`,
    );
    return rowCount === 1;
  };

  return {
    isKnown: async (token, email) => {
      if (token === null || !tokenForm.test(token)) return false;
      // PostgreSQL cannot store either, so no account has such an email.
      if (email.includes('\0') || !email.isWellFormed()) return false;
      const { rowCount } = await database.execute(sql`
        select from ${table} device join ${accounts} owner on owner.id = device.${account}
        where device.token_hash = ${hashToken(token)} and device.last_used_at > ${oldest()}::timestamptz
          and lower(owner.email) = ${email.trim().toLowerCase()}`);
      return rowCount === 1;
    },

    remember: async (token, accountId, connection = database) => {
      const now = clock();
      if (Math.abs(now.getTime() - sweptAt) > 3_600_000) {
        sweptAt = now.getTime();
        const expired = { table: devices, age: devices.lastUsedAt };
        await deleteExpiredRows(connection, expired, oldest(), { maxBatches: 1 });
      }
      const keepsToken = token !== null && tokenForm.test(token) && (await isUsed(connection, token));
      const kept = keepsToken ? token : randomBytes(32).toString('base64url');
      await connection.execute(sql`
        insert into ${table} (token_hash, ${account}, created_at, last_used_at)
        values (${hashToken(kept)}, ${accountId}, ${now}::timestamptz, ${now}::timestamptz)
        on conflict (token_hash, ${account}) do update set last_used_at = excluded.last_used_at`);
      await connection.execute(sql`
        delete from ${table} where ${account} = ${accountId} and token_hash in (
          select token_hash from ${table} where ${account} = ${accountId}
          order by last_used_at desc, token_hash offset ${maxDevices})`);
      return kept;
    },

    forgetDevicesOf: async (accountId, connection) => {
      await connection.execute(sql`delete from ${table} where ${account} = ${accountId}`);
    },
  };
}

const tokenForm = /^[\w-]{43}$/;

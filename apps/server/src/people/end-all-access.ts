import { sql } from 'drizzle-orm';
import type { Connection } from '../platform/database.ts';

/**
 * Ends every session and link of clients and staff, and forgets their devices: in an earlier state of the database they
 * may be open although they have been ended since.
 */
export async function endAllAccess(connection: Connection, at: Date): Promise<void> {
  const now = sql`${at.toISOString()}::timestamptz`;
  const statements = [
    sql`update sessions set revoked_at = ${now} where revoked_at is null`,
    sql`update password_links set used_at = ${now} where used_at is null`,
    sql`update email_changes set expires_at = least(expires_at, ${now}) where confirmed_at is null`,
    sql`delete from known_devices`,
    sql`update staff_sessions set ended_at = ${now} where ended_at is null`,
    sql`update staff_invitations set withdrawn_at = ${now} where used_at is null and withdrawn_at is null`,
    sql`delete from staff_devices`,
  ];
  for (const statement of statements) await connection.execute(statement);
}

import { sql } from 'drizzle-orm';
import { commandLineActor, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Connection } from '../../platform/database.ts';
import type { BackupManifest } from './manifest.ts';

/**
 * Ends what an earlier state of the database must not continue. Payments pause, because the provider may know payments
 * that the database does not. Sessions and links end, and devices are forgotten, because they may have been ended since.
 * @param reason why payments are paused
 */
export async function endAccessAndPausePayments(
  connection: Connection,
  { at, reason }: { at: Date; reason: string },
): Promise<void> {
  const now = sql`${at.toISOString()}::timestamptz`;
  const statements = [
    sql`update payment_continuity set closed_at = ${now}, closed_reason = ${reason} where closed_at is null`,
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

/** Releases the work of the servers that were running when the backup was made. */
export async function releaseWork(connection: Connection): Promise<void> {
  const statements = [
    sql`update webhook_deliveries set leased_until = null where leased_until is not null`,
    sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null`,
    sql`update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null`,
  ];
  for (const statement of statements) await connection.execute(statement);
}

/** Adds the restore to the audit log, which continues after the last entry of the backup. */
export const recordRestore = (
  connection: Connection,
  { at, manifest }: { at: Date; manifest: BackupManifest },
): Promise<void> =>
  recordAudit(connection, {
    occurredAt: at,
    actor: commandLineActor(),
    action: 'installation.restored',
    subject: { kind: 'installation', id: manifest.installationId },
    after: { backup_of: manifest.takenAt, keyturn: manifest.keyturn },
  });

import { sql } from 'drizzle-orm';
import { releaseDeliveries } from '../../live/webhooks/deliveries-store.ts';
import { pausePayments } from '../../payments/continuity/continuity-store.ts';
import { endAllAccess } from '../../people/end-all-access.ts';
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
  await pausePayments(connection, { at, reason });
  await endAllAccess(connection, at);
}

/** Releases the work of the servers that were running when the backup was made. */
export async function releaseWork(connection: Connection): Promise<void> {
  await releaseDeliveries(connection);
  const statements = [
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

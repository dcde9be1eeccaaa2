import type { Command } from 'commander';
import { sql } from 'drizzle-orm';
import { commandLineActor, recordAudit } from '../../platform/audit/record-audit.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { Database } from '../../platform/database.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { endAccessAndPausePayments } from './end-access.ts';
import { finishRestoresWithFiles, printErasedAgain, recordUnfinished } from './finish-restore.ts';
import { findErasures } from './later-erasures.ts';
import { type AfterRestoreWithFiles, BackupFault, type BackupFolder } from './ports.ts';

/** Defines `keyturn after-recovery`. */
export function afterRecoveryCommand(run: (folder: string | null) => Promise<void>): Command {
  return createCommand('after-recovery')
    .description(
      'End all access and pause payments after PostgreSQL has recovered the database to an earlier moment.',
    )
    .argument('[folder]', 'the folder of all backups, to erase again what they list as erased')
    .action((folder?: string) => run(folder ?? null));
}

/**
 * Runs `keyturn after-recovery`: what `keyturn restore` does once the database is restored.
 * @param dependencies.folder null: nothing is erased again
 */
export async function runAfterRecovery(
  dependencies: AfterRestoreWithFiles & { database: Database; folder: BackupFolder | null },
  print: (line: string) => void,
): Promise<0> {
  const { database, clock, folder } = dependencies;
  const at = clock();
  await runTransaction(database, async (transaction) => {
    const { rows } = await transaction.execute<{ id: string }>(
      sql`select installation_id as id from installation`,
    );
    const id = rows[0]?.id ?? '';
    await endAccessAndPausePayments(transaction, {
      at,
      reason: 'the database was recovered to an earlier moment',
    });
    const erased = folder ? await findErasures(folder, id) : [];
    if (erased === null) throw new BackupFault('The folder contains no backups of this installation.');
    await recordUnfinished(transaction, erased);
    await recordAudit(transaction, {
      occurredAt: at,
      actor: commandLineActor(),
      action: 'installation.recovered',
      subject: { kind: 'installation', id },
    });
  });
  const finished = await finishRestoresWithFiles(dependencies, database);
  print('Everyone is signed out, and links and recovery codes no longer work. Payments are paused.');
  printErasedAgain(finished, 'a backup', print);
  print(
    folder === null
      ? 'No folder of backups was given: erase again the clients and cases that were erased after the moment to which the database was recovered.'
      : 'Erase again the clients and cases that were erased after the newest backup in this folder.',
  );
  print('Start the servers, import the case feed, and run "keyturn payments recover".');
  return 0;
}

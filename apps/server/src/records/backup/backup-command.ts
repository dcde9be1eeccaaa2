import { formatFileSize } from '@keyturn/format/file-size';
import type { Command } from 'commander';
import { commandLineActor, recordAudit } from '../../platform/audit/record-audit.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { Connection } from '../../platform/database.ts';
import { recordOperation } from '../../platform/operations/completed-operations.ts';
import { findSqlState } from '../../platform/run-transaction.ts';
import { type CreateBackupDependencies, createBackup } from './create-backup.ts';
import { secondsSince } from './seconds-since.ts';

export interface BackupCommand {
  folder: string;
  /** The public keys that the backup is encrypted for; empty: it is not encrypted. */
  recipients: string[];
}

/** Defines `keyturn backup`. */
export function backupCommand(run: (parsed: BackupCommand) => Promise<void>): Command {
  return createCommand('backup')
    .description('Back up the database and the documents to a folder. Works while the server runs.')
    .argument(
      '<folder>',
      'the folder of all backups; documents that it already contains are not copied again',
    )
    .option('--encrypt-for <key...>', 'encrypt with these public keys of age (age1…)')
    .addHelpText('after', '\nExit codes: 0 complete, 1 some documents are missing or damaged, 2 failed')
    .action((folder: string, { encryptFor = [] }: { encryptFor?: string[] }) =>
      run({ folder, recipients: encryptFor }),
    );
}

/**
 * Runs `keyturn backup` and prints what was backed up. The backup is audited before it starts, because it takes personal
 * data out of the installation.
 * @param progress called after each document
 * @returns the exit code: 0 complete, 1 some documents are missing or damaged
 */
export async function runBackup(
  dependencies: CreateBackupDependencies & { database: Connection },
  print: (line: string) => void,
  progress?: (done: number, total: number) => void,
): Promise<0 | 1> {
  const { clock, database, encryption } = dependencies;
  const startedAt = clock();
  await recordAudit(database, {
    occurredAt: startedAt,
    actor: commandLineActor(),
    action: 'installation.backup_requested',
    subject: { kind: 'installation', id: null },
    after: { encrypted: encryption !== null },
  });
  const backup = await createBackup(dependencies, progress);
  const { documents, damaged, removed } = backup;
  if (damaged.length === 0) await recordBackup(database, backup.takenAt);
  print(`Backup of ${backup.takenAt.toISOString()} in ${backup.path}`);
  print(`Database: ${backup.rows} rows of ${backup.tables} tables, ${formatFileSize(backup.tableBytes)}`);
  print(
    `Documents: ${documents.count} (${formatFileSize(documents.bytes)}), of which ${documents.added} were added (${formatFileSize(documents.addedBytes)})`,
  );
  print(`SHA-256 of the manifest: ${backup.manifestSha256}`);
  print(encryption ? 'Encrypted.' : 'Not encrypted: add --encrypt-for before you store it elsewhere.');
  print(`Finished after ${secondsSince(startedAt, clock())} s.`);
  if (removed.length > 0)
    print(`Without ${removed.length} documents that were erased while the backup was made.`);
  for (const sha256 of damaged)
    print(
      `MISSING OR DAMAGED: the document ${sha256} is not in the backup. Restore its file from an earlier one.`,
    );
  return damaged.length > 0 ? 1 : 0;
}

/** Records a complete backup for the metrics. */
async function recordBackup(database: Connection, at: Date): Promise<void> {
  await recordOperation(database, { operation: 'backup', at }).catch((error: unknown) => {
    // A backup before an upgrade leaves migrations out, so the table may not exist yet.
    if (findSqlState(error) !== undefinedTable) throw error;
  });
}

const undefinedTable = '42P01';

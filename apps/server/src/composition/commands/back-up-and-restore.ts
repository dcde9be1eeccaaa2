import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { createAgeDecryption, createAgeEncryption } from '../../adapters/encryption/age.ts';
import { createBackupFolder } from '../../adapters/files/backup-folder.ts';
import { findRecordedFiles, openSnapshot } from '../../adapters/postgres/backup/open-snapshot.ts';
import { createRestoreTarget, knownSchema } from '../../adapters/postgres/backup/restore-target.ts';
import { openDatabaseForRestore } from '../../adapters/postgres/open-database.ts';
import { createImportProgress } from '../../doors/import/import-progress.ts';
import { whileRestoringStore } from '../../live/shared-resources/shared-resources.ts';
import { afterRecoveryCommand, runAfterRecovery } from '../../records/backup/after-recovery-command.ts';
import { backupCommand, runBackup } from '../../records/backup/backup-command.ts';
import {
  type RestoreCommand,
  restoreCommand,
  runRestore,
  runRestoreDocuments,
} from '../../records/backup/restore-command.ts';
import { findErasedFiles } from '../../records/data-protection/erasure/erase-again.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { afterRestoreWithFiles } from '../after-restore.ts';
import { type CommandContext, type DefineCommand, openFiles, openStore } from './command-context.ts';
import { runRecorded } from './run-with-database.ts';

/** Defines `keyturn backup`. */
export const backup: DefineCommand = ({ withDatabase, projectDirectory, print }) =>
  backupCommand(
    withDatabase(async ({ folder, recipients }, installation) => {
      const { database, opened, clock, pool } = installation;
      const { stderr } = process;
      const progress = createImportProgress(
        clock,
        { isTerminal: stderr.isTTY === true, write: (text) => stderr.write(text) },
        'documents',
      );
      return runBackup(
        {
          database,
          openSnapshot: () => openSnapshot(opened.url),
          files: await openFiles(installation),
          findRecordedFiles: (sha256s) => findRecordedFiles(pool, sha256s),
          folder: createBackupFolder(resolve(folder)),
          encryption: recipients.length > 0 ? createAgeEncryption(recipients) : null,
          clock,
          version: readVersion(projectDirectory),
        },
        (line) => {
          progress.clear();
          print(line);
        },
        progress.show,
      );
      // A backup before an upgrade contains the database as it was before.
    }, 'leave'),
  );

const readVersion = (projectDirectory: string): string =>
  JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8')).version;

/** Defines `keyturn restore`. */
export const restore: DefineCommand = (context) =>
  restoreCommand(context.run((parsed) => restoreInstallation(context, parsed)));

/** Defines `keyturn after-recovery`. */
export const afterRecovery: DefineCommand = ({ withDatabase, print }) =>
  afterRecoveryCommand(
    withDatabase(async (folder, installation) => {
      const { database, clock } = installation;
      const files = await openFiles(installation);
      const backups = folder === null ? null : createBackupFolder(resolve(folder));
      return runAfterRecovery({ ...afterRestoreWithFiles(files, clock), database, folder: backups }, print);
    }),
  );

/** Opens the database itself because it must be empty. A dry run needs none. */
async function restoreInstallation(
  { projectDirectory, clock, print, runInstalled }: CommandContext,
  { backup, identityFile, expected, dryRun, documentsOnly, withoutDamaged }: RestoreCommand,
): Promise<number> {
  const settings = readSettings(process.env, projectDirectory);
  const path = resolve(backup);
  const { files, name: storeName } = await openStore(settings);
  const shared = {
    ...afterRestoreWithFiles(files, clock),
    folder: createBackupFolder(dirname(path)),
    decryption: identityFile === null ? null : await createAgeDecryption(identityFile),
    schema: knownSchema,
    files,
  };
  const options = { name: basename(path), expected, withoutDamaged };
  if (dryRun) return runRestore({ ...shared, target: null }, options, print);
  if (documentsOnly)
    return runInstalled(
      ({ database }) =>
        whileRestoringStore({ database, files, storeName }, () =>
          runRestoreDocuments(
            { ...shared, database, findErasedFiles: () => findErasedFiles(database) },
            options,
            print,
          ),
        ),
      'leave',
    );
  const opened = await openDatabaseForRestore(settings);
  const target = createRestoreTarget(opened.ownerUrl, opened.serverRole);
  try {
    return await runRecorded(settings, () => runRestore({ ...shared, target }, options, print));
  } finally {
    await opened.close();
  }
}

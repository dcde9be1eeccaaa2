import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createBackupFolder } from '@keyturn/server/adapters/files/backup-folder.ts';
import { findRecordedFiles, openSnapshot } from '@keyturn/server/adapters/postgres/backup/open-snapshot.ts';
import { createRestoreTarget, knownSchema } from '@keyturn/server/adapters/postgres/backup/restore-target.ts';
import { connectDatabase } from '@keyturn/server/adapters/postgres/connect.ts';
import { afterRestoreWithFiles } from '@keyturn/server/composition/after-restore.ts';
import { systemClock } from '@keyturn/server/platform/clock.ts';
import type { FileStore } from '@keyturn/server/platform/stored-file.ts';
import { type CreateBackupDependencies, createBackup } from '@keyturn/server/records/backup/create-backup.ts';
import {
  type RestoreDependencies,
  type RestoreOptions,
  restoreBackup,
} from '@keyturn/server/records/backup/restore-backup.ts';

/** Creates a temporary folder of backups, with the real adapters. */
export function createTestBackups() {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-backups-'));
  const store = createBackupFolder(folder);
  return {
    folder,
    /** Backs up a database and its files, and returns the name of the backup with the result. */
    backUp: async (
      source: { url: string; files: FileStore },
      changes: Partial<CreateBackupDependencies> = {},
    ) => {
      const created = await createBackup({
        openSnapshot: () => openSnapshot(source.url),
        files: source.files,
        findRecordedFiles: async (sha256s) => {
          const { pool, close } = connectDatabase({ url: source.url, size: 1 });
          try {
            return await findRecordedFiles(pool, sha256s);
          } finally {
            await close();
          }
        },
        folder: store,
        encryption: null,
        clock: systemClock,
        version: '0.2.0',
        ...changes,
      });
      return { ...created, name: basename(created.path) };
    },
    /** @param target null to verify the backup only */
    restore: (
      name: string,
      target: { url: string; files: FileStore } | null,
      {
        expected = null,
        withoutDamaged = false,
        ...changes
      }: Partial<RestoreDependencies & Omit<RestoreOptions, 'name'>> = {},
    ) =>
      restoreBackup(
        {
          folder: store,
          decryption: null,
          schema: knownSchema,
          target: target && createRestoreTarget(target.url),
          files: target?.files ?? noFiles,
          ...afterRestoreWithFiles(target?.files ?? noFiles, systemClock),
          ...changes,
        },
        { name, expected, withoutDamaged },
      ),
    drop: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const noFiles: RestoreDependencies['files'] & Pick<FileStore, 'remove'> = {
  put: () => Promise.reject(new Error('a dry run stores nothing')),
  has: () => Promise.reject(new Error('a dry run needs no store')),
  remove: () => Promise.reject(new Error('a dry run removes nothing')),
  list: () => {
    throw new Error('a dry run needs no store');
  },
};

import { sql } from 'drizzle-orm';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import { deleteExpiredReservations, lockFile } from '../../../platform/files/file-reservations.ts';
import type { JobHandler } from '../../../platform/jobs.ts';
import type { FileStore } from '../../../platform/stored-file.ts';
import { removeErasedFiles } from './erase.ts';

interface RemovalDependencies {
  database: Database;
  files: Pick<FileStore, 'remove'>;
  clock: Clock;
}

type ErasedFile = { erasure: number; sha256: string };

/**
 * Removes the files of committed erasures from the store of documents, each in a transaction. A file that another record
 * also uses is kept. A file that cannot be removed, or that a server is storing or recording, is left to the next run.
 * @returns how many files were removed
 * @throws the first error of the store, after all other files
 */
export async function removeFilesOfErasures(dependencies: RemovalDependencies): Promise<number> {
  const { rows: waiting } = await dependencies.database.execute<ErasedFile>(
    sql`select erasure_id::int as erasure, sha256 from erased_files where state = 'waiting' order by 1, 2`,
  );
  let removed = 0;
  const errors: unknown[] = [];
  for (const file of waiting) {
    try {
      if (await removeUnused(dependencies, file)) removed += 1;
    } catch (error) {
      errors.push(error);
    }
  }
  await deleteExpiredReservations(dependencies.database);
  if (errors.length > 0) throw errors[0];
  return removed;
}

/** @returns whether the file was removed */
const removeUnused = (
  { database, files, clock }: RemovalDependencies,
  { erasure, sha256 }: ErasedFile,
): Promise<boolean> =>
  database.transaction(async (transaction) => {
    if (await lockFile(transaction, sha256)) return false;
    const { rows } = await transaction.execute<{ isUsed: boolean }>(sql`
      select exists (select from documents d where d.sha256 = f.sha256)
        or exists (select from signed_files s where s.sha256 = f.sha256)
        or exists (select from receipt_files r where r.sha256 = f.sha256)
        or exists (select from feed_files w where w.sha256 = f.sha256) as "isUsed"
      from erased_files f where erasure_id = ${erasure} and sha256 = ${sha256} and state = 'waiting'
      for update skip locked`);
    const [file] = rows;
    if (!file) return false;
    if (!file.isUsed) await files.remove(sha256);
    await transaction.execute(sql`
      update erased_files set state = ${file.isUsed ? 'kept' : 'removed'}, finished_at = ${clock().toISOString()}::timestamptz
      where erasure_id = ${erasure} and sha256 = ${sha256}`);
    return !file.isUsed;
  });

/** Handles the removal of erased files after each erasure, and every hour for files that could not be removed. */
export const erasedFilesHandler = (dependencies: RemovalDependencies): JobHandler => ({
  ...removeErasedFiles.handledBy(async () => {
    await removeFilesOfErasures(dependencies);
  }),
  schedule: '23 * * * *',
});

import { sql } from 'drizzle-orm';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import type { JobHandler } from '../../../platform/jobs.ts';
import type { FileStore } from '../../../platform/stored-file.ts';
import { removeErasedFiles } from './erase.ts';

interface RemovalDependencies {
  database: Database;
  files: Pick<FileStore, 'remove'>;
  clock: Clock;
}

/**
 * Removes the files of committed erasures from the store of documents, each in a transaction. A file that another record
 * also uses is kept. After a failure, the next run continues with the same file.
 * @returns how many files were removed
 */
export async function removeFilesOfErasures(dependencies: RemovalDependencies): Promise<number> {
  let removed = 0;
  for (;;) {
    const state = await removeNext(dependencies);
    if (state === null) return removed;
    if (state === 'removed') removed += 1;
  }
}

const removeNext = ({ database, files, clock }: RemovalDependencies): Promise<'removed' | 'kept' | null> =>
  database.transaction(async (transaction) => {
    const { rows } = await transaction.execute<{ erasure: number; sha256: string; isUsed: boolean }>(sql`
      select erasure_id::int as erasure, sha256,
        exists (select from documents d where d.sha256 = f.sha256)
          or exists (select from signed_files s where s.sha256 = f.sha256)
          or exists (select from receipt_files r where r.sha256 = f.sha256)
          or exists (select from feed_files w where w.sha256 = f.sha256) as "isUsed"
      from erased_files f where state = 'waiting' order by erasure_id, sha256 limit 1 for update skip locked`);
    const [file] = rows;
    if (!file) return null;
    const state = file.isUsed ? 'kept' : 'removed';
    if (state === 'removed') await files.remove(file.sha256);
    await transaction.execute(sql`
      update erased_files set state = ${state}, finished_at = ${clock().toISOString()}::timestamptz
      where erasure_id = ${file.erasure} and sha256 = ${file.sha256}`);
    return state;
  });

/** Handles the removal of erased files after each erasure, and every hour for files that could not be removed. */
export const erasedFilesHandler = (dependencies: RemovalDependencies): JobHandler => ({
  ...removeErasedFiles.handledBy(async () => {
    await removeFilesOfErasures(dependencies);
  }),
  schedule: '23 * * * *',
});

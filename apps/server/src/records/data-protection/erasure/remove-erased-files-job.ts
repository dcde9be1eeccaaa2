import { sql } from 'drizzle-orm';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Transaction } from '../../../platform/database.ts';
import { deleteExpiredReservations, lockFile } from '../../../platform/files/file-reservations.ts';
import { defineJob, type JobHandler } from '../../../platform/jobs.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import type { FileStore } from '../../../platform/stored-file.ts';

/** Removes the files of erasures from the document store, after the erasure is committed. */
export const removeErasedFiles = defineJob<Record<string, never>>('remove-erased-files');

interface RemovalDependencies {
  database: Database;
  files: Pick<FileStore, 'remove'>;
  clock: Clock;
}

type ErasedFile = { erasure: number; sha256: string };

/**
 * Removes the files of committed erasures from the document store, each in a transaction. A file that another record
 * also uses is kept. A file that cannot be removed, or that a server is storing or recording, is left to the next run.
 * @returns how many files were removed
 * @throws the first error of the store, after all other files
 */
export async function removeFilesOfErasures(dependencies: RemovalDependencies): Promise<number> {
  const { database, clock } = dependencies;
  const { rows } = await database.execute<ErasedFile>(
    sql`select erasure_id::int as erasure, sha256 from erased_files where state = 'waiting' order by 1, 2`,
  );
  await deleteExpiredReservations(database);
  return removeEach(rows, ({ erasure, sha256 }) =>
    removeUnlessUsed(dependencies, sha256, async (transaction, isUsed) => {
      const { rowCount } = await transaction.execute(sql`
        update erased_files set state = ${isUsed ? 'kept' : 'removed'}, finished_at = ${clock().toISOString()}::timestamptz
        where erasure_id = ${erasure} and sha256 = ${sha256} and state = 'waiting'`);
      return rowCount === 1;
    }),
  );
}

/**
 * Removes files that documents no longer have, 35 days after they were replaced, and uploads that no document had. A
 * database that is recovered to an earlier moment may need them until then.
 * @returns how many files were removed
 * @throws the first error of the store, after all other files
 */
export async function removeUnusedFiles(dependencies: RemovalDependencies): Promise<number> {
  const { database, clock } = dependencies;
  const replacedBefore = new Date(clock().getTime() - keptFor).toISOString();
  const isDue = sql`(document_id is null or unused_since < ${replacedBefore}::timestamptz)`;
  const { rows } = await database.execute<{ sha256: string }>(
    sql`select sha256 from unused_files group by sha256 having bool_and(${isDue}) order by 1`,
  );
  return removeEach(rows, ({ sha256 }) =>
    removeUnlessUsed(dependencies, sha256, async (transaction) => {
      await transaction.execute(sql`delete from unused_files where sha256 = ${sha256} and ${isDue}`);
      const { rowCount } = await transaction.execute(
        sql`select from unused_files where sha256 = ${sha256} limit 1`,
      );
      return rowCount === 0;
    }),
  );
}

async function removeEach<File>(
  waiting: readonly File[],
  remove: (file: File) => Promise<boolean>,
): Promise<number> {
  let removed = 0;
  const errors: unknown[] = [];
  for (const file of waiting) {
    try {
      if (await remove(file)) removed += 1;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return removed;
}

/**
 * @param record notes in the transaction that the file has been dealt with; returns whether it may be removed
 * @returns whether the file was removed
 */
const removeUnlessUsed = (
  { database, files }: RemovalDependencies,
  sha256: string,
  record: (transaction: Transaction, isUsed: boolean) => Promise<boolean>,
): Promise<boolean> =>
  runTransaction(database, async (transaction) => {
    if (await lockFile(transaction, sha256)) return false;
    const { rows } = await transaction.execute<{ isUsed: boolean }>(sql`
      select exists (select from documents where sha256 = ${sha256})
        or exists (select from signed_files where sha256 = ${sha256})
        or exists (select from receipt_files where sha256 = ${sha256})
        or exists (select from feed_files where sha256 = ${sha256}) as "isUsed"`);
    const isUsed = rows[0]?.isUsed ?? true;
    const isRemoved = (await record(transaction, isUsed)) && !isUsed;
    if (isRemoved) await files.remove(sha256);
    return isRemoved;
  });

/** Milliseconds. */
const keptFor = 35 * 24 * 3_600_000;

/**
 * Removes erased files after each erasure, and every hour those that could not be removed and those no longer used.
 * @param dependencies.mayRemoveUnused whether the clock can be relied on; if not, the next run continues
 */
export const erasedFilesHandler = ({
  mayRemoveUnused,
  ...dependencies
}: RemovalDependencies & { mayRemoveUnused(): Promise<boolean> }): JobHandler => ({
  ...removeErasedFiles.handledBy(async () => {
    await removeFilesOfErasures(dependencies);
    if (await mayRemoveUnused()) await removeUnusedFiles(dependencies);
  }),
  schedule: '23 * * * *',
});

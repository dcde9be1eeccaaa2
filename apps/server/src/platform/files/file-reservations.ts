import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '../database.ts';
import { newId } from '../ids.ts';
import { findSqlState, runTransaction } from '../run-transaction.ts';
import { type FileStore, FileStoreUnavailable } from '../stored-file.ts';
import { sha256Of } from './sha256-of.ts';

/**
 * Stores a file and records it, so that no erasure on any server removes it in between.
 * @param record gets the SHA-256, and commits the record before it returns
 * @throws FileStoreUnavailable, and the errors of `record`
 */
export async function storeAndRecord<Result>(
  { database, files }: { database: Database; files: Pick<FileStore, 'put'> },
  content: Buffer,
  record: (sha256: string) => Promise<Result>,
): Promise<Result> {
  return whileReserved(database, [await sha256Of(content)], async () => record(await files.put(content)));
}

/**
 * Runs work that stores files and records them. Erasures leave the files alone until it is done.
 * @throws FileStoreUnavailable if one of the files is being removed and this takes too long
 */
export async function whileReserved<Result>(
  database: Database,
  files: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const id = newId();
  try {
    await reserve(database, id, files);
    return await work();
  } finally {
    // The work is done or has failed already. A reservation that stays expires after a day.
    await database.execute(sql`delete from file_reservations where id = ${id}::uuid`).catch(() => undefined);
  }
}

/**
 * Locks a file until the end of the transaction: no server reserves it meanwhile.
 * @returns whether a server is storing or recording it
 */
export async function lockFile(transaction: Transaction, sha256: string): Promise<boolean> {
  await transaction.execute(lockOf(sql`${sha256}::text`));
  // A second statement, because the first does not see what was committed while it waited.
  const { rowCount } = await transaction.execute(
    sql`select from file_reservations where sha256 = ${sha256} and reserved_at > ${expiry} limit 1`,
  );
  return rowCount === 1;
}

export const deleteExpiredReservations = (database: Database) =>
  database.execute(sql`delete from file_reservations where reserved_at <= ${expiry}`);

async function reserve(database: Database, id: string, files: readonly string[]): Promise<void> {
  const sorted = [...new Set(files)].sort();
  try {
    for (let start = 0; start < sorted.length; start += locksAtOnce) {
      const some = sql.param(sorted.slice(start, start + locksAtOnce));
      await runTransaction(database, async (transaction) => {
        await transaction.execute(
          sql`${lockOf(sql`sha256`)} from (select unnest(${some}::text[]) as sha256 order by 1) as sorted`,
        );
        await transaction.execute(
          sql`insert into file_reservations (id, sha256) select ${id}::uuid, unnest(${some}::text[])`,
        );
      });
    }
  } catch (error) {
    if (findSqlState(error) !== '55P03') throw error;
    throw new FileStoreUnavailable(
      'The document store takes long to delete an erased file with the same content',
    );
  }
}

const lockOf = (sha256: ReturnType<typeof sql>) =>
  sql`select pg_advisory_xact_lock(hashtextextended('file ' || ${sha256}, 0))`;

/** PostgreSQL has room for some thousand locks. */
const locksAtOnce = 100;

/** Much longer than it takes to store and record a file. */
const expiry = sql`now() - interval '1 day'`;

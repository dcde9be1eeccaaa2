import { sql } from 'drizzle-orm';
import { disableRecoveryCodes } from '../../people/credentials/factors/disable-recovery-codes.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { describeStartFailure } from '../../platform/start-fault.ts';
import type { AfterRestore, AfterRestoreWithFiles, ErasedSubject } from './ports.ts';

/**
 * Records what has to follow, in the transaction that changes the database, so that a later start does what an
 * interruption prevents.
 * @returns false if the database is older than this record
 */
export async function recordUnfinished(
  connection: Connection,
  erased: readonly ErasedSubject[],
): Promise<boolean> {
  const { rows } = await connection.execute(
    sql`select where to_regclass('public.unfinished_restores') is not null`,
  );
  if (rows.length === 0) return false;
  await connection.execute(
    sql`insert into unfinished_restores (erased) values (${JSON.stringify(erased)}::jsonb)`,
  );
  return true;
}

/**
 * Does what has to follow each recorded restore: erases again what was erased after the restored state, and disables
 * recovery codes, because those that were used after it cannot be distinguished.
 * @returns what was erased again
 */
export async function finishRestores(
  { clock, eraseAgain, notifyOfDisabledCodes }: AfterRestore,
  database: Database,
): Promise<ErasedSubject[]> {
  const { rows } = await database.execute<{ id: string; erased: ErasedSubject[] }>(
    sql`select id, erased from unfinished_restores`,
  );
  const erasedAgain: ErasedSubject[] = [];
  for (const { id, erased } of rows) {
    erasedAgain.push(...(await eraseAgain(database, erased)));
    await runTransaction(database, async (transaction) => {
      const { rowCount } = await transaction.execute(
        sql`delete from unfinished_restores where id = ${id}::uuid`,
      );
      // Another server was faster.
      if (rowCount === 0) return;
      const at = clock();
      const clients = await disableRecoveryCodes(transaction, 'client', at);
      const staff = await disableRecoveryCodes(transaction, 'staff', at);
      await notifyOfDisabledCodes(transaction, { clients, staff }, at);
    });
  }
  return erasedAgain;
}

/** What a command erased again. */
export interface FinishedRestore {
  erasedAgain: ErasedSubject[];
  /** Why some of the erased files are still in the document store; null if none are. */
  fileProblem: string | null;
}

/**
 * Does the same for a command, and removes the erased files. A store that refuses that, or is unavailable, must not fail
 * what is committed already: servers try to remove the files every hour.
 */
export async function finishRestoresWithFiles(
  dependencies: AfterRestoreWithFiles,
  database: Database,
): Promise<FinishedRestore> {
  const erasedAgain = await finishRestores(dependencies, database);
  const fileProblem = await dependencies.removeErasedFiles(database).then(() => null, describeStartFailure);
  return { erasedAgain, fileProblem };
}

/** Prints what a command erased again. @param source what lists it as erased */
export function printErasedAgain(
  { erasedAgain, fileProblem }: FinishedRestore,
  source: string,
  print: (line: string) => void,
): void {
  for (const { kind, id } of erasedAgain)
    print(`Erased again: ${kind} ${id}, which ${source} lists as erased.`);
  if (fileProblem !== null)
    print(`Files of erased cases could not be removed; servers try again every hour. ${fileProblem}`);
}

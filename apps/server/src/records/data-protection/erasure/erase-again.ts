import { sql } from 'drizzle-orm';
import { commandLineActor } from '../../../platform/audit/record-audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import type { ErasedSubject } from '../../backup/ports.ts';
import { eraseCase, eraseClient } from './erase.ts';

/**
 * Erases what a restored backup brought back, whatever its rules say: it was erased before. The files remain until
 * `removeFilesOfErasures` has run.
 * @returns what was erased again
 */
export async function eraseAgain(
  { database, clock }: { database: Database; clock: Clock },
  subjects: readonly ErasedSubject[],
): Promise<ErasedSubject[]> {
  const order = { by: { actor: commandLineActor() }, basis: 'restored', earlyReason: null } as const;
  const erased: ErasedSubject[] = [];
  // A client can only be erased after the cases that were theirs alone.
  for (const kind of ['case', 'client'] as const)
    for (const subject of subjects.filter((each) => each.kind === kind)) {
      const isErased = await runTransaction(database, async (transaction) => {
        const { rowCount } = await transaction.execute(
          kind === 'case'
            ? sql`select from conveyancing_cases where id = ${subject.id}::uuid for update`
            : sql`select from clients where id = ${subject.id}::uuid and erased_at is null for update`,
        );
        if (rowCount === 0) return false;
        const erase = kind === 'case' ? eraseCase : eraseClient;
        await erase(transaction, subject.id, { ...order, at: clock() });
        return true;
      });
      if (isErased) erased.push(subject);
    }
  return erased;
}

/** @returns the SHA-256 of the files that erasures have removed from the document store */
export async function findErasedFiles(database: Database): Promise<ReadonlySet<string>> {
  const { rows } = await database.execute<{ sha256: string }>(
    sql`select distinct sha256 from erased_files where state = 'removed'`,
  );
  return new Set(rows.map(({ sha256 }) => sha256));
}

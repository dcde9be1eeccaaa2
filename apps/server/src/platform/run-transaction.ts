import type { Database, Transaction } from './database.ts';

/** Tries at most, the first one among them. */
const tries = 4;

/**
 * Runs a transaction; from its beginning again where PostgreSQL gave it up for the sake of another one. The work
 * may therefore be done several times, of which at most one is kept: it does nothing outside of the transaction
 * that must not be repeated.
 * @throws what the work throws; the deadlock itself when every try met one
 */
export async function runTransaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await database.transaction(work);
    } catch (error) {
      if (left === 0 || !wasGivenUp(error)) throw error;
    }
  }
}

/** Serialisation failure or deadlock: PostgreSQL manual, appendix A. */
function wasGivenUp(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (code === '40001' || code === '40P01') return true;
  }
  return false;
}

import type { Database, Transaction } from './database.ts';

const maxAttempts = 4;

/**
 * Runs a transaction, and retries it after a deadlock or a serialisation failure. The work can run several times, of
 * which at most one is committed: it must have no side effects outside the transaction that must not be repeated.
 * @throws what the work throws; PostgreSQL's error if every attempt failed
 */
export async function runTransaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let left = maxAttempts - 1; ; left -= 1) {
    try {
      return await database.transaction(work);
    } catch (error) {
      if (left === 0 || !isRetryable(error)) throw error;
    }
  }
}

/** Serialisation failure or deadlock: see appendix A of the PostgreSQL manual. */
function isRetryable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (code === '40001' || code === '40P01') return true;
  }
  return false;
}

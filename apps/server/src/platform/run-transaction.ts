import { sql } from 'drizzle-orm';
import type { PgTransactionConfig } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from './database.ts';

export interface TransactionOptions extends PgTransactionConfig {
  /**
   * Sends statements without waiting for earlier results. The first statements of the work, which may only lock and
   * read, then share a round trip with `begin`.
   */
  isPipelined?: boolean;
  /** Milliseconds for each statement of the work, if that is not the session’s limit. */
  statementTimeout?: number;
}

const maxAttempts = 4;

/**
 * Runs a transaction, and retries it after a deadlock or a serialisation failure. The work can run several times,
 * with at most one commit, so side effects outside the transaction must be repeatable.
 * @throws the errors of the work; PostgreSQL's error if every attempt failed
 */
export async function runTransaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
  options?: TransactionOptions,
): Promise<Result> {
  for (let left = maxAttempts - 1; ; left -= 1) {
    try {
      return await database.transaction(work, options);
    } catch (error) {
      if (left === 0 || !isRetryable(error)) throw error;
    }
  }
}

/** Serialisation failure or deadlock: see appendix A of the PostgreSQL manual. */
const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(findSqlState(error) ?? '');

/** @returns PostgreSQL's code of an error; undefined if it has another cause */
export function findSqlState(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}

const committed = new WeakSet<Transaction>();

/** Whether the work of a transaction has committed it with `commitWith`. */
export const isCommitted = (transaction: Transaction): boolean => committed.has(transaction);

/**
 * Commits a pipelined transaction in the round trip of its last statement. If that fails, PostgreSQL rolls back.
 * @param last the statement, which was just sent
 */
export async function commitWith<Answer>(transaction: Transaction, last: Promise<Answer>): Promise<Answer> {
  const [answer] = await Promise.all([last, transaction.execute(sql`commit`)]);
  committed.add(transaction);
  return answer;
}

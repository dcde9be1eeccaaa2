import { sql } from 'drizzle-orm';
import type { Connection, Database, Transaction } from '../../platform/database.ts';
import { findSqlState, runTransaction } from '../../platform/run-transaction.ts';
import { FeedBusy } from './read-feed.ts';

/* The SQL of the import, apart from what the writers read and write. */

/**
 * Serialises the batches of imports, across servers. The commit of a batch does not wait for the disk; `flushFeed` does,
 * once for the whole feed.
 * @throws FeedBusy after the database's limit for waiting
 */
export async function lockImports(transaction: Transaction): Promise<void> {
  try {
    await transaction.execute(
      sql`select pg_advisory_xact_lock(7208114223), set_config('synchronous_commit', 'off', true)`,
    );
  } catch (error) {
    throw findSqlState(error) === lockNotAvailable ? new FeedBusy() : error;
  }
}

const lockNotAvailable = '55P03';

/**
 * Resolves when all earlier commits are on disk. PostgreSQL writes its log in order, and a transaction that adds to the
 * log waits for the disk.
 */
export const flushFeed = (connection: Connection) =>
  connection.execute(sql`select pg_logical_emit_message(true, 'keyturn', '')`);

/**
 * Updates the planner's statistics of all tables that an import writes, so that queries do not run with the plans of
 * empty tables until PostgreSQL does so itself.
 */
export const analyseImported = (database: Database) =>
  runTransaction(
    database,
    (transaction) =>
      transaction.execute(
        sql`analyze clients, conveyancing_cases, case_clients, matters, milestones, documents, case_searches, tasks,
        bills, history_entries`,
      ),
    { statementTimeout: 600_000 },
  );

/** Marks older documents as read by every client on their case, a day after they were shared. */
export const markDocumentsRead = (connection: Connection, { sharedBefore }: { sharedBefore: Date }) =>
  connection.execute(sql`
    insert into document_reads (document_id, client_id, read_at)
    select d.id, c.client_id, d.shared_at + interval '1 day'
    from documents d join matters m on m.id = d.matter_id join case_clients c on c.case_id = m.case_id
    where d.shared_at < ${sharedBefore.toISOString()}
    on conflict do nothing`);

import { sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Connection, Database, Transaction } from '../../platform/database.ts';
import { findSqlState, runTransaction } from '../../platform/run-transaction.ts';
import { bills } from '../../schema/tables/payment-tables.ts';
import * as tables from '../../schema/tables/tables.ts';
import type { OrderedList, StoredMember } from './batches/assign-positions.ts';
import { FeedBusy } from './read-feed.ts';

/* The SQL of the import, apart from what the writers read and write. */

/**
 * Serialises imports per batch, and edits at the desk, across servers. The commit of a batch does not wait for the disk;
 * `flushFeed` does, once for the whole feed.
 * @param options.isDurable whether the commit waits for the disk after all
 * @throws FeedBusy after the database's limit for waiting
 */
export async function lockFeed(transaction: Transaction, { isDurable = false } = {}): Promise<void> {
  try {
    await transaction.execute(
      sql`select pg_advisory_xact_lock(7208114223), set_config('keyturn.import', 'on', true)
        ${isDurable ? sql`` : sql`, set_config('synchronous_commit', 'off', true)`}`,
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
export const analyzeImported = (database: Database) =>
  runTransaction(
    database,
    (transaction) =>
      transaction.execute(
        sql`analyze clients, conveyancing_cases, case_clients, matters, milestones, documents, case_searches, tasks,
        bills, history_entries`,
      ),
    { statementTimeout: 600_000 },
  );

/**
 * The version that the feed last sent. Edits at the desk keep it, so that an unchanged feed does not overwrite them.
 */
export interface LastSent {
  /** The hash of its content; null for a record that the feed never sent. */
  hash: Buffer | null;
  /** When the feed sent it, if known. */
  sentAt: Date | null;
}

/** A stored record. */
export interface Known extends LastSent {
  id: string;
  /** The id of its case or matter; empty without one. */
  parent: string;
  /** The id of its case; empty for a client. */
  caseId: string;
  /** For a client: whether they have no password yet. */
  hasNoPassword?: boolean;
  /** Changes with each change of the stored row. */
  rowVersion?: string;
}

const none = sql<string>`''`;
const caseOf = (matterId: AnyPgColumn) =>
  sql<string>`(select m.case_id from matters m where m.id = ${matterId})`;

const sources = {
  clients: { table: tables.clients, parent: none, caseId: none },
  cases: {
    table: tables.conveyancingCases,
    parent: none,
    caseId: sql<string>`${tables.conveyancingCases.id}`,
  },
  matters: ofCase(tables.matters),
  documents: ofMatter(tables.documents),
  searches: ofMatter(tables.caseSearches),
  tasks: ofCase(tables.tasks),
  bills: ofCase(bills),
  history: ofCase(tables.historyEntries),
} as const;

function ofCase<
  Table extends typeof tables.matters | typeof tables.tasks | typeof tables.historyEntries | typeof bills,
>(table: Table) {
  return { table, parent: sql<string>`${table.caseId}`, caseId: sql<string>`${table.caseId}` };
}

function ofMatter<Table extends typeof tables.documents | typeof tables.caseSearches>(table: Table) {
  return { table, parent: sql<string>`${table.matterId}`, caseId: caseOf(table.matterId) };
}

export type KnownList = keyof typeof sources;

/** Finds stored records by reference, in one statement. */
export async function findKnown(
  connection: Connection,
  list: KnownList,
  references: string[],
): Promise<Map<string, Known>> {
  if (references.length === 0) return new Map();
  const { table, parent, caseId } = sources[list];
  const rows = await connection
    .select({
      reference: table.reference,
      id: table.id,
      hash: table.feedHash,
      sentAt: table.feedSentAt,
      rowVersion: sql<string>`${table}.xmin::text`,
      parent,
      caseId,
      hasNoPassword:
        list === 'clients' ? sql<boolean>`${tables.clients.passwordHash} is null` : sql<boolean>`false`,
    })
    .from(table as PgTable)
    .where(sql`${table.reference} = any(${sql.param([...new Set(references)])}::text[])`);
  return new Map(rows.map(({ reference, ...known }) => [reference ?? '', known]));
}

/** Reads the positions of the records in these cases or matters. */
export async function findStoredPositions(connection: Connection, list: OrderedList, parents: string[]) {
  if (parents.length === 0) return [];
  const { table, parent } = sources[list];
  return connection
    .select({ reference: table.reference, parent, position: table.position })
    .from(table as PgTable)
    .where(sql`${parent} = any(${sql.param([...new Set(parents)])}::uuid[])`) as Promise<StoredMember[]>;
}

export async function readInstallation(connection: Connection) {
  const [row] = await connection.select().from(tables.installation);
  if (!row) throw new Error('the installation has no row');
  return row;
}

export const writeInstallation = (
  connection: Connection,
  change: Partial<
    Pick<
      typeof tables.installation.$inferInsert,
      'contents' | 'firm' | 'feedFirm' | 'firmChangedAt' | 'firmChangedBy' | 'demonstrationComplete'
    >
  >,
) => connection.update(tables.installation).set({ ...change, updatedAt: sql`now()` });

/** Marks older documents as read by every client on their case, a day after they were shared. */
export const markDocumentsRead = (connection: Connection, { sharedBefore }: { sharedBefore: Date }) =>
  connection.execute(sql`
    insert into document_reads (document_id, client_id, read_at)
    select d.id, c.client_id, d.shared_at + interval '1 day'
    from documents d join matters m on m.id = d.matter_id join case_clients c on c.case_id = m.case_id
    where d.shared_at < ${sharedBefore.toISOString()}
    on conflict do nothing`);

import { sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Connection } from '../../platform/database.ts';
import { bills } from '../../schema/tables/payment-tables.ts';
import * as tables from '../../schema/tables/tables.ts';
import type { OrderedList, StoredMember } from './assign-positions.ts';

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

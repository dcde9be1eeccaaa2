import type { FeedList } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Connection } from '../../platform/database.ts';
import { clients } from '../../schema/tables/tables.ts';
import { type OrderedList, recordDefinitions } from './record-definitions.ts';

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

/** A stored record of an ordered list. */
export interface StoredMember {
  reference: string;
  /** The id of its case or matter. */
  parent: string;
  position: number;
}

const none = sql`''`;

/** Finds stored records by reference, in one statement. */
export async function findKnown(
  connection: Connection,
  list: FeedList,
  references: string[],
): Promise<Map<string, Known>> {
  if (references.length === 0) return new Map();
  const { table, parent, caseId } = recordDefinitions[list];
  const rows = await connection
    .select({
      reference: table.reference,
      id: table.id,
      hash: table.feedHash,
      sentAt: table.feedSentAt,
      rowVersion: sql<string>`${table}.xmin::text`,
      parent: sql<string>`${parent ?? none}`,
      caseId: sql<string>`${caseId ?? none}`,
      hasNoPassword: list === 'clients' ? sql<boolean>`${clients.passwordHash} is null` : sql<boolean>`false`,
    })
    .from(table as PgTable)
    .where(sql`${table.reference} = any(${sql.param([...new Set(references)])}::text[])`);
  return new Map(rows.map(({ reference, ...known }) => [reference ?? '', known]));
}

/** Reads the positions of the records in these cases or matters. */
export async function findStoredPositions(
  connection: Connection,
  list: OrderedList,
  parents: string[],
): Promise<StoredMember[]> {
  if (parents.length === 0) return [];
  const { table, parent } = recordDefinitions[list];
  const { rows } = await connection.execute<StoredMember & Record<string, unknown>>(
    sql`select reference, ${parent} as parent, position from ${table}
      where ${parent} = any(${sql.param([...new Set(parents)])}::uuid[])`,
  );
  return rows;
}

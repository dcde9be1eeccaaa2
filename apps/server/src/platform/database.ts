import type { ExtractTablesWithRelations } from 'drizzle-orm';
import type { NodePgDatabase, NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgTransaction } from 'drizzle-orm/pg-core';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type * as paymentTables from '../schema/tables/payment-tables.ts';
import type * as tables from '../schema/tables/tables.ts';

type Tables = typeof tables & typeof paymentTables;

/** The connection pool: runs each statement in its own transaction, or several in `runTransaction`. */
export type Database = NodePgDatabase<Tables>;

export type Transaction = PgTransaction<NodePgQueryResultHKT, Tables, ExtractTablesWithRelations<Tables>>;

/** A pool or a transaction: for statements that may run on their own or as part of the caller's transaction. */
export type Connection = PgDatabase<NodePgQueryResultHKT, Tables, ExtractTablesWithRelations<Tables>>;

/** Connections that reads share: several statements can be under way on each. See decision 40. */
export interface SharedConnections {
  /** @param statement only reads, and is a transaction on its own */
  read<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>>;
}

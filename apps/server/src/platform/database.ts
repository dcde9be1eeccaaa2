import type { ExtractTablesWithRelations } from 'drizzle-orm';
import type { NodePgDatabase, NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgTransaction } from 'drizzle-orm/pg-core';
import type * as paymentTables from './tables/payment-tables.ts';
import type * as tables from './tables/tables.ts';

type Tables = typeof tables & typeof paymentTables;

/** The connection pool: runs each statement in its own transaction, or several in `database.transaction(…)`. */
export type Database = NodePgDatabase<Tables>;

export type Transaction = PgTransaction<NodePgQueryResultHKT, Tables, ExtractTablesWithRelations<Tables>>;

/** A pool or a transaction: for statements that may run on their own or as part of the caller's transaction. */
export type Connection = PgDatabase<NodePgQueryResultHKT, Tables, ExtractTablesWithRelations<Tables>>;

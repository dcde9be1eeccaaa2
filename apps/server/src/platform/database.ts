import type { ExtractTablesWithRelations } from 'drizzle-orm';
import type { NodePgDatabase, NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgTransaction } from 'drizzle-orm/pg-core';
import type * as paymentTables from './payment-tables.ts';
import type * as tables from './tables.ts';

type Tables = typeof tables & typeof paymentTables;

/** The pool: each statement by itself, or `database.transaction(…)`. */
export type Database = NodePgDatabase<Tables>;

export type Transaction = PgTransaction<NodePgQueryResultHKT, Tables, ExtractTablesWithRelations<Tables>>;

/** Either of the two: for statements that may stand alone or inside somebody's transaction. */
export type Connection = PgDatabase<NodePgQueryResultHKT, Tables, ExtractTablesWithRelations<Tables>>;

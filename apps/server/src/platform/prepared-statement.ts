import type { SQL } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { QueryResult, QueryResultRow } from 'pg';
import type { Connection, Database } from './database.ts';

/** A query of Drizzle's builder. */
interface QueryToPrepare<Answer> {
  prepare(name: string): Prepared<Answer>;
}

interface Prepared<Answer> {
  execute(values?: Record<string, unknown>): Promise<Answer>;
}

/**
 * Prepares a statement of a path that has to be fast: its SQL is built once, and PostgreSQL parses it once for each
 * connection. See decision 25.
 * @param name unique among all statements
 * @param build builds the query with `sql.placeholder(name)` for each value; called at the first run
 * @returns runs the statement in a transaction or on its own
 */
export function prepareStatement<Answer, Values extends Record<string, unknown>>(
  name: string,
  build: (builder: Database) => QueryToPrepare<Answer>,
): (connection: Connection, values: Values) => Promise<Answer> {
  let prepared: Prepared<Answer> | undefined;
  return (connection, values) => {
    prepared ??= build(builder).prepare(name);
    return executeOn(connection, prepared, values);
  };
}

/** Prepares a statement that is written in SQL, as `prepareStatement` does. */
export function prepareSql<Row extends QueryResultRow, Values extends Record<string, unknown>>(
  name: string,
  build: () => SQL,
): (connection: Connection, values: Values) => Promise<QueryResult<Row>> {
  let prepared: Prepared<QueryResult<Row>> | undefined;
  return (connection, values) => {
    prepared ??= builder._.session.prepareQuery<{
      execute: QueryResult<Row>;
      all: unknown;
      values: unknown;
    }>(dialect.sqlToQuery(build()), undefined, name, false);
    return executeOn(connection, prepared, values);
  };
}

/** Builds queries without a connection. */
const builder: Database = drizzle.mock();
const dialect = new PgDialect();

/** Drizzle prepares a query for one connection: this runs it on another. */
function executeOn<Answer>(
  connection: Connection,
  prepared: Prepared<Answer>,
  values: Record<string, unknown>,
): Promise<Answer> {
  const { client } = connection._.session as unknown as { client: unknown };
  const bound: Prepared<Answer> = Object.create(prepared, { client: { value: client } });
  return bound.execute(values);
}

import { DrizzleQueryError, fillPlaceholders, type Query, type SQL } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg, { type CustomTypesConfig, type QueryResult, type QueryResultRow } from 'pg';
import type { Connection, Database, SharedConnections } from './database.ts';
import { inSpan, statementSpan } from './tracing/spans.ts';

/** A query of Drizzle's builder. */
interface QueryToPrepare<Answer> {
  prepare(name: string): Prepared<Answer>;
}

interface Prepared<Answer> {
  execute(values?: Record<string, unknown>): Promise<Answer>;
}

/**
 * Prepares a statement of a hot path: its SQL is built once, and PostgreSQL parses it once for each connection. See
 * decision 25.
 * @param name unique among all statements
 * @param build builds the query with `sql.placeholder(name)` for each value; called at the first run
 * @returns runs the statement in a transaction or on its own
 */
export function prepareStatement<Answer, Values extends Record<string, unknown>>(
  name: string,
  build: (builder: Database) => QueryToPrepare<Answer>,
): (connection: Connection, values: Values) => Promise<Answer> {
  const span = statementSpan(name);
  let prepared: Prepared<Answer> | undefined;
  return (connection, values) => {
    prepared ??= build(drizzle.mock()).prepare(name);
    const ready = prepared;
    return inSpan(span, () => executeOn(connection, ready, values));
  };
}

/** Prepares a statement that is written in SQL, as `prepareStatement` does. Dates and times are texts in its rows. */
export const prepareSql: <Row extends QueryResultRow, Values extends Record<string, unknown>>(
  name: string,
  build: () => SQL,
) => (connection: Connection, values: Values) => Promise<QueryResult<Row>> = prepareRead;

/** Prepares a statement as `prepareSql` does. It only reads, and can therefore share a connection with others. */
export function prepareRead<Row extends QueryResultRow, Values extends Record<string, unknown>>(
  name: string,
  build: () => SQL,
): (connection: Connection | SharedConnections, values: Values) => Promise<QueryResult<Row>> {
  const span = statementSpan(name);
  let query: Query | undefined;
  return async (connection, values) => {
    query ??= dialect.sqlToQuery(build());
    const { sql: text } = query;
    const params = fillPlaceholders(query.params, values);
    try {
      // Bypasses Drizzle's layers, which cost more than all other work of a read before PostgreSQL receives it.
      const statement = { name, text, types, values: params };
      return await inSpan(span, () =>
        'read' in connection ? connection.read<Row>(statement) : clientOf(connection).query<Row>(statement),
      );
    } catch (error) {
      throw new DrizzleQueryError(text, params, error as Error);
    }
  };
}

const dialect = new PgDialect();

/**
 * Dates, times, intervals and their arrays, and arrays of numerics, in the form that Drizzle returns for other
 * statements.
 */
const asText = new Set<number>([1082, 1114, 1184, 1186, 1115, 1182, 1185, 1187, 1231]);
const types: CustomTypesConfig = {
  getTypeParser: (type, format) =>
    asText.has(type) ? (value: unknown) => value : pg.types.getTypeParser(type, format as 'text'),
};

/** Runs a query that Drizzle prepared for one connection on another one. */
function executeOn<Answer>(
  connection: Connection,
  prepared: Prepared<Answer>,
  values: Record<string, unknown>,
): Promise<Answer> {
  const bound: Prepared<Answer> = Object.create(prepared, { client: { value: clientOf(connection) } });
  return bound.execute(values);
}

/** Returns the target of Drizzle's statements: the pool, or the connection of a transaction. */
const clientOf = (connection: Connection) =>
  (connection._.session as unknown as { client: Pick<pg.ClientBase, 'query'> }).client;

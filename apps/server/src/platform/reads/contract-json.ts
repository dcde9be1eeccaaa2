import { type SQL, sql } from 'drizzle-orm';

/* Writes parts of the contract's answers in SQL, for `json_build_object`. Names of rows and columns are constants. */

/** Writes columns that have the same name in the contract. @param row the row's name in the query */
export const columns = (row: string, ...names: string[]): SQL =>
  sql.raw(names.map((name) => `'${name}', ${row}.${name}`).join(', '));

/** Writes timestamps that have the same name in the contract, for example `2026-05-01T09:00:00.000Z`. */
export const instants = (row: string, ...names: string[]): SQL =>
  sql.raw(names.map((name) => `'${name}', ${asInstant(`${row}.${name}`)}`).join(', '));

const asInstant = (timestamp: string) =>
  `to_char(${timestamp} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Writes the fields that every entity has. */
export const entityFields = (row: string): SQL =>
  sql`${columns(row, 'id')}, ${instants(row, 'created_at', 'updated_at')}`;

/** Writes a list of JSON values as a scalar. @param query `from`, and what follows it @param order of the list */
export const jsonList = (value: SQL, { query, order }: { query: SQL; order: SQL }): SQL =>
  sql`(select coalesce(json_agg(${value} order by ${order}), '[]'::json) ${query})`;

/** Writes a list of constants, for `in (…)`: with parameters, PostgreSQL could not use a partial index. */
export const literals = (values: readonly string[]): SQL =>
  sql.raw(values.map((value) => `'${value}'`).join(', '));

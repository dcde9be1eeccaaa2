import { type SQL, sql } from 'drizzle-orm';

/* Writes parts of the contract's answers in SQL, for `json_build_object`. Names of rows and columns are constants. */

/** Writes columns that have the same name in the contract. @param row the row's name in the query */
export const columns = (row: string, ...names: string[]): SQL =>
  sql.raw(names.map((name) => `'${name}', ${row}.${name}`).join(', '));

/** Writes timestamps that have the same name in the contract, for example `2026-05-01T09:00:00.000Z`. */
export const instants = (row: string, ...names: string[]): SQL =>
  sql.join(
    names.map((name) => sql`${sql.raw(`'${name}'`)}, ${asInstant(`${row}.${name}`)}`),
    sql.raw(', '),
  );

/** Writes a timestamp in the contract's form. */
export const asInstant = (timestamp: string): SQL =>
  sql.raw(`to_char(${timestamp} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** Writes the fields that every entity has. */
export const entityFields = (row: string): SQL =>
  sql`${columns(row, 'id')}, ${instants(row, 'created_at', 'updated_at')}`;

/** Writes a list of JSON values as a scalar. @param query `from`, and what follows it @param order of the list */
export const jsonList = (value: SQL, { query, order }: { query: SQL; order: SQL }): SQL =>
  sql`(select coalesce(json_agg(${value} order by ${order}), '[]'::json) ${query})`;

/**
 * Writes the facts of fields that the server computes, in the place of these fields.
 * @param facts a JSON value; null for fields whose values depend on nothing
 */
export const computedFields = (facts: SQL): SQL => sql`'$computed', (${facts})::text`;

/**
 * Replaces the facts that `computedFields` wrote. The rest of the text stays as PostgreSQL wrote it: parsing a long list
 * to change a few of its fields costs more than everything else that the server does for a request.
 */
export const fillComputedFields = <Facts>(json: string, compute: (facts: Facts | null) => object): string =>
  json.replace(computed, (_found, facts: string) =>
    // The facts are a JSON string that contains JSON.
    JSON.stringify(compute(JSON.parse(JSON.parse(facts)))).slice(1, -1),
  );

/** Matches only the name of a field, because PostgreSQL escapes the quotation marks in texts. */
const computed = /"\$computed" : (null|"(?:[^"\\]|\\.)*")/g;

/** Writes a list of constants, for `in (…)`: with parameters, PostgreSQL could not use a partial index. */
export const literals = (values: readonly string[]): SQL =>
  sql.raw(values.map((value) => `'${value}'`).join(', '));

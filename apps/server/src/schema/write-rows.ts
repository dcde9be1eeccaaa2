import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from '../platform/database.ts';

/**
 * Inserts rows, and updates those that exist and their `updated_at`, with one statement each. The rows are sent as
 * one JSON value, which PostgreSQL converts to the types of the table.
 * @param rows all with the same fields in the same order
 */
export async function writeRows<Table extends PgTable & { id: unknown }>(
  transaction: Transaction,
  table: Table,
  rows: readonly { isNew: boolean; row: Table['$inferInsert'] & { id: string } }[],
): Promise<void> {
  const rowsThat = (isNew: boolean) => rows.filter((each) => each.isNew === isNew).map(({ row }) => row);
  // Updates run first, because a client's former email is then free for a new client.
  const updated = rowsThat(false);
  const [changed] = updated;
  if (changed) {
    const columns = columnsOf(table, changed).filter((column) => column !== 'id');
    await transaction.execute(sql`update ${table} set ${list(columns.map((column) => sql`${name(column)} = sent.${name(column)}`))},
      updated_at = now() from ${asRecords(table, updated)} as sent where ${table}.id = sent.id`);
  }
  await insertRows(transaction, table, rowsThat(true));
}

/** Inserts rows with one statement. @param onConflict what to do with rows that exist */
export async function insertRows<Table extends PgTable>(
  transaction: Transaction,
  table: Table,
  rows: readonly Table['$inferInsert'][],
  onConflict: SQL = sql``,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = list(columnsOf(table, first).map(name));
  await transaction.execute(
    sql`insert into ${table} (${columns}) select ${columns} from ${asRecords(table, rows)} ${onConflict}`,
  );
}

const name = (column: string) => sql`${sql.identifier(column)}`;
const list = (parts: SQL[]) => sql.join(parts, sql`, `);

/** The columns of a row in the order of its fields. */
function columnsOf(table: PgTable, row: object): string[] {
  const columns = getTableColumns(table);
  return Object.keys(row).map((field) => columns[field]?.name ?? field);
}

function asRecords<Table extends PgTable>(table: Table, rows: readonly Table['$inferInsert'][]): SQL {
  const names = columnsOf(table, rows[0] ?? {});
  const converted = rows.map((row) => {
    const record: Record<string, unknown> = {};
    let column = 0;
    for (const field in row) {
      const value = row[field];
      record[names[column++] ?? field] = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
    }
    return record;
  });
  return sql`json_populate_recordset(null::${table}, ${JSON.stringify(converted)}::json)`;
}

/** A statement that writes a table. */
export interface TableWrite {
  table: string;
  line: number;
}

const statement = /\b(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?"?([a-z_]+)"?/g;
const builder = /\.(?:insert|update|delete)\(\s*(?:\w+\.)?(\w+)\s*\)/g;
const rowWriter = /\b(?:writeRows|insertRows)\(\s*[\w.]+,\s*(?:tables\.)?(\w+)/g;

/**
 * Finds the statements of a source that write tables: SQL, Drizzle's builders, and the functions that write rows.
 * @param tables the SQL names of all tables by the names of their Drizzle constants
 */
export function findWrites(source: string, tables: ReadonlyMap<string, string>): TableWrite[] {
  const names = new Set(tables.values());
  const writes: TableWrite[] = [];
  const add = (table: string | undefined, index: number) => {
    if (table && names.has(table)) writes.push({ table, line: source.slice(0, index).split('\n').length });
  };
  for (const { 1: table, index } of source.matchAll(statement)) add(table, index);
  for (const pattern of [builder, rowWriter])
    for (const { 1: constant = '', index } of source.matchAll(pattern)) add(tables.get(constant), index);
  return writes;
}

import type pg from 'pg';

/** The parts of a schema that servers rely on, by name. */
export interface SchemaCatalogue {
  /** By `table.column`. */
  columns: Map<string, { type: string; isRequired: boolean; hasDefault: boolean }>;
  /** Constraints and unique indexes by name. */
  rules: Map<string, { table: string; definition: string; columns: string[] }>;
  /** Signatures of functions. */
  functions: Set<string>;
}

/** Reads the tables, their rules and the functions of the schema `public`. */
export async function readCatalogue(connection: Pick<pg.ClientBase, 'query'>): Promise<SchemaCatalogue> {
  const columns = await connection.query(
    `select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
       a.attnotnull as "isRequired", a.atthasdef or a.attidentity <> '' as "hasDefault"
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
       and a.attnum > 0 and not a.attisdropped`,
  );
  const rules = await connection.query(
    `select conname as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition, conkey as keys,
       conrelid as relation
     from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0 and contype in ('c', 'f', 'u', 'p', 'x')
     union all
     select i.indexrelid::regclass::text, i.indrelid::regclass::text, pg_get_indexdef(i.indexrelid), i.indkey::int2[],
       i.indrelid
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indisunique and c.relnamespace = 'public'::regnamespace
       and not exists (select from pg_constraint where conindid = i.indexrelid)`,
  );
  const attributes = await connection.query(
    `select attrelid as relation, attnum as key, attname as name from pg_attribute where attnum > 0 and not attisdropped`,
  );
  const nameOf = new Map(attributes.rows.map(({ relation, key, name }) => [`${relation} ${key}`, name]));
  const functions = await connection.query(
    `select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype`,
  );
  return {
    columns: new Map(columns.rows.map(({ name, ...column }) => [name, column])),
    rules: new Map(
      rules.rows.map(({ name, table, definition, keys, relation }) => {
        const named = (keys as number[]).map((key) => nameOf.get(`${relation} ${key}`) ?? '?');
        return [name, { table, definition, columns: named }];
      }),
    ),
    functions: new Set(functions.rows.map(({ name }) => name)),
  };
}

/**
 * Finds the differences between a release’s schema and a later schema that may break servers of that release.
 * @returns the reason for each name
 */
export function findBreakingChanges(known: SchemaCatalogue, later: SchemaCatalogue): Map<string, string> {
  const found = new Map<string, string>();
  const tables = new Set([...known.columns.keys()].map(tableOf));
  for (const [name, column] of known.columns) {
    const laterColumn = later.columns.get(name);
    if (!laterColumn) found.set(name, 'was removed');
    else if (laterColumn.type !== column.type)
      found.set(name, `has the type ${laterColumn.type} instead of ${column.type}`);
    else if (laterColumn.isRequired && !column.isRequired) found.set(name, 'is required');
    else if (!laterColumn.isRequired && column.isRequired)
      found.set(name, 'may be null, which the release cannot read');
    else if (laterColumn.isRequired && !laterColumn.hasDefault && column.hasDefault)
      found.set(name, 'no longer has a default');
  }
  const isNew = (column: string) => !known.columns.has(column);
  for (const [name, column] of later.columns) {
    const isMissingInInserts = column.isRequired && !column.hasDefault;
    if (isNew(name) && tables.has(tableOf(name)) && isMissingInInserts)
      found.set(name, 'is required and has no default');
  }
  for (const [name, rule] of later.rules) {
    const former = known.rules.get(name);
    if (!tables.has(rule.table) || former?.definition === rule.definition) continue;
    // Servers of the release leave new columns empty.
    if (!former && rule.columns.some((column) => isNew(`${rule.table}.${column}`))) continue;
    found.set(name, `is a ${former ? 'changed' : 'new'} rule of ${rule.table}: ${rule.definition}`);
  }
  for (const name of known.functions) if (!later.functions.has(name)) found.set(name, 'was removed');
  return found;
}

const tableOf = (column: string) => column.slice(0, column.indexOf('.'));

import type pg from 'pg';

/**
 * Reads every row of every table in a form that allows comparing two installations: ids of records become their
 * references; other ids and the times at which rows were written become a fixed word.
 * @param without tables that are left out
 * @returns the rows of each table as JSON, sorted
 */
export async function readContents(
  database: { query(text: string): Promise<pg.QueryResult> },
  without: readonly string[],
): Promise<Record<string, string[]>> {
  const tables = await database.query(
    `select t.table_name as name, count(*) filter (where column_name in ('id', 'reference')) = 2 as is_named
     from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' group by 1 order by 1`,
  );
  const names = new Map<string, string>();
  for (const { name } of tables.rows.filter(({ is_named }) => is_named)) {
    const { rows } = await database.query(`select id, reference from "${name}"`);
    for (const { id, reference } of rows) names.set(id, `${name} ${reference}`);
  }
  const contents: Record<string, string[]> = {};
  for (const { name } of tables.rows) {
    if (without.includes(name)) continue;
    const { rows } = await database.query(`select to_jsonb(stored) as stored from "${name}" stored`);
    contents[name] = rows
      .map(({ stored }) =>
        JSON.stringify(stored, (key, value) =>
          writingTimes.includes(key) && value !== null ? 'a time' : value,
        ).replaceAll(anyId, (id) => names.get(id) ?? 'an id'),
      )
      .sort();
  }
  return contents;
}

/** Columns with the time at which a row was written. */
const writingTimes = [
  'created_at',
  'updated_at',
  'closed_at',
  'feed_sent_at',
  'waiting_set_at',
  'firm_changed_at',
];

const anyId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

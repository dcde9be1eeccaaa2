import { createTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { currentSchema, migrate, schemaUpTo } from './migrate.ts';
import { migrations } from './read-migrations.ts';

const number = migrations.findIndex(({ name }) => name === 'words_of_steps_and_searches');

test('the upgrade gives the paths and the catalogue their new words, except those that the firm has edited', async () => {
  const { url, pool, drop } = await createTestDatabase();
  try {
    await pool.query('drop schema public cascade; create schema public');
    await migrate(url, { ...schemaUpTo(number), code: currentSchema.code });
    await pool.query(`insert into firm_data (kind, version, value, changed_by)
      select kind, 2, value || '{"stages": []}', 'Dana Price' from firm_data where kind = 'milestone_path/sale'`);
    await migrate(url, currentSchema);
    const { rows } = await pool.query<{ kind: string; version: number; changed_by: string | null }>(`
      select distinct on (kind) kind, version, changed_by from firm_data
      where kind in ('search_catalogue', 'document_groups') or kind like 'milestone%' order by kind, version desc`);
    expect(rows).toEqual([
      { kind: 'document_groups', version: 2, changed_by: null },
      { kind: 'milestone_path/purchase', version: 4, changed_by: null },
      { kind: 'milestone_path/remortgage', version: 4, changed_by: null },
      { kind: 'milestone_path/sale', version: 2, changed_by: 'Dana Price' },
      { kind: 'milestone_path/transfer-of-equity', version: 4, changed_by: null },
      { kind: 'search_catalogue', version: 2, changed_by: null },
    ]);
    const { rows: changed } = await pool.query<{
      kind: string;
      before: number;
      after: number;
      same: boolean;
    }>(`
      select later.kind, jsonb_path_query_array(first.value, '$.**.explanation')::text
        = jsonb_path_query_array(later.value, '$.**.explanation')::text as same,
        jsonb_array_length(coalesce(first.value -> 'steps', first.value)) as before,
        jsonb_array_length(coalesce(later.value -> 'steps', later.value)) as after
      from firm_data first join firm_data later on later.kind = first.kind and later.version = 2
      where first.version = 1 and later.changed_by is null and first.kind not in ('document_groups', 'payment_rules', 'regulation')`);
    for (const row of changed) expect(row).toMatchObject({ same: false, after: row.before });
  } finally {
    await drop();
  }
});

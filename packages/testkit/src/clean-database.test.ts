import { installation } from '@keyturn/server/schema/tables/tables.ts';
import { afterAll, expect, test } from 'vitest';
import { buildCase } from './builders/builders.ts';
import { createTestDatabase } from './test-database.ts';

const first = await createTestDatabase();
afterAll(() => first.drop());

/** Reads every row of every table, except the name of the installation. */
async function readAll({ pool }: typeof first) {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace not in
     ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) order by name`,
  );
  const contents: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query(
      `select coalesce(json_agg(to_jsonb(t) - 'installation_id' order by t::text), '[]') as rows from ${name} t`,
    );
    if (rows[0].rows.length > 0) contents[name] = rows[0].rows;
  }
  const { rows: sequences } = await pool.query(
    'select sequencename, last_value from pg_sequences order by 1',
  );
  return { contents, sequences };
}

test('a used database is a different installation without the earlier rows when the next test gets it', async () => {
  const expected = await readAll(first);
  const used = await createTestDatabase();
  await buildCase(used.database);
  await used.pool.query('delete from payment_transitions');
  const [before] = await used.database.select().from(installation);
  await used.drop();
  const next = await createTestDatabase();
  expect(next.url).toBe(used.url);
  expect(await readAll(next)).toEqual(expected);
  const [after] = await next.database.select().from(installation);
  expect(after?.installationId).not.toBe(before?.installationId);
  await next.drop();
});

test.each([
  ['triggers', 'alter table clients disable trigger user'],
  ['tables', 'alter table clients add column changed integer'],
  ['functions', 'create function changed() returns integer language sql as $$ select 1 $$'],
  ['statistics', 'analyze payment_transitions'],
])('a database is not reused after a test has changed its %s', async (_, statement) => {
  const changed = await createTestDatabase();
  await changed.pool.query(statement);
  await changed.drop();
  const next = await createTestDatabase();
  expect(next.url).not.toBe(changed.url);
  await next.drop();
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findWrites } from './find-writes.ts';
import { tableOwners } from './table-owners.ts';

const root = dirname(dirname(import.meta.dirname));
const server = 'apps/server/src/';
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const list = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '');

const allTables = [...read(`${server}schema/schema.sql`).matchAll(/create (?:unlogged )?table (\w+)/gi)].map(
  ([, table = '']) => table,
);
const owners = new Map(
  Object.entries(tableOwners).flatMap(([owner, tables]) => tables.map((table) => [table, owner] as const)),
);
/** The SQL names of the tables, by themselves and by the names of their Drizzle constants. */
const constants = new Map([
  ...allTables.map((table) => [table, table] as const),
  ...list(`${server}schema/tables/*.ts`).flatMap((file) =>
    [...read(file).matchAll(/export const (\w+) = pgTable\(\s*'(\w+)'/g)].map(
      ([, constant = '', table = '']) => [constant, table] as const,
    ),
  ),
]);

const isErasure = (file: string) => file.startsWith(`${server}schema/functions/records/`);

/** Lists the writes of a file to tables that another folder owns. */
function foreignWrites(file: string, source: string): string[] {
  if (isErasure(file)) return [];
  const place = file.slice(server.length).replace(/^schema\/functions\//, '');
  return findWrites(source, constants).flatMap(({ table, line }) => {
    const owner = owners.get(table) ?? 'no folder';
    return place.startsWith(`${owner}/`) ? [] : [`${file}:${line} writes ${table}, which ${owner} owns`];
  });
}

test('every table has one owner', () => {
  expect([...owners.keys()].sort()).toEqual([...allTables].sort());
  expect(Object.values(tableOwners).flat()).toHaveLength(owners.size);
});

test('only the owner of a table writes it, in TypeScript and in SQL functions', () => {
  const sources = list(`${server}**/*.ts`, `${server}schema/functions/**/*.sql`).filter(
    (file) => !/\.test\.ts$|\/testing\//.test(file),
  );
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.flatMap((file) => foreignWrites(file, read(file)))).toEqual([]);
});

test.each([
  ['an SQL statement', 'sql`update tasks set status = 1`', 'doors/staff/today-routes.ts', 'tasks'],
  [
    'an insertion',
    'sql`insert into  history_entries (id) values (1)`',
    'payments/mails/mail.ts',
    'history_entries',
  ],
  ['a deletion', 'delete from only sessions where true', 'schema/functions/live/clean.sql', 'sessions'],
  ['a builder of Drizzle', 'transaction.update(tables.documents).set({})', 'records/audit/a.ts', 'documents'],
  [
    'a writer of rows',
    'await writeRows(transaction, tables.clients, rows)',
    'case-file/people/a.ts',
    'clients',
  ],
])('the rule reports %s by another folder', (_, source, place, table) => {
  expect(foreignWrites(server + place, source)).toEqual([
    `${server}${place}:1 writes ${table}, which ${owners.get(table)} owns`,
  ]);
});

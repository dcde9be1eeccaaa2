import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expandingMigrations } from '../testing/expanding-migrations.ts';
import { findBreakingChanges, readCatalogue, type SchemaCatalogue } from '../testing/schema-catalogue.ts';
import { applyCode, type CodeObject, databaseCode } from './database-code.ts';
import { migrate } from './migrate.ts';
import { findRemovals, findWidened, type Migration, migrations } from './read-migrations.ts';
import { releases } from './releases.ts';

const { version, lastMigration, commit } = releases.at(-1) ?? { version: '0', lastMigration: 0, commit: '' };
let database: TestDatabase;
let released: SchemaCatalogue;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('drop schema public cascade; create schema public');
  await migrate(database.url, {
    migrations: migrations.slice(0, lastMigration),
    code: readReleasedFunctions() ?? databaseCode,
  });
  released = await readCatalogue(database.pool);
});
afterAll(() => database.drop());

/** Reads the functions of the last release, if its commit is here: a shallow clone has only the latest ones. */
function readReleasedFunctions(): CodeObject[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-functions-'));
  try {
    const archive = ['archive', `${commit}:apps/server/src/schema/functions`];
    const input = execFileSync('git', archive, {
      cwd: join(import.meta.dirname, '../../../..'),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    execFileSync('tar', ['--extract', '--directory', folder], { input });
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.sql'))
      .map((path) => ({
        name: `function ${/(\w+)\.sql$/.exec(path)?.[1]}`,
        sql: readFileSync(join(folder, path), 'utf8'),
      }));
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs statements on the schema of the last release, and rolls them back. @returns what its servers may fail at */
async function changesOf(sql: string) {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query(sql);
    return Object.fromEntries(findBreakingChanges(released, await readCatalogue(client)));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/**
 * Applies migrations to the schema of the last release one after another, then functions, and rolls them back.
 * @returns what its servers may fail at, without what the migrations name, by the names of the migrations
 */
async function unnamedChangesOf(later: readonly Pick<Migration, 'name' | 'sql'>[], code = databaseCode) {
  const client = await database.pool.connect();
  const found: Record<string, string[]> = {};
  const named = new Set<string>();
  let known = released;
  const compare = async (name: string) => {
    const changed = await readCatalogue(client);
    const before = findBreakingChanges(released, known);
    found[name] = [...findBreakingChanges(released, changed).keys()].filter(
      (change) => !before.has(change) && !named.has(change),
    );
    known = changed;
  };
  try {
    await client.query('begin');
    for (const { name, sql } of later) {
      await client.query(sql);
      for (const { names } of findRemovals(sql)) for (const removed of names) named.add(removed);
      for (const widened of findWidened(sql)) named.add(widened);
      await compare(name);
    }
    await applyCode(client, code);
    await compare('functions');
    return found;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

describe('migrations after the last release', () => {
  test('remove nothing that the last release uses, unless they name the release that stopped using it', async () => {
    const later = [...migrations.slice(lastMigration), ...expandingMigrations];
    expect(
      await unnamedChangesOf(later),
      `servers of ${version} fail at these: see docs/releasing.md`,
    ).toEqual({ ...Object.fromEntries(later.map(({ name }) => [name, []])), functions: [] });
  });

  test('are each compared with the schema of the last release, in their order', async () => {
    const later = [
      { name: 'expands', sql: 'alter table clients add column town text' },
      {
        name: 'breaks',
        sql: 'alter table clients alter column town set not null, alter column title set not null',
      },
      {
        name: 'names',
        sql: `-- Unused since ${version}: payments.last_cause\nalter table payments drop column last_cause`,
      },
    ];
    expect(await unnamedChangesOf(later)).toEqual({
      expands: [],
      breaks: ['clients.title', 'clients.town'],
      names: [],
      functions: [],
    });
  });

  test('keep the functions that the last release calls, unless a migration names them', async () => {
    const signature = 'broadcast(text,text,text[])';
    const code = databaseCode.filter(({ name }) => name !== 'function broadcast');
    expect(await unnamedChangesOf([], code)).toEqual({ functions: [signature] });
    const removal = { name: 'removal', sql: `-- Unused since ${version}: ${signature}` };
    expect(await unnamedChangesOf([removal], code)).toEqual({ removal: [], functions: [] });
  });

  test.each([
    ['drop table maintenance', { 'maintenance.area': 'was removed' }],
    ['alter table payments drop column last_cause', { 'payments.last_cause': 'was removed' }],
    ['alter table clients rename column phone to telephone', { 'clients.phone': 'was removed' }],
    [
      'alter table maintenance alter column message type varchar(500)',
      { 'maintenance.message': expect.stringContaining('type') },
    ],
    ['alter table clients alter column title set not null', { 'clients.title': 'is required' }],
    [
      'alter table clients alter column email drop not null',
      { 'clients.email': expect.stringContaining('null') },
    ],
    [
      'alter table clients add column town text not null',
      { 'clients.town': 'is required and has no default' },
    ],
    [
      'alter table clients add constraint short_phone check (length(phone) < 5)',
      { short_phone: expect.stringContaining('new rule of clients') },
    ],
    ['create unique index one_phone on clients (phone)', { one_phone: expect.stringContaining('new rule') }],
    ['drop function broadcast(text, text, text[])', { 'broadcast(text,text,text[])': 'was removed' }],
  ])('are found to break servers of the last release with “%s”', async (sql, expected) => {
    expect(await changesOf(sql)).toMatchObject(expected);
  });

  test.each([
    'create table towns (id uuid primary key, name text not null unique)',
    "alter table clients add column town text, add column nickname text not null default ''",
    'alter table clients add column town text unique check (length(town) < 50)',
    'create index clients_by_phone on clients (phone)',
    'alter table payments drop constraint payments_pkey cascade',
  ])('may expand the schema with “%s”', async (sql) => {
    expect(await changesOf(sql)).toEqual({});
  });
});

test('a migration that removes something needs the build of the release that stopped using it', () => {
  const { version: current } = releases.at(-1) ?? {};
  expect(findRemovals(`-- Unused since ${current}: payments.last_cause, clients.phone\nselect 1`)).toEqual([
    { since: releases.at(-1), names: ['payments.last_cause', 'clients.phone'] },
  ]);
  expect(() => findRemovals('-- Unused since 9.9.9: clients.phone')).toThrow(/names a version/);
});

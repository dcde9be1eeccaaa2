import { createTestDatabase, withTestDatabase } from '@keyturn/testkit';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openDatabaseForServer } from '../adapters/postgres/open-database.ts';
import { untilBlocked } from '../testing/until-blocked.ts';
import { type CodeObject, databaseCode, readTriggers } from './database-code.ts';
import {
  currentSchema,
  findPendingMigrations,
  jobQueueVersion,
  migrate,
  schemaUpTo,
  upgradeRestored,
} from './migrate.ts';
import { type Migration, migrations } from './read-migrations.ts';
import * as auditTables from './tables/audit-tables.ts';
import * as buildTables from './tables/build-tables.ts';
import * as deskTables from './tables/desk-tables.ts';
import * as disputeTables from './tables/dispute-tables.ts';
import { clientFactorTables, staffFactorTables } from './tables/factor-tables.ts';
import * as feedKeyTables from './tables/feed-key-tables.ts';
import * as paymentTables from './tables/payment-tables.ts';
import * as staffTables from './tables/staff-tables.ts';
import * as tables from './tables/tables.ts';
import * as webhookTables from './tables/webhook-tables.ts';

const testDatabase = withTestDatabase();

/** This build's schema with another migration. */
const schemaWith = (migration: Pick<Migration, 'name' | 'sql'>) => ({
  ...currentSchema,
  migrations: [...migrations, { ...migration, number: migrations.length + 1, oldestBuild: 0 }],
});

const query = async <Row extends pg.QueryResultRow>(sql: string) =>
  (await testDatabase.pool.query<Row>(sql)).rows;

describe('migrations', () => {
  test('migrations are numbered consecutively from 1', () => {
    expect(migrations.map((migration) => migration.number)).toEqual(migrations.map((_, index) => index + 1));
  });

  test('a second run applies no migrations', async () => {
    expect(await migrate(testDatabase.url)).toBe(0);
  });

  test('fault 37: concurrent servers apply each migration once', async () => {
    const empty = await createTestDatabase();
    try {
      await empty.pool.query('drop schema public cascade; create schema public');
      const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(empty.url)));
      expect(applied.sort()).toEqual([0, 0, 0, migrations.length]);
    } finally {
      await empty.drop();
    }
  });

  test('fault 37: accepts a database that a newer build has migrated, unless it has removed what this build uses', async () => {
    const database = await createTestDatabase();
    const newest = migrations.length;
    const setOldestBuild = (number: number) =>
      database.pool.query('update schema_migrations set oldest_build = $1 where number > $2', [
        number,
        newest,
      ]);
    try {
      await migrate(database.url, schemaWith({ name: 'next', sql: 'create table next ()' }));
      await setOldestBuild(newest + 1);
      await expect(migrate(database.url)).rejects.toThrow(
        `needs a build with migration ${newest + 1}; the latest of this build is ${newest}`,
      );
      await setOldestBuild(newest);
      expect(await migrate(database.url)).toBe(0);
      expect(await findPendingMigrations(database.url)).toEqual([]);
      await setOldestBuild(0);
      expect(await migrate(database.url)).toBe(0);
    } finally {
      await database.drop();
    }
  });

  test('finds the migrations that a database lacks without applying them', async () => {
    const schema = schemaWith({ name: 'next', sql: 'create table next ()' });
    expect(await findPendingMigrations(testDatabase.url, schema)).toEqual([
      { number: migrations.length + 1, name: 'next' },
    ]);
    expect(await query("select 1 from pg_tables where tablename = 'next'")).toEqual([]);
  });

  test('fault 37: a server that may not migrate refuses a database whose job queue lacks migrations, and names them', async () => {
    const database = await createTestDatabase();
    const open = () =>
      openDatabaseForServer({ databaseUrl: database.url, dataDirectory: '/nowhere', onPending: 'refuse' });
    try {
      const { rows } = await database.pool.query('select max(id) as version from graphile_worker.migrations');
      expect(rows).toEqual([{ version: jobQueueVersion }]);
      expect((await open()).pending).toEqual([]);
      await database.pool.query('delete from graphile_worker.migrations where id = $1', [jobQueueVersion]);
      expect(await findPendingMigrations(database.url)).toEqual([
        { number: jobQueueVersion, name: 'of the job queue' },
      ]);
      await expect(open()).rejects.toThrow(
        `lacks migrations of this Keyturn, from ${jobQueueVersion} ("of the job queue")`,
      );
      await database.pool.query('drop schema graphile_worker cascade');
      expect(await findPendingMigrations(database.url)).toHaveLength(1);
    } finally {
      await database.pool.query('drop schema if exists graphile_worker cascade');
      await migrate(database.url);
      await database.drop();
    }
  });

  test('fault 37: rejects a database whose job queue a newer build has changed in a way that this build does not know', async () => {
    const addMigration = (breaking: boolean) =>
      query(
        `insert into graphile_worker.migrations (id, breaking) values (${jobQueueVersion + 1}, ${breaking})
         on conflict (id) do update set breaking = ${breaking}`,
      );
    await addMigration(false);
    expect(await migrate(testDatabase.url)).toBe(0);
    await addMigration(true);
    await expect(migrate(testDatabase.url)).rejects.toThrow(
      `its migration ${jobQueueVersion + 1} needs a newer build; the latest of this build is ${jobQueueVersion}`,
    );
    await expect(findPendingMigrations(testDatabase.url)).rejects.toThrow(
      'The job queue of the database is newer',
    );
    await query(`delete from graphile_worker.migrations where id = ${jobQueueVersion + 1}`);
  });

  test('a migration that cannot lock its table gives way, and is applied once the table is free', async () => {
    const database = await createTestDatabase();
    const client = await database.pool.connect();
    const waiting = async () =>
      (await client.query("select from pg_locks where relation = 'maintenance'::regclass and not granted"))
        .rowCount;
    try {
      await client.query('begin; lock table maintenance');
      const migrating = migrate(
        database.url,
        schemaWith({
          name: 'next',
          sql: 'set lock_timeout = 20; alter table maintenance add column note text',
        }),
      );
      await untilBlocked(database);
      await expect.poll(waiting).toBe(0);
      await client.query('rollback');
      expect(await migrating).toBe(1);
    } finally {
      client.release();
      await database.drop();
    }
  });

  test('fault 37: rejects a database whose migrations differ from this build’s', async () => {
    const altered = migrations.map((migration, index) =>
      index === 0 ? { ...migration, sql: `${migration.sql} ` } : migration,
    );
    await expect(migrate(testDatabase.url, { ...currentSchema, migrations: altered })).rejects.toThrow(
      /differs from this build’s/,
    );
  });

  test('fault 37: rolls back a migration that fails', async () => {
    const sql = 'create table half_done (id int); select 1 / 0';
    await expect(migrate(testDatabase.url, schemaWith({ name: 'broken', sql }))).rejects.toThrow(
      /division by zero/,
    );
    expect(await query("select 1 from pg_tables where tablename = 'half_done'")).toEqual([]);
  });

  test('the tables in code have the columns of the database, with the same nullability', async () => {
    const inDatabase = await query<{ table_name: string; column_name: string; is_nullable: string }>(
      "select table_name, column_name, is_nullable from information_schema.columns where table_schema = 'public'",
    );
    const inCode = [
      tables,
      paymentTables,
      disputeTables,
      deskTables,
      auditTables,
      buildTables,
      feedKeyTables,
      staffTables,
      webhookTables,
      staffFactorTables,
      clientFactorTables,
    ]
      .flatMap((module) => Object.values(module))
      .filter((table) => is(table, PgTable));
    expect(inCode.length).toBeGreaterThan(10);
    for (const table of inCode) {
      const name = getTableName(table);
      const expected = inDatabase
        .filter((column) => column.table_name === name)
        .map((column) => `${column.column_name} ${column.is_nullable === 'YES' ? 'null' : 'not null'}`);
      const actual = Object.values(getTableColumns(table)).map(
        (column) => `${column.name} ${column.notNull || column.primary ? 'not null' : 'null'}`,
      );
      expect(actual.sort(), name).toEqual(expected.sort());
    }
  });
});

test('a restored database of an earlier version gets the later migrations, functions and triggers in one transaction', async () => {
  const { url, pool, drop } = await createTestDatabase();
  const client = await pool.connect();
  try {
    await client.query('drop schema public cascade; create schema public');
    await migrate(url, schemaUpTo(migrations.length - 1));
    await client.query('begin');
    await upgradeRestored(client);
    await client.query('rollback');
    expect(await findPendingMigrations(url)).toHaveLength(1);
    await client.query('begin');
    await upgradeRestored(client);
    await client.query('commit');
    expect(await findPendingMigrations(url)).toEqual([]);
  } finally {
    client.release();
    await drop();
  }
});

describe('functions and triggers', () => {
  const greet = (text: string) => ({
    name: 'function greet',
    sql: `create or replace function greet() returns text language sql as $$ select '${text}' $$;`,
  });
  const onMaintenance = (condition: string) =>
    readTriggers(`-- A comment.
create trigger maintenance_greeting after update of message on maintenance
  for each row when (${condition})
  execute function broadcast_maintenance();
`);
  const schemaAnd = (...code: CodeObject[]) => ({ ...currentSchema, code: [...databaseCode, ...code] });
  const conditionOf = async (pool: pg.Pool) =>
    (
      await pool.query(
        `select pg_get_triggerdef(oid) as definition from pg_trigger where tgname = 'maintenance_greeting'`,
      )
    ).rows.map(({ definition }) => /WHEN (.*) EXECUTE/.exec(definition)?.[1]);

  test('are applied again when their text changes, and dropped when it is removed', async () => {
    const { url, pool, drop } = await createTestDatabase();
    try {
      const first = schemaAnd(greet('hello'), ...onMaintenance('true'));
      expect(await findPendingMigrations(url, first)).toEqual([
        { number: migrations.length, name: 'changed functions and triggers' },
      ]);
      expect(await migrate(url, first)).toBe(0);
      expect(await findPendingMigrations(url, first)).toEqual([]);
      expect((await pool.query('select greet()')).rows).toEqual([{ greet: 'hello' }]);
      expect(await conditionOf(pool)).toEqual(['(true)']);
      const other = greet('good day').sql.replace('greet()', "greet(name text default '')");
      await migrate(url, schemaAnd({ ...greet(''), sql: other }, ...onMaintenance('new.since is null')));
      expect((await pool.query('select greet()')).rows).toEqual([{ greet: 'good day' }]);
      expect(await conditionOf(pool)).toEqual(['((new.since IS NULL))']);
      await migrate(url);
      await expect(pool.query('select greet()')).rejects.toThrow('does not exist');
      expect(await conditionOf(pool)).toEqual([]);
      expect(await findPendingMigrations(url)).toEqual([]);
    } finally {
      await drop();
    }
  });

  test('are applied with the last migration, or not at all', async () => {
    const { url, pool, drop } = await createTestDatabase();
    try {
      const { migrations: withNext } = schemaWith({ name: 'next', sql: 'create table next ()' });
      const broken = [greet('hello'), { name: 'function broken', sql: 'create or replace function broken' }];
      await expect(
        migrate(url, { migrations: withNext, code: [...databaseCode, ...broken] }),
      ).rejects.toThrow('syntax error');
      await expect(pool.query('select greet()')).rejects.toThrow('does not exist');
      await expect(pool.query('table next')).rejects.toThrow('does not exist');
    } finally {
      await drop();
    }
  });

  test('of a later version are left alone', async () => {
    const { url, pool, drop } = await createTestDatabase();
    try {
      await migrate(url, schemaAnd(greet('hello')));
      await pool.query("update schema_code set version = '0.1000.0'");
      expect(await findPendingMigrations(url, schemaAnd(greet('goodbye')))).toEqual([]);
      await migrate(url, schemaAnd(greet('goodbye')));
      expect((await pool.query('select greet()')).rows).toEqual([{ greet: 'hello' }]);
    } finally {
      await drop();
    }
  });

  test('have one definition each, in files that carry the names of the functions', async () => {
    const functions = await query<{ name: string }>(
      "select 'function ' || proname as name from pg_proc where pronamespace = 'public'::regnamespace",
    );
    const triggers = await query<{ name: string }>(
      `select format('trigger %s on %s', tgname, tgrelid::regclass) as name from pg_trigger
       where not tgisinternal and tgrelid::regclass::text not like 'graphile%'`,
    );
    const names = [...functions, ...triggers].map(({ name }) => name);
    expect(names.sort()).toEqual(databaseCode.map(({ name }) => name).sort());
  });
});

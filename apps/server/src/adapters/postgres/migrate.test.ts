import { createTestDatabase, withTestDatabase } from '@keyturn/testkit';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import * as auditTables from '../../schema/tables/audit-tables.ts';
import * as buildTables from '../../schema/tables/build-tables.ts';
import * as deskTables from '../../schema/tables/desk-tables.ts';
import * as disputeTables from '../../schema/tables/dispute-tables.ts';
import { clientFactorTables, staffFactorTables } from '../../schema/tables/factor-tables.ts';
import * as feedKeyTables from '../../schema/tables/feed-key-tables.ts';
import * as paymentTables from '../../schema/tables/payment-tables.ts';
import * as staffTables from '../../schema/tables/staff-tables.ts';
import * as tables from '../../schema/tables/tables.ts';
import * as webhookTables from '../../schema/tables/webhook-tables.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';
import { findPendingMigrations, jobQueueVersion, migrate, migrations } from './migrate.ts';
import { openDatabaseForServer } from './open-database.ts';

const testDatabase = withTestDatabase();

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
    const [newest, before] = [migrations.length, migrations.slice(0, -1)];
    const setOldestBuild = (number: number) =>
      testDatabase.pool.query('update schema_migrations set oldest_build = $2 where number = $1', [
        newest,
        number,
      ]);
    await setOldestBuild(newest);
    await expect(migrate(testDatabase.url, before)).rejects.toThrow(
      `needs a build with migration ${newest}; the latest of this build is ${newest - 1}`,
    );
    await setOldestBuild(newest - 1);
    expect(await migrate(testDatabase.url, before)).toBe(0);
    expect(await findPendingMigrations(testDatabase.url, before)).toEqual([]);
    await setOldestBuild(0);
    expect(await migrate(testDatabase.url, before)).toBe(0);
  });

  test('finds the migrations that a database lacks without applying them', async () => {
    const next = { number: migrations.length + 1, name: 'next', sql: 'create table next ()', oldestBuild: 0 };
    expect(await findPendingMigrations(testDatabase.url, [...migrations, next])).toEqual([
      { number: next.number, name: 'next' },
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
      const next = {
        number: migrations.length + 1,
        name: 'next',
        sql: 'set lock_timeout = 20; alter table maintenance add column note text',
        oldestBuild: 0,
      };
      const migrating = migrate(database.url, [...migrations, next]);
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
    await expect(migrate(testDatabase.url, altered)).rejects.toThrow(/differs from this build’s/);
  });

  test('fault 37: rolls back a migration that fails', async () => {
    const number = (migrations.at(-1)?.number ?? 0) + 1;
    const sql = 'create table half_done (id int); select 1 / 0';
    const broken = { number, name: 'broken', sql, oldestBuild: 0 };
    await expect(migrate(testDatabase.url, [...migrations, broken])).rejects.toThrow(/division by zero/);
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

test('migration 68 renames the stations of every stored milestone path to stages and keeps the order of its steps', async () => {
  const database = await createTestDatabase();
  const query = async (sql: string) => (await database.pool.query(sql)).rows;
  await query('drop schema public cascade; create schema public');
  await migrate(
    database.url,
    migrations.filter(({ number }) => number < 68),
  );
  // A version that the firm has edited, next to the one that Keyturn ships.
  await query(`insert into firm_data (kind, version, value) values ('milestone_path/sale', 2, '{
    "stations": [{ "title": "Start", "key_moment": false }, { "title": "End", "key_moment": true }],
    "steps": [{ "key": "b", "station": 0 }, { "key": "a", "station": 1 }, { "key": "c", "station": 1 }] }')`);
  const paths = (key: string) =>
    query(`select kind, version, jsonb_path_query_array(value, '$.steps[*].key') as keys,
      jsonb_path_query_array(value, '$.steps[*].${key}') as positions, value -> '${key}s' as named
      from firm_data where kind like 'milestone_path/%' order by kind, version`);
  const before = await paths('station');
  expect(before).toHaveLength(5);
  await migrate(database.url);
  expect(await paths('stage')).toEqual(before);
  expect(await query("select 1 from firm_data where value::text like '%station%'")).toEqual([]);
  await expect(query("update firm_data set value = '{}'")).rejects.toThrow('append-only');
  await database.drop();
});

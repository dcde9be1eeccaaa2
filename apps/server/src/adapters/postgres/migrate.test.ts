import { createTestDatabase, withTestDatabase } from '@keyturn/testkit';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import * as auditTables from '../../platform/tables/audit-tables.ts';
import * as deskTables from '../../platform/tables/desk-tables.ts';
import * as disputeTables from '../../platform/tables/dispute-tables.ts';
import * as feedKeyTables from '../../platform/tables/feed-key-tables.ts';
import * as paymentTables from '../../platform/tables/payment-tables.ts';
import * as staffTables from '../../platform/tables/staff-tables.ts';
import * as tables from '../../platform/tables/tables.ts';
import * as webhookTables from '../../platform/tables/webhook-tables.ts';
import { migrate, migrations } from './migrate.ts';

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

  test('concurrent servers apply each migration once', async () => {
    const empty = await createTestDatabase();
    try {
      await empty.pool.query('drop schema public cascade; create schema public');
      const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(empty.url)));
      expect(applied.sort()).toEqual([0, 0, 0, migrations.length]);
    } finally {
      await empty.drop();
    }
  });

  test('rejects a database that a newer build has migrated', async () => {
    await expect(migrate(testDatabase.url, migrations.slice(0, -1))).rejects.toThrow(
      /newer than this Keyturn/,
    );
  });

  test('rejects a database whose migrations differ from this build’s', async () => {
    const altered = migrations.map((migration, index) =>
      index === 0 ? { ...migration, sql: `${migration.sql} ` } : migration,
    );
    await expect(migrate(testDatabase.url, altered)).rejects.toThrow(/differs from this build’s/);
  });

  test('rolls back a migration that fails', async () => {
    const number = (migrations.at(-1)?.number ?? 0) + 1;
    const broken = { number, name: 'broken', sql: 'create table half_done (id int); select 1 / 0' };
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
      feedKeyTables,
      staffTables,
      webhookTables,
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

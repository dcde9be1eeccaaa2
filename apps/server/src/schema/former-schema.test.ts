import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { describeSchema } from '../testing/describe-schema.ts';
import { findPendingMigrations, migrate } from './migrate.ts';
import { checksum } from './read-migrations.ts';

const projectDirectory = join(import.meta.dirname, '../../../..');

/** The last commit with the migrations that the baseline replaces. */
const lastCommit = 'a5d6ab025bc5be1844a555d700cc9785f397aa8b';

/** Reads those migrations in their order, if the commit is here: a shallow clone has only the latest ones. */
function readFormerMigrations(): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: projectDirectory,
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    });
  const folder = `${lastCommit}:apps/server/src/adapters/postgres/migrations`;
  try {
    const names = git('ls-tree', '--name-only', folder).trim().split('\n');
    return names.map((name) => git('show', `${folder}/${name}`));
  } catch {
    return [];
  }
}

const former = readFormerMigrations();

test.runIf(former.length > 0)(
  'a database of the migrations that the baseline replaces becomes equal to a new one, and keeps its rows',
  async () => {
    const [database, fresh] = [await createTestDatabase(), await createTestDatabase()];
    const { pool, url } = database;
    try {
      await pool.query('drop schema public cascade; create schema public');
      await pool.query(
        `create table schema_migrations (number integer primary key, name text not null, checksum text not null,
           applied_at timestamptz not null default now(), oldest_build integer not null default 69)`,
      );
      for (const [index, sql] of former.entries()) {
        await pool.query(sql);
        await pool.query(
          `insert into schema_migrations (number, name, checksum, applied_at) values ($1, '', $2, $3)`,
          [index + 1, checksum({ sql }), new Date(2026, 0, index + 1)],
        );
      }
      await pool.query("insert into maintenance (area, message) values ('general', 'Kept')");
      const [first] = await findPendingMigrations(url);
      expect(first).toEqual({ number: 1, name: 'baseline' });
      await migrate(url);
      expect(await findPendingMigrations(url)).toEqual([]);
      expect(await describeSchema(pool)).toBe(await describeSchema(fresh.pool));
      expect((await pool.query('select message from maintenance')).rows).toEqual([{ message: 'Kept' }]);
      const { rows } = await pool.query('select applied_at from schema_migrations where number = 1');
      expect(rows).toEqual([{ applied_at: new Date(2026, 0, 24) }]);
    } finally {
      await database.drop();
      await fresh.drop();
    }
  },
);

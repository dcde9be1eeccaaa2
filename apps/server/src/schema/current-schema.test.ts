import { withTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { describeSchema } from '../testing/describe-schema.ts';
import { databaseCode } from './database-code.ts';

const database = withTestDatabase();

const head = `-- The whole current schema, written by "npm run schema" from a database with all migrations, functions and triggers.
-- Change it with a migration, or in functions/ and triggers/: see docs/releasing.md.
`;

test('schema.sql is the current schema; "npm run schema" writes it', async () => {
  await expect(`${head}\n${await describeSchema(database.pool)}`).toMatchFileSnapshot('./schema.sql');
});

test('every function of the database refers to tables, columns and functions that exist', async () => {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    for (const { sql } of databaseCode) if (sql.includes('create or replace')) await client.query(sql);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

import { withTestDatabase } from '@keyturn/testkit';
import pg from 'pg';
import { expect, test } from 'vitest';
import { findServerWarnings } from './server-warnings.ts';

const testDatabase = withTestDatabase();

test('warns of more servers than the connections of the database are enough for', async () => {
  const others = [1, 2].map(
    () => new pg.Client({ connectionString: testDatabase.url, application_name: 'keyturn webhooks' }),
  );
  for (const other of others) await other.connect();
  const warningsFor = (connections: number) => findServerWarnings({ pool: testDatabase.pool, connections });
  try {
    expect(await warningsFor(20)).toEqual([]);
    // The tests’ PostgreSQL allows 300 connections, of which three are reserved.
    expect(await warningsFor(146)).toEqual([]);
    expect(await warningsFor(147)).toEqual([
      'the 2 servers of this database may need 298 connections, and it allows 297: raise max_connections of PostgreSQL, or lower KEYTURN_DATABASE_CONNECTIONS',
    ]);
  } finally {
    for (const other of others) await other.end();
  }
});

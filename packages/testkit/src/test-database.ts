import { randomBytes } from 'node:crypto';
import { type ConnectedDatabase, connectDatabase } from '@keyturn/server/adapters/postgres/connect.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';

export interface TestDatabase extends ConnectedDatabase {
  /** For code that opens its own connections, such as a second pool or a server. */
  url: string;
  /** Ends the pool and removes the database. */
  drop(): Promise<void>;
}

/** Creates an empty, migrated database by cloning the test run's template. */
export async function createTestDatabase(options: { poolSize?: number } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onCluster(`create database ${name} template ${inject('templateName')}`);
  const url = new URL(inject('clusterUrl'));
  url.pathname = `/${name}`;
  const connected = connectDatabase({ url: url.href, size: options.poolSize ?? 20 });
  return {
    ...connected,
    url: url.href,
    drop: async () => {
      await connected.close();
      await onCluster(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Creates one empty, migrated database for all tests of a file. */
export function withTestDatabase(): TestDatabase {
  const testDatabase = {} as TestDatabase;
  beforeAll(async () => {
    Object.assign(testDatabase, await createTestDatabase());
  });
  afterAll(() => testDatabase.drop());
  return testDatabase;
}

/** Creates an empty, migrated database for each test of a file, for tests that read whole tables. */
export function withFreshTestDatabase(): TestDatabase {
  const testDatabase = {} as TestDatabase;
  beforeEach(async () => {
    Object.assign(testDatabase, await createTestDatabase());
  });
  afterEach(() => testDatabase.drop());
  return testDatabase;
}

async function onCluster(statement: string) {
  const client = new pg.Client({ connectionString: inject('clusterUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

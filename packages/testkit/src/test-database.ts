import { randomBytes } from 'node:crypto';
import { type ConnectedDatabase, connectDatabase } from '@keyturn/server/adapters/postgres/connect.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { createDatabaseCleaner } from './clean-database.ts';

export interface TestDatabase extends ConnectedDatabase {
  /** For code that opens its own connections, such as a second pool or a server. */
  url: string;
  /** Ends the pool. The database is removed, or cleaned for another test. */
  drop(): Promise<void>;
}

const cleaner = createDatabaseCleaner();
/** The names of the clean databases that no test of this worker uses. */
const unused: string[] = [];

/**
 * Creates an empty, migrated database by cloning the test run's template, or takes a clean one of an earlier test.
 * @param options.copyOf a test database to copy instead, as a backup does; its pool must be closed
 */
export async function createTestDatabase(
  options: { poolSize?: number; copyOf?: Pick<TestDatabase, 'url'> } = {},
): Promise<TestDatabase> {
  const { copyOf } = options;
  const name = (!copyOf && unused.pop()) || (await clone(copyOf));
  const url = urlOf(name);
  const connected = connectDatabase({ url, size: options.poolSize ?? 20 });
  // Opening a connection on a busy machine can take longer than the product's timeout.
  connected.pool.options.connectionTimeoutMillis = 60_000;
  // All databases are copies of one template, but each is a separate installation.
  if (!copyOf) await connected.pool.query('update installation set installation_id = gen_random_uuid()');
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= connected.close();
    return closed;
  };
  let dropped: Promise<void> | undefined;
  const release = async () => {
    if (!copyOf && (await cleaner.clean(url))) unused.push(name);
    else await onCluster(`drop database if exists ${name} with (force)`);
  };
  return {
    ...connected,
    close,
    url,
    drop: () => {
      dropped ??= close().then(release);
      return dropped;
    },
  };
}

/** Creates a database without any tables. */
export async function createBareDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onCluster(`create database ${name}`);
  return { url: urlOf(name), drop: () => onCluster(`drop database if exists ${name} with (force)`) };
}

/** @returns the name of a new copy of a test database, or of the template */
async function clone(source: Pick<TestDatabase, 'url'> | undefined): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // PostgreSQL copies only a database without connections.
  if (source) await cleaner.disconnect(source.url);
  const template = source ? new URL(source.url).pathname.slice(1) : inject('templateName');
  // Copying files takes half the processor time of PostgreSQL's default, which writes every page to its log.
  await onCluster(`create database ${name} template ${template} strategy file_copy`);
  if (!source) await cleaner.remember(urlOf(name));
  return name;
}

function urlOf(name: string): string {
  const url = new URL(inject('clusterUrl'));
  url.pathname = `/${name}`;
  return url.href;
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

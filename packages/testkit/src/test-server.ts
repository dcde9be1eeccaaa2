import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compose } from '@keyturn/server/composition/compose.ts';
import type { ComposeOptions } from '@keyturn/server/composition/compose-parts.ts';
import { readSettings } from '@keyturn/server/settings/read-settings.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { buildSession } from './builders/builders.ts';
import { openTestDocuments, type TestFiles } from './stored-documents.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export interface TestServer extends TestDatabase {
  app: FastifyInstance;
  /** The URL of the server. The sandbox's webhooks travel over HTTP, as in production. */
  url: string;
  dataDirectory: string;
  /** Its stored documents. */
  files: TestFiles;
  /** Signs a client in, as `signInClient` does. */
  signInAs(clientId: string, options?: { isSteppedUp?: boolean }): Promise<{ authorization: string }>;
  stop(): Promise<void>;
}

export interface TestServerOptions extends Pick<ComposeOptions, 'storeTimeouts'> {
  env?: NodeJS.ProcessEnv;
  /** The database; by default the server gets a new one. */
  database?: TestDatabase;
  /** Standard output by default. */
  logTo?: { write(line: string): void };
}

/** A minimal page in place of the builds of the dashboard and the desk, so that tests of the server need no build. */
export const fixtureDashboard = fileURLToPath(new URL('../fixture-dashboard', import.meta.url));

/** Starts the server as production composes it, in this process, on a free port and a new test database. */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const testDatabase = options.database ?? (await createTestDatabase());
  const dataDirectory = mkdtempSync(join(tmpdir(), 'keyturn-server-'));
  const projectDirectory = fileURLToPath(new URL('../../../', import.meta.url));
  const documents = openTestDocuments(dataDirectory);
  const env = {
    PORT: '0',
    LOG_LEVEL: 'silent',
    KEYTURN_ENVIRONMENT: 'test',
    KEYTURN_DEMONSTRATION: 'off',
    KEYTURN_DATA_DIR: dataDirectory,
    KEYTURN_DASHBOARD_DIR: fixtureDashboard,
    KEYTURN_DESK_DIR: fixtureDashboard,
    // Tests pay more often than people do, and all from one address.
    KEYTURN_PAYMENT_STARTS_PER_CLIENT: '1000000',
    KEYTURN_PAYMENT_STARTS_PER_ADDRESS: '1000000',
    KEYTURN_CARD_DECLINES_PER_CLIENT: '1000000',
    KEYTURN_CARD_DECLINES_PER_ADDRESS: '1000000',
    KEYTURN_REQUESTS_PER_ADDRESS: '1000000',
    KEYTURN_CHANGES_PER_CLIENT: '1000000',
    KEYTURN_READS_PER_CLIENT: '1000000',
    ...documents.settings,
    ...options.env,
  };
  if (options.database) await acceptAnyStore(testDatabase, documents.files);
  const keyturn = await compose({
    settings: readSettings(env, projectDirectory),
    databaseUrl: testDatabase.url,
    projectDirectory,
    version: '0.0.0',
    ...(options.logTo ? { logTo: options.logTo } : {}),
    ...(options.storeTimeouts ? { storeTimeouts: options.storeTimeouts } : {}),
  });
  if (options.database) await forgetStore(testDatabase);
  const url = await keyturn.listen();
  return {
    ...testDatabase,
    app: keyturn.app,
    url,
    dataDirectory,
    files: documents.files,
    signInAs: (clientId, options) => signInClient(testDatabase, clientId, options),
    stop: async () => {
      await keyturn.close();
      if (!options.database) await testDatabase.drop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Lets each server of one database have a separate store, which production refuses, and records without files. */
async function acceptAnyStore(database: TestDatabase, files: TestFiles): Promise<void> {
  await forgetStore(database);
  await files.writeId(randomUUID());
}

const forgetStore = ({ pool }: TestDatabase) =>
  pool.query('update shared_resources set document_store_id = null');

/**
 * Creates a session for a client without a password.
 * @param options.isSteppedUp whether the client has just confirmed their identity in it
 * @returns the authorisation header
 */
export async function signInClient(
  { database }: Pick<TestDatabase, 'database'>,
  clientId: string,
  { isSteppedUp = false } = {},
): Promise<{ authorization: string }> {
  const token = `kt_${randomBytes(32).toString('base64url')}`;
  await buildSession(database, {
    tokenHash: createHash('sha256').update(token).digest(),
    clientId,
    ...(isSteppedUp ? { steppedUpAt: new Date(), steppedUpWith: 'password' as const } : {}),
  });
  return { authorization: `Bearer ${token}` };
}

/** Starts one server for all tests of a file. */
export function withTestServer(options: TestServerOptions = {}): TestServer {
  const server = {} as TestServer;
  beforeAll(async () => {
    Object.assign(server, await createTestServer(options));
  });
  afterAll(() => server.stop());
  return server;
}

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFileStore } from '@keyturn/server/adapters/files/file-store.ts';
import type { createS3Store } from '@keyturn/server/adapters/files/s3-store.ts';
import type { Connection } from '@keyturn/server/platform/database.ts';
import type { FileStore } from '@keyturn/server/platform/stored-file.ts';
import type { documents } from '@keyturn/server/schema/tables/tables.ts';
import type { FixtureS3 } from '@keyturn/server/testing/s3/fixture-s3.ts';
import { afterAll, beforeAll, describe } from 'vitest';
import { buildDocument } from './builders/builders.ts';

/** The real document store, and functions that simulate damage to it. */
export interface TestFiles extends FileStore {
  /** Overwrites the file that is stored under this SHA-256, as a disk error or an intruder could. */
  tamper(sha256: string, change: (content: Buffer) => Buffer): Promise<void>;
  lose(sha256: string): Promise<void>;
}

interface S3Server extends FixtureS3 {
  createStore: typeof createS3Store;
}

/** The server of S3 in which stores are created; null: they are folders. */
let s3: S3Server | null = null;
const bucket = 'documents';

/**
 * Defines the tests of other files once more, with documents in S3. They run in those files with folders.
 * @param importTests imports the files, which create their stores with this module
 */
export function describeInS3(title: string, importTests: () => Promise<unknown>): void {
  describe(title, async () => {
    // Loaded only here, because both are large.
    const [{ startFixtureS3 }, { createS3Store }] = await Promise.all([
      import('@keyturn/server/testing/s3/fixture-s3.ts'),
      import('@keyturn/server/adapters/files/s3-store.ts'),
    ]);
    // The server computes the path of a listed bucket without the client’s final slash.
    const started = await startFixtureS3([bucket], { checksSignatures: false });
    const server = { ...started, createStore: createS3Store };
    s3 = server;
    await importTests();
    s3 = null;
    beforeAll(() => {
      s3 = server;
    });
    afterAll(async () => {
      s3 = null;
      await server.stop();
    });
  });
}

/** Opens a store for a server. @returns the settings with which the server uses it, too */
export function openTestDocuments(dataDirectory: string): {
  files: TestFiles;
  settings: Record<string, string>;
} {
  if (s3 === null) return { files: openFolder(join(dataDirectory, 'documents')), settings: {} };
  const prefix = `${randomUUID()}/`;
  return { files: openObjects(s3, prefix), settings: s3Settings(s3, { prefix }) };
}

/** Returns the settings of a server whose documents are in the bucket of a test. */
export const s3Settings = (
  { url, credentials }: Pick<FixtureS3, 'url' | 'credentials'>,
  { prefix = '' } = {},
): Record<string, string> => ({
  KEYTURN_DOCUMENT_STORE: 's3',
  KEYTURN_S3_BUCKET: bucket,
  KEYTURN_S3_REGION: 'us-east-1',
  KEYTURN_S3_ENDPOINT: url,
  KEYTURN_S3_PREFIX: prefix,
  KEYTURN_S3_ACCESS_KEY_ID: credentials.accessKeyId,
  KEYTURN_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
});

/** Creates an empty document store. */
export function createTestFiles(): TestFiles & { drop(): void } {
  if (s3 !== null) return { ...openObjects(s3, `${randomUUID()}/`), drop: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-files-'));
  return { ...openFolder(folder), drop: () => rmSync(folder, { recursive: true, force: true }) };
}

function openFolder(folder: string): TestFiles {
  const placeOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256.slice(2));
  return {
    ...createFileStore(folder),
    tamper: async (sha256, change) => writeFileSync(placeOf(sha256), change(readFileSync(placeOf(sha256)))),
    lose: async (sha256) => rmSync(placeOf(sha256)),
  };
}

function openObjects(server: S3Server, prefix: string): TestFiles {
  const store = server.createStore({
    bucket,
    prefix,
    region: 'us-east-1',
    endpoint: server.url,
    credentials: server.credentials,
    usesPathStyle: true,
    alertOperator: () => {},
    clock: () => new Date(),
  });
  const keyOf = (sha256: string) => `${prefix}${sha256.slice(0, 2)}/${sha256.slice(2)}`;
  return {
    ...store,
    tamper: async (sha256, change) => {
      await server.put(bucket, keyOf(sha256), change(await server.get(bucket, keyOf(sha256))));
    },
    lose: (sha256) => store.remove(sha256),
  };
}

/** Returns a two-page contract. Bytes after the end of the PDF make each file different. */
export const anyPdf = (): Buffer =>
  Buffer.concat([
    readFileSync(fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url))),
    Buffer.from(`\n% ${randomBytes(8).toString('hex')}\n`),
  ]);

/** Builds a document with a stored file, by default a contract. */
export async function buildStoredDocument(
  database: Connection,
  files: Pick<TestFiles, 'put'>,
  {
    content = anyPdf(),
    ...row
  }: Partial<typeof documents.$inferInsert> & {
    matterId: string;
    content?: Buffer;
  },
) {
  const sha256 = await files.put(content);
  return buildDocument(database, { ...row, sha256, size: content.length });
}

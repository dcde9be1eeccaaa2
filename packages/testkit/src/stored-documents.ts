import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFileStore } from '@keyturn/server/adapters/files/file-store.ts';
import type { Connection } from '@keyturn/server/platform/database.ts';
import type { documents } from '@keyturn/server/platform/tables/tables.ts';
import { buildDocument } from './builders.ts';

/** The real document store, and functions that simulate damage to its disk. */
export interface TestFiles extends ReturnType<typeof createFileStore> {
  /** Overwrites the file that is stored under this SHA-256, as a disk error or an intruder could. */
  tamper(sha256: string, change: (content: Buffer) => Buffer): void;
  lose(sha256: string): void;
}

/** @param folder the documents folder of a running server */
export function openTestFiles(folder: string): TestFiles {
  const placeOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256.slice(2));
  return {
    ...createFileStore(folder),
    tamper: (sha256, change) => writeFileSync(placeOf(sha256), change(readFileSync(placeOf(sha256)))),
    lose: (sha256) => rmSync(placeOf(sha256)),
  };
}

/** Creates a document store in a new temporary folder. */
export function createTestFiles(): TestFiles & { drop(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-files-'));
  return { ...openTestFiles(folder), drop: () => rmSync(folder, { recursive: true, force: true }) };
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

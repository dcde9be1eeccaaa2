import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { createFileStore } from './file-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'keyturn-store-'));
const files = createFileStore(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('reads a stored file back, up to the requested length', async () => {
  const content = Buffer.from('a document');
  const sha256 = await files.put(content);
  expect(await files.read(sha256, 1_000)).toEqual(content);
  expect(await files.read(sha256, content.length)).toEqual(content);
  expect(await files.read(sha256, 4)).toEqual(Buffer.from('a do'));
});

test('measures a file, and streams a range of its bytes', async () => {
  const content = Buffer.from('another document');
  const sha256 = await files.put(content);
  expect(await files.measure(sha256, 1_000)).toEqual({ size: content.length, sha256 });
  expect(await files.measure(sha256, 4)).toMatchObject({ size: 4 });
  expect((await buffer(files.open(sha256, { start: 2, end: 6 }))).toString()).toBe('other');
  await expect(buffer(files.open('a'.repeat(64), { start: 0, end: 1 }))).rejects.toThrow('ENOENT');
});

test('returns null for a missing file and for a folder', async () => {
  expect(await files.read('a'.repeat(64), 10)).toBeNull();
  mkdirSync(join(folder, 'bb', 'b'.repeat(62)), { recursive: true });
  expect(await files.read('b'.repeat(64), 10)).toBeNull();
  expect(await files.measure('a'.repeat(64), 10)).toBeNull();
  expect(await files.measure('b'.repeat(64), 10)).toBeNull();
});

test('rejects a name that is not a SHA-256', async () => {
  await expect(files.read('../../etc/passwd', 10)).rejects.toThrow('not a SHA-256');
});

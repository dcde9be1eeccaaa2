import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FileStoreUnavailable } from '../../platform/stored-file.ts';
import { type FaultyProxy, startFaultyProxy } from '../../testing/s3/faulty-proxy.ts';
import { type FixtureS3, startFixtureS3 } from '../../testing/s3/fixture-s3.ts';
import { createFileStore } from './file-store.ts';
import { createS3Store, type S3StoreOptions } from './s3-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'keyturn-store-'));
const alerts: unknown[] = [];
let s3: FixtureS3;
let proxy: FaultyProxy;
beforeAll(async () => {
  s3 = await startFixtureS3(['documents']);
  proxy = await startFaultyProxy(s3.url);
});
afterAll(async () => {
  await proxy.stop();
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  proxy.fail('none');
  alerts.length = 0;
});

const openS3 = (change: Partial<S3StoreOptions> = {}) =>
  createS3Store({
    bucket: 'documents',
    region: 'us-east-1',
    endpoint: proxy.url,
    prefix: 'keyturn/',
    credentials: s3.credentials,
    usesPathStyle: true,
    alertOperator: (message, details) => alerts.push([message, details.reason]),
    clock: () => new Date(),
    timeouts: { connection: 2_000, answer: 2_000 },
    ...change,
  });

const openFolder = () => createFileStore(folder);
const damageFile = async (sha256: string, content: Buffer) =>
  writeFileSync(join(folder, sha256.slice(0, 2), sha256.slice(2)), content);
const damageObject = (sha256: string, content: Buffer) =>
  s3.put('documents', `keyturn/${sha256.slice(0, 2)}/${sha256.slice(2)}`, content);

let contents = 0;
/** Returns content that no other test has stored. */
const newContent = (text = 'a document') => Buffer.from(`${text} ${contents++}`);
const missing = 'a'.repeat(64);

describe.each([
  { name: 'folder', open: openFolder, damage: damageFile },
  { name: 'S3', open: openS3, damage: damageObject },
])('the document store in: $name', ({ open, damage }) => {
  const openStore = () => open();

  test('reads a stored file back, up to the requested length', async () => {
    const files = openStore();
    const content = newContent();
    const sha256 = await files.put(content);
    expect(await files.read(sha256, 1_000)).toEqual(content);
    expect(await files.read(sha256, content.length)).toEqual(content);
    expect(await files.read(sha256, 4)).toEqual(content.subarray(0, 4));
    expect(await files.has(sha256)).toBe(true);
  });

  test('measures a stored file, and streams a range of its bytes', async () => {
    const files = openStore();
    const content = newContent('another document');
    const sha256 = await files.put(content);
    expect(await files.measure(sha256, 1_000)).toEqual({ size: content.length, sha256 });
    expect(await files.measure(sha256, 4)).toMatchObject({ size: 4 });
    expect((await buffer(files.open(sha256, { start: 2, end: 6 }))).toString()).toBe('other');
    const whole = { start: 0, end: content.length - 1 };
    expect(await buffer(files.open(sha256, whole))).toEqual(content);
  });

  test('remembers the measure of a stored file, and measures it again after it was damaged, even within the same minute', async () => {
    const files = openStore();
    const content = newContent('measured twice');
    const sha256 = await files.put(content);
    const first = await files.measure(sha256, 1_000);
    expect(await files.measure(sha256, 1_000)).toBe(first);
    await damage(sha256, Buffer.alloc(content.length));
    expect(await files.measure(sha256, 1_000)).not.toMatchObject({ sha256 });
  });

  test('stores a file of 3 MB, and the same file again', async () => {
    const files = openStore();
    const content = Buffer.alloc(3_000_000, newContent());
    const sha256 = await files.put(content);
    expect(await files.put(content)).toBe(sha256);
    expect(await files.measure(sha256, content.length + 1)).toEqual({ size: content.length, sha256 });
    const read = await buffer(files.open(sha256, { start: 0, end: content.length - 1 }));
    expect(read.equals(content)).toBe(true);
  });

  test('keeps the last id that was written to the store', async () => {
    const files = openStore();
    const id = 'c1a5e9b4-0b8e-4142-8242-424242424242';
    expect(await files.readId()).toBeNull();
    await files.writeId('9c1185a5-c5e9-4b0b-8e61-424242424242');
    await files.writeId(id);
    expect(await openStore().readId()).toBe(id);
  });

  test('fault 62: returns null for a missing file, whose stream fails', async () => {
    const files = openStore();
    expect(await files.read(missing, 10)).toBeNull();
    expect(await files.measure(missing, 10)).toBeNull();
    expect(await files.has(missing)).toBe(false);
    await expect(buffer(files.open(missing, { start: 0, end: 1 }))).rejects.toThrow();
  });

  test('fault 62: rejects a name that is not a SHA-256', async () => {
    await expect(openStore().read('../../etc/passwd', 10)).rejects.toThrow('not a SHA-256');
  });

  test('measures a damaged file as it is, and replaces it when the same content is stored again', async () => {
    const files = openStore();
    const content = newContent();
    const sha256 = await files.put(content);
    await damage(sha256, Buffer.from(content.toString().replace('a', 'b')));
    const measured = await files.measure(sha256, 1_000);
    expect(measured?.size).toBe(content.length);
    expect(measured?.sha256).not.toBe(sha256);
    expect(await files.put(content)).toBe(sha256);
    expect(await files.read(sha256, 1_000)).toEqual(content);
  });
});

async function listed(files: { list(): AsyncIterable<string> }): Promise<string[]> {
  const found: string[] = [];
  for await (const sha256 of files.list()) found.push(sha256);
  return found.sort();
}

test('a folder lists its stored files, without its id and those that are being written', async () => {
  const own = join(folder, 'own');
  const files = createFileStore(own);
  await files.writeId('9c1185a5-c5e9-4b0b-8e61-424242424242');
  expect(await listed(files)).toEqual([]);
  const [first = '', second = ''] = [await files.put(newContent()), await files.put(newContent())];
  writeFileSync(join(own, first.slice(0, 2), `${first.slice(2)}.0a1b2c3d4e5f`), 'half of a fi');
  expect(await listed(files)).toEqual([first, second].sort());
});

test('S3 lists the stored files of its prefix, without its id', async () => {
  const own = await startFixtureS3(['documents'], { checksSignatures: false });
  try {
    const files = openS3({ endpoint: own.url });
    await files.writeId('9c1185a5-c5e9-4b0b-8e61-424242424242');
    expect(await listed(files)).toEqual([]);
    const stored = [await files.put(newContent()), await files.put(newContent())];
    await own.put('documents', 'other/aa/file', newContent());
    await own.put('documents', 'keyturn/readme.txt', newContent());
    expect(await listed(files)).toEqual(stored.sort());
  } finally {
    await own.stop();
  }
});

test.each([
  { name: 'folder', open: () => createFileStore(folder) },
  { name: 'S3', open: openS3 },
])('removes a stored file, and does not fail if it is gone, in: $name', async ({ open }) => {
  const files = open();
  const sha256 = await files.put(newContent());
  await files.remove(sha256);
  expect(await files.has(sha256)).toBe(false);
  await files.remove(sha256);
});

test('S3 lists all files if its answers contain a few each', async () => {
  const own = await startFixtureS3(['documents'], { checksSignatures: false });
  const ownProxy = await startFaultyProxy(own.url);
  try {
    const files = openS3({ endpoint: ownProxy.url });
    const stored: string[] = [];
    for (let count = 0; count < 5; count += 1) stored.push(await files.put(newContent()));
    ownProxy.fail('lists-two');
    expect(await listed(files)).toEqual(stored.sort());
    expect(ownProxy.requests).toHaveLength(4);
  } finally {
    await ownProxy.stop();
    await own.stop();
  }
});

test('a folder in place of a stored file counts as missing', async () => {
  const files = createFileStore(folder);
  mkdirSync(join(folder, 'bb', 'b'.repeat(62)), { recursive: true });
  expect(await files.read('b'.repeat(64), 10)).toBeNull();
  expect(await files.measure('b'.repeat(64), 10)).toBeNull();
});

test('files have the same names in both stores, so that they can be copied', async () => {
  const content = newContent();
  const sha256 = await openS3({ prefix: '' }).put(content);
  const name = `${sha256.slice(0, 2)}/${sha256.slice(2)}`;
  expect(await s3.get('documents', name)).toEqual(content);
  await createFileStore(folder).put(content);
  expect(readFileSync(join(folder, name))).toEqual(content);
});

/** The reason of a failure, as the operator reads it. */
const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'succeeded',
    (error: unknown) => {
      expect(error).toBeInstanceOf(FileStoreUnavailable);
      expect(error).toMatchObject({ code: 'unavailable' });
      return ((error as Error).cause as Error).message;
    },
  );

test('fault 62: a document store in a folder does not follow a link out of it', async () => {
  const files = createFileStore(folder);
  const outside = join(mkdtempSync(join(tmpdir(), 'keyturn-outside-')), 'secret');
  writeFileSync(outside, 'a secret');
  const sha256 = await files.put(newContent());
  const stored = join(folder, sha256.slice(0, 2), sha256.slice(2));
  rmSync(stored);
  symlinkSync(outside, stored);
  expect(await files.has(sha256)).toBe(false);
  expect(await files.read(sha256, 100)).toBeNull();
  expect(await files.measure(sha256, 100)).toBeNull();
});

describe('a store in S3 that fails', () => {
  test('repeats requests when the store is busy or the connection breaks', async () => {
    const files = openS3();
    const content = newContent();
    proxy.fail('busy-twice');
    const sha256 = await files.put(content);
    proxy.fail('breaks-once');
    expect(await files.read(sha256, 1_000)).toEqual(content);
    expect(proxy.requests).toHaveLength(2);
    expect(alerts).toEqual([]);
  });

  test('fails after three attempts at a store that does not answer, and alerts the operator once', async () => {
    const files = openS3({ timeouts: { connection: 2_000, answer: 50 } });
    proxy.fail('silent');
    expect(await reasonOf(files.read(missing, 10))).toMatch(/^The document store does not answer in time/);
    expect(await reasonOf(files.put(newContent()))).toMatch(/does not answer in time/);
    expect(alerts).toEqual([
      ['the document store has a problem', expect.stringMatching(/^it does not answer/)],
    ]);
  });

  test('fails on a store that stops in the middle of a file', async () => {
    const content = Buffer.alloc(200_000, newContent());
    const sha256 = await openS3().put(content);
    const files = openS3({ timeouts: { connection: 2_000, answer: 300 } });
    proxy.fail('stalls');
    expect(await reasonOf(files.read(sha256, 1_000_000))).toMatch(/the answer stopped/);
    await expect(buffer(files.open(sha256, { start: 0, end: content.length - 1 }))).rejects.toThrow();
  });

  test('stores and verifies files while 200 downloads are read slowly', async () => {
    const files = openS3({ timeouts: { connection: 5_000, answer: 60_000 } });
    const content = Buffer.alloc(1_000, newContent());
    const sha256 = await files.put(content);
    proxy.fail('stalls');
    const streams = Array.from({ length: 200 }, () => files.open(sha256, { start: 0, end: 998 }));
    await Promise.all(streams.map((stream) => new Promise((done) => stream.once('readable', done))));
    proxy.fail('none');
    expect(await files.measure(sha256, 2_000)).toEqual({ size: 1_000, sha256 });
    expect(await files.put(newContent())).toMatch(/^[0-9a-f]{64}$/);
    for (const stream of streams) stream.destroy();
    files.close();
  });

  test('reports a full store, and stores nothing', async () => {
    const files = openS3();
    const content = newContent();
    proxy.fail('full');
    expect(await reasonOf(files.put(content))).toMatch(/^The document store is full/);
    proxy.fail('none');
    expect(await files.put(content)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('does not count a file as stored that the store has lost or altered', async () => {
    const files = openS3();
    for (const fault of ['forgets', 'alters'] as const) {
      proxy.fail(fault);
      expect(await reasonOf(files.put(newContent()))).toMatch(
        /does not return the bytes that it was given: keyturn\//,
      );
    }
  });

  test('never sends the end of a whole file whose bytes are altered', async () => {
    const files = openS3();
    const content = newContent();
    const sha256 = await files.put(content);
    proxy.fail('alters');
    const stream = files.open(sha256, { start: 0, end: content.length - 1 });
    const chunks: Buffer[] = [];
    const reading = (async () => {
      for await (const chunk of stream) chunks.push(chunk);
    })();
    expect(await reasonOf(reading)).toMatch(/returned other bytes/);
    expect(Buffer.concat(chunks).length).toBeLessThan(content.length);
  });

  test('reports a store that is unavailable', async () => {
    const files = openS3({ endpoint: 'http://127.0.0.1:1' });
    expect(await reasonOf(files.check({ writes: false }))).toBe(
      'The document store cannot be reached at 127.0.0.1:1 (ECONNREFUSED)',
    );
    expect(await reasonOf(files.put(newContent()))).toMatch(/cannot be reached/);
  });

  test('fails its check if the bucket or the credentials are wrong', async () => {
    await openS3().check({ writes: false });
    const noBucket = openS3({ bucket: 'no-such-bucket' });
    expect(await reasonOf(noBucket.check({ writes: false }))).toBe(
      'The document store has no bucket no-such-bucket',
    );
    await expect(noBucket.check({ writes: false })).rejects.toMatchObject({ isRefused: true });
    await expect(noBucket.put(newContent())).rejects.toMatchObject({ isRefused: true });
    proxy.fail('refuses');
    expect(await reasonOf(openS3().check({ writes: false }))).toMatch(
      /refuses access to documents \(AccessDenied\)/,
    );
    await expect(openS3().check({ writes: false })).rejects.toMatchObject({ isRefused: true });
  });

  test('fails its check with credentials that can only read, unless a command only reads', async () => {
    proxy.fail('refuses-writes');
    expect(await openS3().check({ writes: false })).toEqual([]);
    await expect(openS3().check({ writes: true })).rejects.toMatchObject({ isRefused: true });
  });

  test('checks that it can store and delete, and warns if erased files cannot be deleted', async () => {
    proxy.fail('none');
    expect(await openS3().check({ writes: true })).toEqual([]);
    expect(proxy.requests.map((line) => line.split(' ')[0])).toEqual(['GET', 'PUT', 'GET', 'DELETE']);
    proxy.fail('refuses-deletes');
    expect(await openS3().check({ writes: true })).toEqual([
      expect.stringMatching(/refuses access to documents .*So erased files cannot be deleted$/),
    ]);
  });

  test('looks for a file without reading it', async () => {
    const files = openS3();
    const sha256 = await files.put(newContent());
    proxy.fail('none');
    expect([await files.has(sha256), await files.has(missing)]).toEqual([true, false]);
    expect(proxy.requests.map((line) => line.split(' ')[0])).toEqual(['HEAD', 'HEAD']);
  });

  test('asks the store to encrypt new files if the settings do', async () => {
    const files = openS3({ encryption: { algorithm: 'aws:kms', keyId: 'alias/keyturn' } });
    proxy.fail('none');
    await files.put(newContent());
    expect(proxy.headers[1]).toMatchObject({
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'alias/keyturn',
    });
  });
});

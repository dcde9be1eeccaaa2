import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  anyPdf,
  buildCase,
  buildFirm,
  buildStoredDocument,
  createImportDependencies,
  createTestDatabase,
  createTestFiles,
  type TestDatabase,
} from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepWaitingFile } from '../../../case-file/import/documents/waiting-files.ts';
import { importFeed } from '../../../doors/import/import-feed.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { type FileStore, FileStoreUnavailable } from '../../../platform/stored-file.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { eraseCase } from './erase.ts';
import { erasedFilesHandler, removeFilesOfErasures, removeUnusedFiles } from './remove-erased-files-job.ts';

const files = createTestFiles();
let stored: TestDatabase;
beforeAll(async () => {
  stored = await createTestDatabase();
  await buildFirm(stored.database);
});
afterAll(async () => {
  await stored.drop();
  files.drop();
});
const clock = () => new Date();

/** Stores files that an erasure has left to be removed. */
async function eraseFiles(contents: Buffer[]): Promise<string[]> {
  const { id } = await buildCase(stored.database);
  const by = { actor: { kind: 'command_line', id: null, name: 'rhian' } } as const;
  const order = { at: clock(), by, basis: 'request', earlyReason: null } as const;
  const erasure = await runTransaction(stored.database, (transaction) => eraseCase(transaction, id, order));
  const hashes = await Promise.all(contents.map((content) => files.put(content)));
  for (const sha256 of hashes)
    await stored.pool.query('insert into erased_files (erasure_id, sha256) values ($1, $2)', [
      erasure,
      sha256,
    ]);
  return hashes;
}

const remove = (change: Pick<FileStore, 'remove'> = files) =>
  removeFilesOfErasures({ database: stored.database, files: change, clock });
const stateOf = async (sha256: string) =>
  (await stored.pool.query('select state from erased_files where sha256 = $1', [sha256])).rows[0]?.state;

let uploads = 0;
const upload = (content: Buffer, put: FileStore['put'] = files.put) => {
  const file = {
    reference: `D${uploads++}`,
    content,
    mediaType: 'application/pdf',
  } as const;
  return keepWaitingFile(
    { database: stored.database, files: { put, read: files.read } },
    file,
    clock(),
    async () => {},
  );
};

/** Stops work at `pass`, which resolves `reached`, until `open` is called. */
function gate() {
  let reach = () => {};
  let open = () => {};
  const reached = new Promise<void>((done) => {
    reach = done;
  });
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return {
    reached,
    open,
    pass: () => {
      reach();
      return opened;
    },
  };
}

test('a file that is uploaded again is not removed between its upload and its record', async () => {
  const content = anyPdf();
  const [sha256 = ''] = await eraseFiles([content]);
  const stop = gate();
  const uploading = upload(content, async (bytes) => {
    const put = await files.put(bytes);
    await stop.pass();
    return put;
  });
  await stop.reached;
  expect(await remove()).toBe(0);
  expect(await stateOf(sha256)).toBe('waiting');
  stop.open();
  await uploading;
  expect(await files.has(sha256)).toBe(true);
  expect(await remove()).toBe(0);
  expect(await stateOf(sha256)).toBe('kept');
  expect(await files.has(sha256)).toBe(true);
});

test('an upload of a file that is being removed waits, and then stores it again', async () => {
  const content = anyPdf();
  const [sha256 = ''] = await eraseFiles([content]);
  const stop = gate();
  const removing = remove({
    remove: async (removed) => {
      await stop.pass();
      await files.remove(removed);
    },
  });
  await stop.reached;
  const uploading = upload(content);
  await untilBlocked(stored);
  stop.open();
  expect(await removing).toBe(1);
  expect(await uploading).toBe(sha256);
  expect(await files.read(sha256, 1_000_000)).toEqual(content);
});

test('an upload asks the caller to try again if the removal of the same file takes too long', async () => {
  const content = anyPdf();
  await eraseFiles([content]);
  const stop = gate();
  const removing = remove({ remove: stop.pass });
  await stop.reached;
  await expect(upload(content)).rejects.toThrow(FileStoreUnavailable);
  stop.open();
  await removing;
});

test('a file of a case feed is not removed between the import of the file and of its record', async () => {
  const content = anyPdf();
  const [sha256 = ''] = await eraseFiles([content]);
  const stop = gate();
  const { database } = stored;
  const put: FileStore['put'] = async (bytes) => {
    const name = await files.put(bytes);
    await stop.pass();
    return name;
  };
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-feed-'));
  writeFileSync(join(folder, 'letter.pdf'), content);
  const importing = importFeed(createImportDependencies({ database, files: { put, read: files.read } }), {
    feed: fixtureFeed,
    folder,
    as: 'real',
    actor: { kind: 'command_line', id: null, name: 'rhian' },
  });
  await stop.reached;
  expect(await remove()).toBe(0);
  stop.open();
  expect((await importing).rejected).toEqual([]);
  rmSync(folder, { recursive: true });
  expect(await remove()).toBe(0);
  expect(await files.has(sha256)).toBe(true);
});

test('a file that cannot be removed leaves the others to be removed', async () => {
  const [first = '', second = '', third = ''] = (await eraseFiles([anyPdf(), anyPdf(), anyPdf()])).sort();
  const failing = {
    remove: (sha256: string) =>
      sha256 === first ? Promise.reject(new Error('the file is locked')) : files.remove(sha256),
  };
  await expect(remove(failing)).rejects.toThrow('the file is locked');
  expect(await Promise.all([first, second, third].map(stateOf))).toEqual(['waiting', 'removed', 'removed']);
  expect(await remove()).toBe(1);
  expect(await files.has(first)).toBe(false);
});

test('a server that ended while it stored a file delays its removal by a day at most', async () => {
  const [sha256 = ''] = await eraseFiles([anyPdf()]);
  await stored.pool.query('insert into file_reservations (id, sha256) values (gen_random_uuid(), $1)', [
    sha256,
  ]);
  expect(await remove()).toBe(0);
  await stored.pool.query("update file_reservations set reserved_at = now() - interval '25 hours'");
  expect(await remove()).toBe(1);
  expect((await stored.pool.query('select from file_reservations')).rowCount).toBe(0);
});

const day = 24 * 3_600_000;
/** Leaves out the files of earlier tests. */
async function forgetUnused() {
  await stored.pool.query('delete from feed_files');
  await stored.pool.query('delete from unused_files');
}
const removeUnused = (change: { after: number }) =>
  removeUnusedFiles({
    database: stored.database,
    files,
    clock: () => new Date(Date.now() + change.after),
  });

test('a file that a document no longer has is removed 35 days later, unless another document has it', async () => {
  await forgetUnused();
  const { matterId } = await buildCase(stored.database);
  const document = await buildStoredDocument(stored.database, files, { matterId });
  const shared = await buildStoredDocument(stored.database, files, { matterId });
  const other = await buildStoredDocument(stored.database, files, { matterId });
  const replace = async (id: string, sha256: string) =>
    stored.pool.query('update documents set sha256 = $2 where id = $1', [id, sha256]);
  await replace(other.id, shared.sha256);
  await replace(shared.id, await files.put(anyPdf()));
  await replace(document.id, await files.put(anyPdf()));

  expect(await removeUnused({ after: 34 * day })).toBe(0);
  const later = () => new Date(Date.now() + 36 * day);
  const { database } = stored;
  await erasedFilesHandler({ database, files, clock: later, mayRemoveUnused: async () => false }).work({});
  expect(await removeUnused({ after: 36 * day })).toBe(2);
  expect(await files.has(document.sha256)).toBe(false);
  expect(await files.has(other.sha256)).toBe(false);
  expect(await files.has(shared.sha256)).toBe(true);
});

test('the erasure of a case removes the former files of its documents at once', async () => {
  await forgetUnused();
  const { id, matterId } = await buildCase(stored.database);
  const document = await buildStoredDocument(stored.database, files, { matterId });
  await stored.pool.query('update documents set sha256 = $2 where id = $1', [
    document.id,
    await files.put(anyPdf()),
  ]);
  const by = { actor: { kind: 'command_line', id: null, name: 'rhian' } } as const;
  await runTransaction(stored.database, (transaction) =>
    eraseCase(transaction, id, { at: clock(), by, basis: 'request', earlyReason: null }),
  );
  expect(await remove()).toBe(1);
  expect(await removeUnused({ after: 0 })).toBe(1);
  expect(await files.has(document.sha256)).toBe(false);
});

test('an upload that no document had is removed once its time is over', async () => {
  await forgetUnused();
  const sha256 = await upload(anyPdf());
  expect(await removeUnused({ after: 0 })).toBe(0);
  await stored.pool.query("update feed_files set sent_at = now() - interval '25 hours'");
  await upload(anyPdf());
  expect(await removeUnused({ after: 0 })).toBe(1);
  expect(await files.has(sha256)).toBe(false);
});

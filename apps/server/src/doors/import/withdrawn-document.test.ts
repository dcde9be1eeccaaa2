import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createImportDependencies, withTestDatabase } from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { afterAll, expect, test } from 'vitest';
import { createFileStore } from '../../adapters/files/file-store.ts';
import { withdrawDocument } from '../../case-file/documents/withdraw-document.ts';
import { importFeed } from './import-feed.ts';

const testDatabase = withTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'keyturn-feed-'));
for (const file of ['letter.pdf', 'right.pdf']) writeFileSync(join(folder, file), `%PDF-1.7 ${file}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const actor = { kind: 'command_line', id: null, name: 'rhian' } as const;
const [letter] = fixtureFeed.documents;
const taskToRead = {
  reference: 'T2',
  case: 'K1',
  document: 'D1',
  kind: 'read_document',
  title: 'Read the letter',
  explanation: 'Now',
  status: 'open',
};

/** Sends the feed with a second document, and a task to read the first. */
const send = (change: object = {}) =>
  importFeed(
    createImportDependencies({
      database: testDatabase.database,
      files: createFileStore(join(folder, 'stored')),
    }),
    {
      feed: {
        ...fixtureFeed,
        documents: [letter, { ...letter, reference: 'D2', file: 'right.pdf' }],
        tasks: [...fixtureFeed.tasks, { ...taskToRead, ...change }],
      },
      folder,
      as: 'real',
      actor,
    },
  );
const statusOfTask = async () =>
  (await testDatabase.pool.query("select status from tasks where reference = 'T2'")).rows[0]?.status;

test('a feed does not open the task of a withdrawn document again, and says why', async () => {
  expect((await send()).rejected).toEqual([]);
  expect(await statusOfTask()).toBe('open');
  const { rows } = await testDatabase.pool.query("select id from documents where reference = 'D1'");
  await testDatabase.database.transaction((transaction) =>
    withdrawDocument(transaction, {
      documentId: rows[0].id,
      reason: 'mistake',
      at: new Date(),
      by: { actor, address: null },
    }),
  );
  expect(await statusOfTask()).toBe('done');

  // The firm's system does not know of the withdrawal, and sends what it has sent before.
  expect((await send()).rejected).toEqual([]);
  expect(await statusOfTask()).toBe('done');

  expect((await send({ title: 'Please read the letter' })).rejected).toMatchObject([
    {
      reference: 'T2',
      place: '/tasks/1/document',
      reason: 'refers to "D1", which was withdrawn, so the task cannot be open',
    },
  ]);
  expect(await statusOfTask()).toBe('done');

  expect((await send({ title: 'Please read the letter', status: 'done' })).rejected).toEqual([]);
  expect((await send({ document: 'D2' })).rejected).toEqual([]);
  expect(await statusOfTask()).toBe('open');
});

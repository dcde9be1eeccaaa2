import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FeedList, feedRecords } from '@keyturn/contract';
import { createImportDependencies, createTestDatabase, readContents } from '@keyturn/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCalendar } from '../../../../../demo/calendar.ts';
import { demonstrationFeed, makeDemonstration } from '../../../../../demo/make-demonstration.ts';
import { createFileStore } from '../../adapters/files/file-store.ts';
import { storeIdFile } from '../../platform/stored-file.ts';
import { withFeedServer } from '../../testing/feed-caller.ts';
import { runImport } from '../import/import-command.ts';

const loadedOn = '2026-11-20';
const { server, newKey, rows, call } = withFeedServer(demonstrationFeed(createCalendar(loadedOn)).firm);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-same-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Lists = Record<FeedList, { reference: string; file?: string }[]>;

/** The demonstration firm as a feed on disk. Without passwords, which are not sent over HTTP. */
async function makeFeed(): Promise<{ file: string; lists: Lists }> {
  const sources = join(import.meta.dirname, '../../../../../demo');
  const made = await makeDemonstration({ folder, sources, loadedOn });
  const feed = { ...made, clients: made.clients?.map(({ password: _password, ...client }) => client) };
  const file = join(folder, 'feed.json');
  writeFileSync(file, JSON.stringify(feed));
  return { file, lists: feed as unknown as Lists };
}

/** Sends a list record by record, each document after its file. A key for each list, because requests are limited. */
async function sendEach(list: FeedList, records: Lists[FeedList]): Promise<void> {
  const { secret } = await newKey(`${list}:write`);
  for (const { reference, ...record } of records) {
    const path = `/${list}/${encodeURIComponent(reference)}`;
    if (record.file !== undefined) {
      const payload = readFileSync(join(folder, record.file));
      const headers = { 'content-type': record.file.endsWith('.png') ? 'image/png' : 'application/pdf' };
      expect((await call('PUT', `${path}/file`, { secret, payload, headers })).status).toBe(200);
    }
    expect(await call('PUT', path, { secret, payload: record })).toMatchObject({ status: 201 });
  }
}

async function sendLines({ lists, kinds }: { lists: Lists; kinds: readonly FeedList[] }): Promise<void> {
  const lines = kinds.flatMap((kind) => lists[kind].map((record) => `${JSON.stringify({ kind, record })}\n`));
  const { status, body } = await call('POST', '/batches', { payload: lines.join('') });
  expect({ status, ...body.data }).toMatchObject({ status: 200, created: lines.length, rejected: [] });
}

/**
 * Tables that may differ: the audit log, live updates, which are merged in each transaction, what a server’s periodic
 * jobs write while the test runs, what it shares with other servers, and the labels of filters, which come from the case
 * that was written last.
 */
const exceptions = [
  ...['audit_entries', 'audit_links', 'feed_keys', 'feed_key_secrets'],
  'broadcast_events',
  ...['payment_continuity', 'refund_checks', 'payment_check_reports', 'balance_fetches', 'dispute_lookups'],
  'case_filter_values',
  'shared_resources',
];
test('the demonstration firm that is sent over HTTP is stored as keyturn import stores it', async () => {
  const { file, lists } = await makeFeed();
  const imported = await createTestDatabase();
  const printed: string[] = [];
  const importInto = (stored: Parameters<typeof createImportDependencies>[0]) =>
    runImport(createImportDependencies(stored), { file, dryRun: false }, (line) => printed.push(line));
  const files = createFileStore(join(folder, 'imported'));
  expect(await importInto({ database: imported.database, files })).toBe(0);

  const inLines: FeedList[] = ['history', 'bills'];
  for (const list of Object.keys(feedRecords) as FeedList[])
    if (!inLines.includes(list)) await sendEach(list, lists[list]);
  await sendLines({ lists, kinds: inLines });

  expect(await readContents(server.pool, exceptions)).toEqual(await readContents(imported.pool, exceptions));
  const filesIn = (place: string) =>
    (readdirSync(place, { recursive: true }) as string[]).filter((name) => name !== storeIdFile).sort();
  expect(filesIn(join(server.dataDirectory, 'documents'))).toEqual(filesIn(join(folder, 'imported')));
  expect(await rows('select from feed_files')).toEqual([]);
  expect(await importInto(server)).toBe(0);
  expect(printed).toEqual([
    expect.stringMatching(/^\d+ created, 0 updated, 0 unchanged, 0 rejected$/),
    expect.stringMatching(/^0 created, 0 updated, \d+ unchanged, 0 rejected$/),
  ]);
  await imported.drop();
});

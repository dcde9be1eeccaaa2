import { readContents } from '@keyturn/testkit/read-contents.ts';
import { runLength } from '@keyturn/testkit/run-length.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pauseWrites } from '../harness/pause-at-table.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from '../harness/start-product.ts';
import { makeLines } from '../imports/make-feed.ts';
import { openFeed, sendBatch, waitForBatch } from '../imports/send-batch.ts';

/** The server is killed while it inserts the first new row into each of these tables. */
const places = runLength({
  short: ['milestones', 'history_entries'],
  long: ['clients', 'case_clients', 'milestones', 'case_searches', 'tasks', 'bills', 'history_entries'],
});
const lines = [...makeLines({ records: runLength({ short: 3_000, long: 20_000 }), seed: 1 })];

let product: RunningProduct;
let database: pg.Client;
let secret: string;
const start = async (dataDirectory?: string) => {
  product = await startProduct({
    env: { KEYTURN_DEMONSTRATION: 'off' },
    ...(dataDirectory ? { dataDirectory } : {}),
  });
};
beforeAll(async () => {
  await start();
  database = await connectToProductDatabase(product.dataDirectory);
  secret = await openFeed(product.dataDirectory);
});
afterAll(async () => {
  await database.end();
  await product.stop();
  removeDataDirectory(product.dataDirectory);
});

/** Ordered so that no delete violates a foreign key. */
const tables = [
  ...['history_entries', 'tasks', 'bills', 'case_searches', 'milestones', 'case_summaries'],
  ...['matters', 'case_clients', 'conveyancing_cases', 'clients'],
];
/** Differ between the two runs: they are about batches, keys and live updates. */
const differing = [
  ...['audit_entries', 'audit_links', 'feed_batches', 'feed_keys', 'feed_key_secrets'],
  'broadcast_events',
];
const readRecords = () => readContents(database, differing);
const sendAll = async () => waitForBatch(product.url, secret, await sendBatch(product.url, secret, lines));

test(`a server killed ${places.length} times during a large batch stores the same as an undisturbed one`, async () => {
  for (const table of places) {
    const paused = await pauseWrites(database, { table, event: 'insert' });
    await sendBatch(product.url, secret, lines);
    await paused.reached();
    await product.kill();
    await paused.release();
    await start(product.dataDirectory);
  }
  const repeated = await sendAll();
  expect(repeated).toMatchObject({ state: 'done', updated: 0, rejected_count: 0 });
  expect([Number(repeated.created) > 0, Number(repeated.unchanged) > 0]).toEqual([true, true]);
  expect(Number(repeated.created) + Number(repeated.unchanged)).toBe(lines.length);
  const disturbed = await readRecords();

  for (const table of tables) await database.query(`delete from ${table}`);
  expect(await sendAll()).toMatchObject({ state: 'done', created: lines.length, rejected_count: 0 });
  const undisturbed = await readRecords();
  // One table at a time, because the difference of all tables is too long to be shown.
  for (const table of Object.keys(undisturbed)) expect(disturbed[table], table).toEqual(undisturbed[table]);
});

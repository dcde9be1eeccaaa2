import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLength } from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FeedError } from '../../../case-file/import/read-feed.ts';
import { openFeedFile } from './feed-file.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-feed-file-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function readFeed(text: string, chunkBytes?: number) {
  const file = join(folder, 'feed.json');
  writeFileSync(file, text);
  const source = await openFeedFile(file, chunkBytes);
  try {
    const records: unknown[] = [];
    for await (const batch of source.readBatches('history')) records.push(...batch);
    return { firm: source.firm, counts: source.counts, records };
  } finally {
    await source.close();
  }
}

describe('openFeedFile', () => {
  test('a feed file gives the same records for any order of the lists and any chunk size', async () => {
    const history = Array.from({ length: 40 }, (_, index) => ({
      reference: `H"\\${index}`,
      summary: '李 “é” ]}',
    }));
    const { firm, ...rest } = { ...fixtureFeed, history };
    const reversed = Object.fromEntries(Object.entries({ firm, ...rest }).reverse());
    for (const feed of [{ firm, ...rest }, reversed]) {
      for (const chunkBytes of [1, 2, 7, undefined]) {
        const read = await readFeed(`\uFEFF${JSON.stringify(feed, null, 1)}\n`, chunkBytes);
        expect(read).toMatchObject({ firm, records: history, counts: { history: 40, clients: 1, bills: 0 } });
      }
    }
  });

  test('rejects a feed file with bytes that are not UTF-8, and says where they are', async () => {
    const file = join(folder, 'latin1.json');
    writeFileSync(file, JSON.stringify({ ...fixtureFeed, history: [{ summary: 'Zoë' }] }), 'latin1');
    await expect(openFeedFile(file)).rejects.toThrow(/bytes that are not UTF-8, in the value at byte \d+/);
  });

  test('a list of a feed file is read in batches', async () => {
    const file = join(folder, 'long.json');
    const history = Array.from({ length: 2_500 }, (_, index) => ({ reference: `H${index}` }));
    writeFileSync(file, JSON.stringify({ ...fixtureFeed, history }));
    const source = await openFeedFile(file);
    const sizes: number[] = [];
    for await (const batch of source.readBatches('history')) sizes.push(batch.length);
    await source.close();
    expect(sizes).toEqual([1_000, 1_000, 500]);
  });

  test.each([
    ['', /is not JSON: /],
    [
      '{"format": "keyturn-case-feed/1"',
      /is not JSON: expected "," instead of the end of the file at byte 32/,
    ],
    ['{"clients": [{"a": 1}, {"a": ]}', /is not JSON: /],
    ['{"clients": [1,]}', /is not JSON: /],
    ['{"clients": [{"a": 1, "a": 2}]}', /the same field twice in one object, in the value at byte 13/],
    ['{} {}', /is not JSON: unexpected "\{" at byte 3/],
    ['[1, 2]', /must be a JSON object/],
    ['{"clients": [], "clients": []}', /"clients" appears twice/],
  ])('a feed file with %j is rejected with one line', async (text, reason) => {
    const reading = readFeed(text);
    await expect(reading).rejects.toThrow(FeedError);
    await expect(reading).rejects.toThrow(reason);
  });

  test('reports that a feed file changed when a list has disappeared', async () => {
    const file = join(folder, 'changing.json');
    writeFileSync(file, JSON.stringify(fixtureFeed));
    const source = await openFeedFile(file);
    writeFileSync(file, JSON.stringify({ format: 'x' }).padEnd(9_000));
    await expect(source.readBatches('history')[Symbol.asyncIterator]().next()).rejects.toThrow(
      /changed during the import/,
    );
    await source.close();
  });

  test('a damaged feed file is accepted if and only if JSON.parse accepts it', async () => {
    const text = JSON.stringify({
      ...fixtureFeed,
      firm: undefined,
      history: [{ reference: 'é"\\' }, 1, [], null],
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length),
        fc.nat(3),
        fc.constantFrom('', '"', '\\', '[', ']', '{', '}', ',', ':', ' ', '1', 'é', '\n'),
        fc.integer({ min: 1, max: 50 }),
        async (at, removed, inserted, chunkBytes) => {
          const damaged = text.slice(0, at) + inserted + text.slice(at + removed);
          const isJson = await Promise.resolve(damaged)
            .then(JSON.parse)
            .then(
              () => true,
              () => false,
            );
          const problem = await readFeed(damaged, chunkBytes).then(
            () => '',
            (error: Error) => error.message,
          );
          expect({ damaged, isJson: !problem.includes('is not JSON') }).toEqual({ damaged, isJson });
        },
      ),
      { numRuns: runLength({ short: 100, long: 5_000 }) },
    );
  });
});

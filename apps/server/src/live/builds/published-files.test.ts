import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestClock, withStatementCount, withTestDatabase } from '@keyturn/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildFiles } from '../../schema/tables/build-tables.ts';
import { createPublishedFiles } from './published-files.ts';

const stored = withTestDatabase();
const counting = withStatementCount(stored);
const clock = createTestClock();
const hour = 3_600_000;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-builds-'));
  await stored.database.delete(buildFiles);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Creates the published files of a server that serves builds of the dashboard and the desk with these names. */
function serve(name: string, options: { maxWaiting?: number } = {}) {
  const write = (path: string, content: string) => {
    const file = join(folder, name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  write(`dashboard/index.html`, 'page');
  write(`dashboard/assets/start-${name}.js`, `start ${name}`);
  write(`dashboard/assets/start-${name}.js.br`, `compressed ${name}`);
  write(`dashboard/assets/start-${name}.js.gz`, 'gzip');
  write(`dashboard/assets/fonts/${name}.woff2`, `font ${name}`);
  write(`dashboard/builds/latest.json`, '{}');
  write(`dashboard/builds/meta/${name}.json`, `meta ${name}`);
  write(`desk/assets/desk-${name}.js`, `desk ${name}`);
  const builds = [
    { directory: join(folder, name, 'dashboard'), prefix: '' },
    { directory: join(folder, name, 'desk'), prefix: '/desk' },
  ];
  return createPublishedFiles({ database: counting.database, clock, builds, ...options });
}

describe('published files of builds', () => {
  test('finds the files of another server’s dashboard and desk, compressed if its build has them compressed', async () => {
    const [older, newer] = [serve('aaaa'), serve('bbbb')];
    await older.publish();
    await newer.publish();
    const read = async (path: string) => {
      const file = await older.find(path);
      return file && [file.content.toString(), file.isCompressed];
    };
    expect(await read('/assets/start-bbbb.js')).toEqual(['compressed bbbb', true]);
    expect(await read('/assets/fonts/bbbb.woff2')).toEqual(['font bbbb', false]);
    expect(await read('/builds/meta/bbbb.json')).toEqual(['meta bbbb', false]);
    expect(await read('/desk/assets/desk-bbbb.js')).toEqual(['desk bbbb', false]);
    expect((await newer.find('/assets/start-aaaa.js'))?.content.toString()).toBe('compressed aaaa');
  });

  test('finds a file that was published after the same path was unknown', async () => {
    const [older, newer] = [serve('aaaa'), serve('bbbb')];
    const early = [older.find('/assets/start-bbbb.js'), older.find('/assets/other.js')];
    expect(await Promise.all(early)).toEqual([null, null]);
    await newer.publish();
    expect(await older.find('/assets/start-bbbb.js')).not.toBeNull();
  });

  test('keeps the files of a build for a day after a server last served it', async () => {
    const [older, newer] = [serve('aaaa'), serve('bbbb')];
    await older.publish();
    clock.advance(100 * hour);
    await older.publish();
    clock.advance(24 * hour);
    await newer.publish();
    expect(await newer.find('/assets/start-aaaa.js')).not.toBeNull();
    clock.advance(2 * hour);
    await newer.publish();
    expect(await serve('cccc').find('/assets/start-aaaa.js')).toBeNull();
    expect(await serve('cccc').find('/assets/start-bbbb.js')).not.toBeNull();
  });

  test('servers of one build that start at the same time publish each file once', async () => {
    await Promise.all([serve('aaaa'), serve('aaaa'), serve('aaaa'), serve('bbbb')].map((s) => s.publish()));
    const rows = await stored.database.select({ path: buildFiles.path }).from(buildFiles);
    expect(rows.map(({ path }) => path).sort()).toEqual([
      '/assets/fonts/aaaa.woff2',
      '/assets/fonts/bbbb.woff2',
      '/assets/start-aaaa.js',
      '/assets/start-bbbb.js',
      '/builds/meta/aaaa.json',
      '/builds/meta/bbbb.json',
      '/desk/assets/desk-aaaa.js',
      '/desk/assets/desk-bbbb.js',
    ]);
  });

  test('a server that starts again reads and sends none of its files a second time', async () => {
    await serve('aaaa').publish();
    const sent = await counting.listStatementsOf(() => serve('aaaa').publish());
    expect(sent.filter((statement) => statement.startsWith('insert'))).toEqual([]);
  });
});

describe('requests for files that no build has', () => {
  test('asks the database about unknown paths at most four times a second, however many there are', async () => {
    const server = serve('aaaa');
    const answers: Promise<unknown>[] = [];
    const started = Date.now();
    const statements = await counting.countStatementsOf(async () => {
      while (Date.now() - started < 600) {
        for (let index = 0; index < 10; index += 1)
          answers.push(server.find(`/assets/x-${answers.length}.js`));
        await pause(5);
      }
      expect(new Set(await Promise.all(answers))).toEqual(new Set([null]));
    });
    expect(answers.length).toBeGreaterThan(100);
    expect(statements).toBeLessThanOrEqual((Date.now() - started) / 250 + 1);
  });

  test.each([
    '/secret',
    '/assets/../../secret',
    '/assets/.hidden',
    '/builds/latest.json',
    '/assets/a\0.js',
    '/a/b/assets/x.js',
    `/assets/${'x'.repeat(300)}.js`,
  ])('does not ask the database about a path that no file of a build has: %j', async (path) => {
    const server = serve('aaaa');
    const find = async () => expect(await server.find(path)).toBeNull();
    expect(await counting.countStatementsOf(find)).toBe(0);
  });

  test('rejects requests while too many wait, and finds files again afterwards', async () => {
    await serve('bbbb').publish();
    const server = serve('aaaa', { maxWaiting: 2 });
    const asked = ['/assets/x-1.js', '/assets/x-2.js', '/assets/x-3.js'].map((path) => server.find(path));
    expect(await Promise.allSettled(asked)).toMatchObject([
      { value: null },
      { value: null },
      { reason: { code: 'unavailable', retryAfter: 1 } },
    ]);
    expect(await server.find('/assets/start-bbbb.js')).not.toBeNull();
  });

  test('reads the content of a file once, however often it is asked for', async () => {
    await serve('bbbb').publish();
    const server = serve('aaaa');
    const find = () => server.find('/assets/start-bbbb.js');
    expect(await counting.countStatementsOf(() => Promise.all([find(), find(), find()]))).toBe(2);
    expect(await counting.countStatementsOf(find)).toBe(0);
  });
});

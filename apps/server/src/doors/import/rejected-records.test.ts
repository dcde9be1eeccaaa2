import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createImportDependencies, withTestDatabase } from '@keyturn/testkit';
import { changedFeed } from '@keyturn/testkit/fixture-feed.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFileStore } from '../../adapters/files/file-store.ts';
import { recordRules, tableOf } from '../../testing/record-rules.ts';
import { importFeed } from './import-feed.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-feed-'));
  mkdirSync(join(folder, 'feed'));
  writeFileSync(join(folder, 'feed', 'letter.pdf'), '%PDF-1.7 a letter');
  writeFileSync(join(folder, 'feed', 'locked.pdf'), '%PDF-1.7 locked');
  writeFileSync(join(folder, 'feed', 'note.txt'), 'only text');
  writeFileSync(join(folder, 'feed', 'empty.pdf'), '');
  writeFileSync(join(folder, 'secret.pdf'), '%PDF-1.7 secret');
  symlinkSync(join(folder, 'secret.pdf'), join(folder, 'feed', 'link.pdf'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The rules of a list share a database, because none of its records is ever written.
describe.each(Object.keys(tableOf) as (keyof typeof tableOf)[])('importing %s', (ofList) => {
  const testDatabase = withTestDatabase();
  const take = (feed: unknown) =>
    importFeed(
      createImportDependencies(
        { database: testDatabase.database, files: createFileStore(join(folder, 'stored')) },
        {
          checkPassword: async (password) =>
            password.length < 15 ? ['Please use at least 15 characters.'] : [],
          findSigningFault: async (document) => (document.includes('locked') ? 'it is locked' : null),
        },
      ),
      {
        feed,
        folder: join(folder, 'feed'),
        as: 'real',
        actor: { kind: 'command_line', id: null, name: 'rhian' },
      },
    );

  test.each(recordRules.filter(([list]) => list === ofList))(
    '%s with %j is rejected at %s, and not written',
    async (list, change, place, reason) => {
      const report = await take(
        JSON.parse(JSON.stringify(changedFeed(list, change)).replaceAll('"\\ud800"', '"\\ud800"')),
      );
      const [first] = report.rejected;
      expect(first).toMatchObject({ place, reason: expect.stringMatching(reason) });
      const { rows } = await testDatabase.pool.query(`select count(*)::int as n from ${tableOf[list]}`);
      expect(rows).toEqual([{ n: 0 }]);
    },
  );
});

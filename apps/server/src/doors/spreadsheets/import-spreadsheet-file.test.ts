import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createImportDependencies, withTestDatabase } from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFeed } from '../import/import-feed.ts';
import { importSpreadsheetFile } from './import-spreadsheet-file.ts';
import { spreadsheetTemplate } from './template.ts';

const stored = withTestDatabase();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-sheet-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const dependencies = () =>
  createImportDependencies({
    database: stored.database,
    files: { put: async () => '', read: async () => null } as never,
  });
async function run(content: string | Buffer, dryRun = false) {
  const file = join(folder, 'cases.csv');
  writeFileSync(file, content);
  const lines: string[] = [];
  const code = await importSpreadsheetFile(dependencies(), { file, dryRun }, (line) => lines.push(line));
  return { code, lines };
}

test('keyturn import --spreadsheet needs a firm, checks the template without storing it, and imports it once', async () => {
  const template = spreadsheetTemplate();
  expect(await run(template)).toEqual({ code: 2, lines: ['The first feed must contain the "firm".'] });
  const { format, as_of, firm } = fixtureFeed;
  const actor = { kind: 'command_line', id: null, name: 'rhian' } as const;
  await importFeed(dependencies(), { feed: { format, as_of, firm }, folder: '.', as: 'real', actor });
  expect(await run(template, true)).toEqual({
    code: 0,
    lines: [
      '2 cases would be created, 0 would be updated, 0 unchanged, 0 rows rejected; 3 clients would be created',
    ],
  });
  expect((await run(template)).lines).toEqual([
    '2 cases created, 0 updated, 0 unchanged, 0 rows rejected; 3 clients created',
  ]);
  expect((await run(template)).lines).toEqual([
    '0 cases created, 0 updated, 2 unchanged, 0 rows rejected; 0 clients created',
  ]);
});

test('keyturn import --spreadsheet reports rejected rows, ignored columns and files that are not spreadsheets', async () => {
  expect(await run('Case reference,Matter type,Colour\nX-1,Lease,red')).toMatchObject({
    code: 1,
    lines: expect.arrayContaining([
      'columns that are not imported: "Colour"',
      'row 2, column "Matter type": “Lease” isn’t a matter type: write purchase, sale, remortgage or transfer of equity',
      'row 2, column "Handler: name": is empty',
    ]),
  });
  expect(await run('A,B\n1,2')).toMatchObject({
    code: 2,
    lines: [expect.stringContaining('"Case reference"')],
  });
  expect(await run('PK\x03\x04')).toMatchObject({ code: 2, lines: [expect.stringContaining('Excel')] });
  expect(await run(Buffer.alloc(10 * 1024 * 1024 + 1, 'a'))).toMatchObject({
    code: 2,
    lines: ['The file is larger than 10 MB. Divide it, and import each part.'],
  });
});

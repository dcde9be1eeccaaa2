import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('each difference from Pusher in the README has a reason and names a test of this package', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('differences.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const readme = readFileSync(join(folder, '../README.md'), 'utf8');
  const [, table = ''] = /## Differences from Pusher\n(.*)/s.exec(readme) ?? [];
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| subject'));
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => !/^\|( [^|]*\S \|){4}$/.test(row))).toEqual([]);
  const titles = rows.map((row) => /`([^`]+)` \|$/.exec(row)?.[1] ?? row);
  expect(titles.filter((title) => !sources.includes(`'${title}'`))).toEqual([]);
});

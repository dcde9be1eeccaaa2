import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = dirname(dirname(import.meta.dirname));

test('lists of files are read again in each run of the tests', () => {
  const sources = execFileSync('git', ['ls-files', 'apps/*.ts', 'packages/*.ts', 'e2e/*.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '');
  expect(sources.length).toBeGreaterThan(1_000);
  // Vitest keeps compiled modules between runs, except those with the text `import.meta.glob(`.
  const kept = sources.filter((file) => readFileSync(join(root, file), 'utf8').includes('import.meta.glob<'));
  expect(kept).toEqual([]);
});

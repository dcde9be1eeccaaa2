import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const project = fileURLToPath(new URL('../../', import.meta.url));

test('npm run test:long runs every test file of which npm test runs only a part', () => {
  const script = readFileSync(join(project, 'scripts/test-long.mjs'), 'utf8');
  const named = [...script.matchAll(/'([\w/-]+)'/g)].map(([, name = '']) => name);
  const shortened = execFileSync(
    'git',
    [
      'grep',
      '-lE',
      String.raw`\b(runLength|sampleOf|isSampled|testWith|isLongRun)\(|\bisLongRun\b`,
      '--',
      'apps/*.test.ts',
      'e2e/*.test.ts',
      'packages/*.test.ts',
    ],
    { cwd: project, encoding: 'utf8' },
  )
    .trim()
    .split('\n');
  // Reads the sources of tests, and shortens none.
  const files = shortened.filter((file) => !file.endsWith('/fault-catalogue.test.ts'));
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => !named.some((name) => file.includes(name)))).toEqual([]);
});

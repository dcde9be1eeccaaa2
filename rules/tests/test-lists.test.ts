import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { heavyFiles, longFiles, mainProjects, otherProjects } from '../../scripts/test-lists.mjs';
import config from '../../vitest.config.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const git = (...words: string[]): string[] =>
  execFileSync('git', words, { cwd: project, encoding: 'utf8' }).trim().split('\n');
const testFiles = git(
  'ls-files',
  '--cached',
  '--others',
  '--exclude-standard',
  '--',
  '*.test.ts',
  '*.test.tsx',
);

test('npm test and npm run test:all together run every project, and neither runs a project of the other', () => {
  const projects = config.test?.projects?.map((item) => (item as { test: { name: string } }).test.name);
  expect([...mainProjects, ...otherProjects].sort()).toEqual(projects?.sort());
});

test('.ci/run and the workflow of pull requests run npm test and then npm run test:all', () => {
  for (const file of ['.ci/run', '.github/workflows/ci.yml']) {
    const commands = readFileSync(`${project}${file}`, 'utf8').match(/npm (test|run test:\w+)$/gm);
    expect(commands, file).toEqual(['npm test', 'npm run test:all']);
  }
});

test('each heavy unit test is a file', () => {
  const names = new Set(testFiles.map((file) => basename(file, '.test.ts')));
  expect(heavyFiles.filter((name) => !names.has(name))).toEqual([]);
});

test('npm run test:long runs every test file of which the other commands run only a part', () => {
  const pattern = String.raw`\b(runLength|variants)\(|\bisLongRun\b`;
  const shortened = git(
    'grep',
    '-lE',
    pattern,
    '--',
    'apps/*.test.ts',
    'e2e/*.test.ts',
    'packages/*.test.ts',
  );
  expect(shortened.length).toBeGreaterThan(30);
  const named = [...longFiles, 'rolling-restart', 'rolling-upgrade'];
  expect(shortened.filter((file) => !named.some((name) => file.includes(name)))).toEqual([]);
});

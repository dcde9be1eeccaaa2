import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';

const maxSourceFiles = 25;

/** Folders that may be larger, each with the reason. */
const exceptions: Record<string, string> = {};

test(`no folder has more than ${maxSourceFiles} source files`, () => {
  const root = dirname(dirname(import.meta.dirname));
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.css'], {
    cwd: root,
    encoding: 'utf8',
  });
  const sizes = new Map<string, number>();
  for (const file of files.split('\n').filter(Boolean)) {
    if (file.includes('.test.')) continue;
    sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  }
  const tooLarge = [...sizes].filter(([folder, size]) => size > maxSourceFiles && !(folder in exceptions));
  expect(tooLarge).toEqual([]);
});

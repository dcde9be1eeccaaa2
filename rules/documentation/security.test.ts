import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const rows = [
  ...readFileSync(join(root, 'docs/security.md'), 'utf8').matchAll(
    /^\| (\d+) \| [^|]+ \| ([^|]+) \|([^|]*)\|$/gm,
  ),
].map(([, number, answer = '', files = '']) => ({
  number: Number(number),
  answer,
  files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => inFull(file)),
}));

test('docs/security.md answers each of the 60 requirements once', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
});

test('docs/security.md says of each requirement whether it is done, partly, not yet or the firm’s', () => {
  const answers = /^(Done|Partly|Not yet|\*\*The firm\*\*)/;
  expect(rows.filter(({ answer }) => !answers.test(answer))).toEqual([]);
});

test('docs/security.md names existing tests for everything that is done', () => {
  const unproven = rows.filter(({ answer, files }) => answer.startsWith('Done') && files.length === 0);
  expect(unproven).toEqual([]);
  const missing = rows.flatMap(({ files }) => files).filter((file) => !existsSync(join(root, file)));
  expect(missing).toEqual([]);
});

function inFull(file: string): string {
  return file.replace(/^server\//, 'apps/server/src/').replace(/^dashboard\//, 'apps/dashboard/src/');
}

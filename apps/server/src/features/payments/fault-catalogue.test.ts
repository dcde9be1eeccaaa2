import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const project = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Returns the test files of the repository, with the fault numbers at the start of their test titles. */
const tested = new Map(
  ['apps', 'packages', 'e2e']
    .flatMap(testFilesIn)
    .map((file) => [file, faultsIn(readFileSync(join(project, file), 'utf8'))]),
);
const catalogue = readFileSync(join(project, 'docs/faults.md'), 'utf8');
/** The faults that docs/faults.md lists with a reason why they have no test. */
const untested = [...catalogue.matchAll(/^- \*\*(\d+)\*\* \S.{20,}$/gm)].map(([, row]) => Number(row));
/** The rows of docs/faults.md: the number, and the files that it names. */
const documentedRows = [...catalogue.matchAll(/^\| (\d+) \|.*\|([^|]*)\|$/gm)].map(
  ([, row, files = '']): [number, string[]] => [
    Number(row),
    [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => inFull(file)),
  ],
);
const documented = new Map(documentedRows);

describe.each([...documented.keys()])('row %i of the fault catalogue', (row) => {
  test('each row of the fault catalogue has a test with a title that starts with its number', () => {
    const files = [...tested].filter(([, faults]) => faults.has(row)).map(([file]) => file);
    expect(files).not.toEqual([]);
  });

  test('each row of the fault catalogue names only files that test the fault', () => {
    const files = documented.get(row) ?? [];
    expect(files).not.toEqual([]);
    for (const file of files) expect(tested.get(file), file).toContain(row);
  });
});

test('the catalogue has every fault in a test title exactly once', () => {
  const numbers = documentedRows.map(([row]) => row);
  expect(numbers).toEqual([...new Set(numbers)]);
  const required = Array.from({ length: 75 }, (_, index) => index + 1);
  expect([...numbers, ...untested].sort((one, other) => one - other)).toEqual(
    expect.arrayContaining(required),
  );
  expect(numbers.filter((number) => untested.includes(number))).toEqual([]);
  for (const [file, faults] of tested) {
    if (file.endsWith('/fault-catalogue.test.ts')) continue;
    expect(
      [...faults].filter((row) => !documented.has(row)),
      file,
    ).toEqual([]);
  }
});

test('counts no skipped tests and no text that only looks like a title', () => {
  expect([...faultsIn("test('fault 93: it holds'); test.each([1])('fault 94: %i')")]).toEqual([93, 94]);
  for (const way of ['skip', 'todo']) expect([...faultsIn(`test.${way}('fault 93: x')`)]).toEqual([]);
  expect([...faultsIn("test('default 95: z'); // fault 96: a")]).toEqual([]);
});

function testFilesIn(folder: string): string[] {
  return readdirSync(join(project, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : testFilesIn(path);
    return /\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function faultsIn(source: string): Set<number> {
  return new Set(
    [...source.matchAll(/(?<!\.(?:skip|todo))\(\s*['"`]fault (\d+): \S/g)].map(([, row]) => Number(row)),
  );
}

function inFull(file: string): string {
  return file
    .replace(/^server\//, 'apps/server/src/')
    .replace(/^payments\//, 'apps/server/src/features/payments/');
}

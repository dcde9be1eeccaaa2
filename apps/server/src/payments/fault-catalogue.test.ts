import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const project = fileURLToPath(new URL('../../../../', import.meta.url));

/** Matches a group or test that may be skipped, up to the line that ends it. */
const withCondition = /^( *)(?:describe|test)\.(?:skip|skipIf|runIf|todo)\b(?:.*\);$|[\s\S]*?^\1\}?\);$)/gm;
const aTest = /^( *)test\b(?:.*\);$|[\s\S]*?^\1\}?\);$)/gm;
const skipsItself = (source: string) => (/\bcontext\.skip\(|\bskip: /.test(source) ? '' : source);

const sources = new Map(
  ['apps', 'packages', 'e2e']
    .flatMap(testFilesIn)
    .map((file) => [file, readFileSync(join(project, file), 'utf8')]),
);
/** The test files of the repository, with the fault numbers at the start of their test titles. */
const tested = new Map([...sources].map(([file, source]) => [file, faultsIn(source)]));
/** The faults with a test that every run of `npm test` or `npm run test:all` runs. */
const certain = certainFaults([...sources.values()]);
const catalogue = readFileSync(join(project, 'docs/faults.md'), 'utf8');
/** The faults that docs/faults.md lists with a reason why no test of them, or not every run, shows what happens. */
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
  test('each row of the fault catalogue has a test that no run skips, or a sentence that explains why not', () => {
    expect(certain.has(row) || untested.includes(row)).toBe(true);
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
  expect(untested.filter((row) => certain.has(row))).toEqual([]);
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

test.each([
  ['a skipped group', "describe.skip('a', () => {\n  test('fault 93: x', run);\n});\n"],
  [
    'a group with a condition',
    "describe.runIf(isLong)('a', () => {\n  test('fault 93: x', () => {\n  });\n});\n",
  ],
  ['a test with a condition', "  test.skipIf(!redis)(\n    'fault 93: x',\n    async () => {},\n  );\n"],
  ['a test with a condition in one line', "test.runIf(isLong)('fault 93: x', run);\n"],
  ['a test that skips itself', "test('fault 93: x', (context) => {\n  context.skip('why');\n});\n"],
  [
    'a test with an option to skip it',
    "test('fault 93: x', { skip: !isLong }, async () => {\n  run();\n});\n",
  ],
])('does not count %s as a test that no run skips, but the test after it', (_what, source) => {
  expect([...faultsIn(source)]).toEqual([93]);
  expect([...certainFaults([`${source}test('fault 94: y', run);\n`])]).toEqual([94]);
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

/** Finds the faults with a test that is not skipped under any condition. The sources are formatted. */
function certainFaults(files: string[]): Set<number> {
  const unconditional = files.map((source) =>
    source.replaceAll(withCondition, '').replaceAll(aTest, skipsItself),
  );
  return new Set(unconditional.flatMap((source) => [...faultsIn(source)]));
}

function inFull(file: string): string {
  return file.replace(/^server\//, 'apps/server/src/').replace(/^payments\//, 'apps/server/src/payments/');
}

// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, install, requireNode, root, run } from './set-up.mjs';

/*
 * Everything that must hold before a change lands: types, formatting, import rules, dead code, the build, and
 * every test, browser tests included. Arguments go to Vitest: `npm test -- --project unit sign-in`.
 */

requireNode();
install();
const chosen = process.argv.slice(2);
if (chosen.length === 0) run('npm', ['run', '--silent', 'check']);
build();

const results = mkdtempSync(join(tmpdir(), 'keyturn-results-'));
const report = join(results, 'vitest.json');
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...chosen,
  ],
  { cwd: root, stdio: 'inherit' },
);
try {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  // A file whose preparation fails has no failed test.
  const broken = testResults.filter(
    (/** @type {{ status: string, assertionResults: { status: string }[] }} */ file) =>
      file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  console.log(
    `\n${numPassedTests} passed, ${numFailedTests} failed${broken > 0 ? `, ${broken} files not run` : ''}`,
  );
} finally {
  rmSync(results, { recursive: true, force: true });
}
process.exit(status ?? 1);

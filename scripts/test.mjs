// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInGroup, runTests } from './run-tests.mjs';
import { install, requireNode, root } from './set-up.mjs';

/*
 * Everything that must pass before a change lands: types, style, import rules, unused code and all tests. With
 * arguments, only the tests that they select: `npm test -- --project unit sign-in`. The browser tests build the
 * dashboard and the server first if they have changed.
 */

requireNode();
install();
const vitestArguments = process.argv.slice(2);
if (vitestArguments.length === 0) {
  // The build uses one processor, so it runs at the same time as the checks.
  const status = await runInGroup(() => [join(root, 'scripts/check.mjs'), 'build']);
  if (status !== 0) process.exit(status);
}
process.exit(await runTests(vitestArguments, printTotals));

/** @param {string} report the folder of Vitest's report */
function printTotals(report) {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(
    readFileSync(join(report, 'vitest.json'), 'utf8'),
  );
  // A file with a failed set-up reports no failed test.
  const brokenFiles = testResults.filter(
    (/** @type {{ status: string, assertionResults: { status: string }[] }} */ file) =>
      file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const broken = brokenFiles > 0 ? `, ${brokenFiles} files could not run` : '';
  console.log(`\n${numPassedTests} passed, ${numFailedTests} failed${broken}`);
}

// @ts-check
import { join } from 'node:path';
import { printTotals, runInGroup, runProjects, runTests } from './run-tests.mjs';
import { install, requireNode, root } from './set-up.mjs';
import { mainProjects } from './test-lists.mjs';

/*
 * Every check, the unit tests that need at most PostgreSQL, and one browser test for each main job of clients and staff. With
 * arguments, only the tests that they select, of all tests: `npm test -- --project unit sign-in`. The browser tests build the
 * dashboard, the desk and the server first if they have changed.
 */

requireNode();
install();
const vitestArguments = process.argv.slice(2);
if (vitestArguments.length > 0) process.exit(await runTests(vitestArguments, printTotals));
// The build uses one processor, so it runs at the same time as the checks.
const checked = await runInGroup(() => [join(root, 'scripts/check.mjs'), 'build']);
if (checked !== 0) process.exit(checked);
process.exit(await runProjects(mainProjects));

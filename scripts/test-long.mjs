// @ts-check

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { runInGroup, runSteps, runTests } from './run-tests.mjs';
import { build, install, requireNode, root } from './set-up.mjs';
import { longFiles } from './test-lists.mjs';

/*
 * Long runs of tests that `npm test` and `npm run test:all` shorten: first the fuzzing of requests, feeds and payments, servers killed
 * during payments, a database with ten times the data, and browser tests that `npm run test:all` runs with only some of
 * their clients, screen sizes or faults; then a payment history with a new seed (`scripts/run-histories.mjs`), and a minute of use
 * by many clients (`bench/soak.mjs`). The last release is built from its commit, so a clone without it fails at once.
 */

requireNode();
requireHistory();
install();
build();
process.env.KEYTURN_TEST_LENGTH = 'long';
process.env.BENCH_SOAK_SECONDS = '60';
process.exit(
  await runSteps([
    () => runTests(longFiles, () => undefined),
    // Their fifty clients need the whole machine: next to other tests, some wait longer than a client does.
    () => runTests(['rolling-restart', 'rolling-upgrade', '--no-file-parallelism'], () => undefined),
    () => runInGroup(() => [join(root, 'scripts/run-histories.mjs')]),
    () => runInGroup(() => [join(root, 'bench/soak.mjs')]),
  ]),
);

/** Exits with a message if the history lacks the commits of releases. */
function requireHistory() {
  const git = spawnSync('git', ['rev-parse', '--is-shallow-repository'], { cwd: root });
  if (git.status === 0 && git.stdout.toString().trim() === 'false') return;
  console.error(
    'npm run test:long builds the last release from its commit, but this clone lacks the history: run "git fetch --unshallow", or clone without --depth.',
  );
  process.exit(1);
}

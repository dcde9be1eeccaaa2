import { execFileSync } from 'node:child_process';
import { runLength } from '../run-length.ts';

/**
 * The seed of everything that a run of the tests leaves to chance: generated input and the order of the unit tests. It is
 * that of `KEYTURN_TEST_SEED`; else in `npm run test:long` a new one, and in other runs that of the commit, so that a commit
 * that has passed passes again and each commit is tested with other input.
 */
export const runSeed: number =
  Number(process.env.KEYTURN_TEST_SEED) ||
  runLength({ short: seedOfCommit, long: () => Date.now() % 1_000_000 })();

/** @returns a number of the current commit; 1 outside a Git repository */
function seedOfCommit(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] });
    return Number.parseInt(commit.toString().slice(0, 5), 16) || 1;
  } catch {
    return 1;
  }
}

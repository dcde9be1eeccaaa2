import { runSeed } from '@keyturn/testkit/random/run-seed.ts';
import { runLength } from '@keyturn/testkit/run-length.ts';
import { expect } from 'vitest';

/** The number of inputs of all tests together. `npm run test:inputs` sets another one. */
const total = Number(process.env.KEYTURN_TEST_INPUTS) || runLength({ short: 900, long: 20_000 });

/** Whether the run is long enough for its times and sizes to be compared with limits. */
export const isLongRun = total >= 10_000;

/** The share of each kind in the inputs. */
const shares = { routes: 0.65, bytes: 0.1, files: 0.05, frames: 0.07, events: 0.03, besideClient: 0.1 };
export type InputKind = keyof typeof shares;

/**
 * Returns the parameters with which fast-check creates the inputs of a test.
 * @param tests the number of tests that share the inputs of this kind
 */
export const planOf = (kind: InputKind, tests = 1) => ({
  seed: runSeed,
  numRuns: Math.max(1, Math.round((total * shares[kind]) / tests)),
  // Without this, a failure would be lost if shrinking hangs.
  interruptAfterTimeLimit: 1_800_000,
  markInterruptAsFailure: true,
});

/** Returns the command that repeats the inputs of the current test. */
export const repeatCommand = (): string => {
  const title = /[A-Z]+ \/\S*/.exec(expect.getState().currentTestName ?? '')?.[0];
  const test = title ? ` -t '${title} '` : '';
  return `npm run test:inputs -- --seed ${runSeed} --inputs ${total}${test}`;
};

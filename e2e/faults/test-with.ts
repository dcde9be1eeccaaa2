import { runSeed } from '@keyturn/testkit/random/run-seed.ts';
import { runLength } from '@keyturn/testkit/run-length.ts';
import { test } from 'vitest';

/**
 * Defines tests of faults that are tested in much the same way with the sandbox and with Stripe. `npm test` tests each fault
 * with one of them, chosen by the seed of the run, and `npm run test:long` with both.
 * @param provider of the tests in this file
 * @returns a function like `test`; the title starts with the fault's number
 */
export function testWith(provider: 'sandbox' | 'stripe') {
  return (title: string, run: () => Promise<void>): void => {
    const fault = Number(/^fault (\d+): /.exec(title)?.[1]);
    const chosen = (runSeed >> (fault % 20)) & 1 ? 'sandbox' : 'stripe';
    test.runIf(runLength({ short: chosen === provider, long: true }))(title, run);
  };
}

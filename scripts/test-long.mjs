// @ts-check

import { testHistories } from './run-histories.mjs';
import { runTests } from './run-tests.mjs';
import { build, install, requireNode } from './set-up.mjs';

/*
 * The randomised tests at length; `npm test` has short runs of them. First the fuzzing of requests, feeds and payments,
 * servers killed during payments, and a database with ten times the data. Then a payment history with a new seed
 * (`scripts/run-histories.mjs`).
 */

requireNode();
install();
build();
process.env.KEYTURN_TEST_LENGTH = 'long';
const files = [
  'any-input',
  'any-sequence',
  'create-receipt-printer',
  'create-signature-printer',
  'dispatch-deliveries',
  'growth',
  'import-feed',
  'memory',
  'payments-survive-sigkill',
  'payments-history',
];
const status = await runTests(files, () => undefined);
const isWell = await testHistories([]);
process.exit(isWell ? status : 1);

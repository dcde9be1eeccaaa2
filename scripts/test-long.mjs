// @ts-check

import { testHistories } from './run-histories.mjs';
import { runTests } from './run-tests.mjs';
import { build, install, requireNode } from './set-up.mjs';

/*
 * Long runs of tests that `npm test` shortens: first the fuzzing of requests, feeds and payments, servers killed
 * during payments, a database with ten times the data, and browser tests that `npm test` runs with only some of their
 * clients, screen sizes or faults; then a payment history with a new seed (`scripts/run-histories.mjs`).
 */

requireNode();
install();
build();
process.env.KEYTURN_TEST_LENGTH = 'long';
const files = [
  'accessibility/screens',
  'any-input',
  'any-sequence',
  'card-numbers-are-kept-nowhere',
  'create-receipt-printer',
  'create-signature-printer',
  'dispatch-deliveries',
  'every-route',
  'journeys/failures',
  'growth',
  'import-feed',
  'killed-at-each-step',
  'memory',
  'new-build',
  'payments-survive-sigkill',
  'pay-in-a-bad-moment',
  'pay-with-stripe',
  'payments-history',
  'persisted-state',
  'prerender',
  'presence-between-servers',
  'report-errors',
  'unusual-names',
  'work-by-keyboard',
];
const status = await runTests(files, () => undefined);
const isWell = await testHistories([]);
process.exit(isWell ? status : 1);

// @ts-check

import { join } from 'node:path';
import { testHistories } from './run-histories.mjs';
import { runInGroup, runTests } from './run-tests.mjs';
import { build, install, requireNode, root } from './set-up.mjs';

/*
 * Long runs of tests that `npm test` shortens: first the fuzzing of requests, feeds and payments, servers killed
 * during payments, a database with ten times the data, and browser tests that `npm test` runs with only some of their
 * clients, screen sizes or faults; then a payment history with a new seed (`scripts/run-histories.mjs`), and a minute of use
 * by many clients (`bench/soak.mjs`).
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
  'last-release',
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
  'rolling-restart',
  'rolling-upgrade',
  'unusual-names',
  'work-by-keyboard',
];
const status = await runTests(files, () => undefined);
const isWell = await testHistories([]);
process.env.BENCH_SOAK_SECONDS = '60';
const soakStatus = await runInGroup(() => [join(root, 'bench/soak.mjs')]);
process.exit(isWell ? status || soakStatus : 1);

// @ts-check
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { runTests } from './run-tests.mjs';
import { build, install, requireNode, root } from './set-up.mjs';

/*
 * The randomised tests at length; `npm test` has short runs of them. First the fuzzing of requests, feeds and payments,
 * and servers killed during payments. Then the payment histories: random clients pay while a nemesis kills servers,
 * restarts the database, and delays and repeats webhooks, and a checker looks for violations (docs/payments.md). With arguments, only the histories.
 *
 *   npm run test:long -- --seed 7 --operations 10000 --clients 20
 *   npm run test:long -- --replay FILE    checks a saved history, then repeats its run
 *   npm run test:long -- --check FILE     only checks a saved history
 */

requireNode();
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    operations: { type: 'string', default: '10000' },
    clients: { type: 'string', default: '20' },
    replay: { type: 'string' },
    check: { type: 'string' },
    keep: { type: 'boolean' },
  },
});
install();
build();
const status = process.argv.length > 2 ? 0 : await runRandomisedTests();
const { runnerImport } = await import('vite');
const { module } = await runnerImport(join(root, 'e2e/history/build-program.ts'), { root, logLevel: 'warn' });
// Built like the server, because it includes the server's migrations.
const { program, remove } = await module.buildProgram('e2e/history/test-history.ts');
const { testHistory } = await import(pathToFileURL(program).href);
const isWell = await testHistory({
  ...values,
  seed: Number(values.seed ?? Date.now() % 1_000_000),
  operations: Number(values.operations),
  clients: Number(values.clients),
}).finally(remove);
process.exit(isWell ? status : 1);

/** Runs the tests that call `runLength`, at their long size. @returns the exit status */
function runRandomisedTests() {
  process.env.KEYTURN_TEST_LENGTH = 'long';
  const files = [
    'any-input',
    'any-sequence',
    'create-receipt-printer',
    'create-signature-printer',
    'import-feed',
    'memory',
    'payments-survive-sigkill',
    'payments-history',
  ];
  return runTests(files, () => undefined);
}

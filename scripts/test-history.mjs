// @ts-check
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build, install, requireNode, root } from './set-up.mjs';

/*
 * The payment histories: random clients pay, the firm refunds, and banks dispute, while a nemesis kills servers, puts back
 * backups, and loses webhooks. A checker then looks for violations (docs/payments.md).
 *
 *   npm run test:history                                     10,000 operations of 20 clients with a new seed
 *   npm run test:history -- --seed 7 --operations 400        repeats the plan of a seed
 *   npm run test:history -- --seed 1 --seed 2 --seed 3       one run for each seed
 *   npm run test:history -- --replay FILE                    checks a saved history, then repeats its run
 *   npm run test:history -- --check FILE                     only checks a saved history
 */

/**
 * @param {string[]} args
 * @returns {Promise<boolean>} whether no run has violations or too many unknown outcomes
 */
export async function testHistories(args) {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', multiple: true },
      operations: { type: 'string', default: '10000' },
      clients: { type: 'string', default: '20' },
      replay: { type: 'string' },
      check: { type: 'string' },
      keep: { type: 'boolean' },
    },
  });
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport(join(root, 'e2e/history/build-program.ts'), {
    root,
    logLevel: 'warn',
  });
  // Built like the server, because it includes the server's migrations.
  const { program, remove } = await module.buildProgram('e2e/history/test-history.ts');
  const { testHistory } = await import(pathToFileURL(program).href);
  let areWell = true;
  try {
    for (const seed of values.seed ?? [Date.now() % 1_000_000]) {
      const isWell = await testHistory({
        ...values,
        seed: Number(seed),
        operations: Number(values.operations),
        clients: Number(values.clients),
      });
      areWell &&= isWell;
    }
  } finally {
    remove();
  }
  return areWell;
}

if (process.argv[1] === join(root, 'scripts/test-history.mjs')) {
  requireNode();
  install();
  build();
  process.exit((await testHistories(process.argv.slice(2))) ? 0 : 1);
}

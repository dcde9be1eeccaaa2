// @ts-check
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build, install, requireNode, root } from './set-up.mjs';

/* Runs payment histories, as `scripts/test-history.mjs` describes. */

requireNode();
install();
build();
process.exit((await testHistories(process.argv.slice(2))) ? 0 : 1);

/**
 * @param {string[]} args
 * @returns {Promise<boolean>} whether no run has violations or too many unknown outcomes
 */
async function testHistories(args) {
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
  let allPassed = true;
  try {
    for (const seed of values.seed ?? [Date.now() % 1_000_000]) {
      const hasPassed = await testHistory({
        ...values,
        seed: Number(seed),
        operations: Number(values.operations),
        clients: Number(values.clients),
      });
      allPassed &&= hasPassed;
    }
  } finally {
    remove();
  }
  return allPassed;
}

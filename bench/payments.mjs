// @ts-check
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, install, requireNode, root } from '../scripts/set-up.mjs';

/* Payments started per second, and the time until the card form appears, by number of concurrent clients. */

requireNode();
install();
build();
const { runnerImport } = await import('vite');
const { module } = await runnerImport(join(root, 'e2e/history/build-program.ts'), { root, logLevel: 'warn' });
const { program, remove } = await module.buildProgram('e2e/history/measure-payments.ts');
const { measurePayments } = await import(pathToFileURL(program).href);

console.log(`${cpus().length} cores, ${cpus()[0]?.model ?? ''}, Node ${process.versions.node}`);
console.log('clients  intents/s  median ms  p99 ms  transactions for each');
await measurePayments(
  [1, 2, 4, 8, 16, 32],
  (
    /** @type {{ clients: number, perSecond: number, median: number, p99: number, transactions: number }} */ {
      clients,
      perSecond,
      median,
      p99,
      transactions,
    },
  ) =>
    console.log(
      [
        String(clients).padStart(7),
        perSecond.toFixed(0).padStart(9),
        median.toFixed(1).padStart(9),
        p99.toFixed(1).padStart(6),
        transactions.toFixed(1).padStart(21),
      ].join('  '),
    ),
).finally(remove);
process.exit(0);

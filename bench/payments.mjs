// @ts-check
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, install, requireNode, root } from '../scripts/set-up.mjs';

/*
 * Payments started per second, and the time until the card form appears, by number of concurrent clients. The floor is
 * what Stripe's SDK and one insert do per second in the same run.
 */

requireNode();
install();
build();
const { runnerImport } = await import('vite');
const { module } = await runnerImport(join(root, 'e2e/history/build-program.ts'), { root, logLevel: 'warn' });
const { program, remove } = await module.buildProgram('e2e/history/measure-payments.ts');
const { measurePayments } = await import(pathToFileURL(program).href);

console.log(`${cpus().length} cores, ${cpus()[0]?.model ?? ''}, Node ${process.versions.node}`);
console.log('clients  intents/s  floor/s  share of floor  median ms  p99 ms  transactions for each');
await measurePayments(
  [1, 2, 4, 8, 16, 32],
  (
    /** @type {{ clients: number, perSecond: number, floorPerSecond: number, median: number, p99: number, transactions: number }} */ measured,
  ) => {
    const { clients, perSecond, floorPerSecond, median, p99, transactions } = measured;
    console.log(
      [
        String(clients).padStart(7),
        perSecond.toFixed(0).padStart(9),
        floorPerSecond.toFixed(0).padStart(7),
        `${((100 * perSecond) / floorPerSecond).toFixed(0)} %`.padStart(14),
        median.toFixed(1).padStart(9),
        p99.toFixed(1).padStart(6),
        transactions.toFixed(1).padStart(21),
      ].join('  '),
    );
  },
).finally(remove);
process.exit(0);

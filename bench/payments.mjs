// @ts-check
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, install, requireNode, root } from '../scripts/set-up.mjs';

/*
 * Payments started per second, and the time until the card form appears, by number of concurrent clients. The floor
 * is the rate of Stripe's SDK and one insert in the same run. Fails if payments start too slowly compared with it. No
 * correct server can be as fast: it also receives and authenticates a request, stores the payment before it calls
 * Stripe, and stores the intent afterwards. The column "two writes" is the floor with both writes, and the bare
 * server also receives a request over HTTP and finds its session; it checks and records nothing else.
 */

const clientCounts = [1, 2, 4, 8, 16, 32];
const rounds = 5;
/** The share of the floor's rate that is required with this many concurrent clients. */
const required = { clients: 16, share: 0.6 };

requireNode();
install();
build();
const { runnerImport } = await import('vite');
const { module } = await runnerImport(join(root, 'e2e/history/build-program.ts'), { root, logLevel: 'warn' });
const { program, remove } = await module.buildProgram('e2e/history/measure-payments.ts');
const { measurePayments } = await import(pathToFileURL(program).href);

console.log(
  `${cpus().length} cores, ${cpus()[0]?.model ?? ''}, Node ${process.versions.node}, load before the run ${loadavg()[0]?.toFixed(1)}`,
);
const { transactions, measured } = await measurePayments({ clientCounts, rounds }).finally(remove);

console.log(`${rounds} rounds, medians; ${transactions.toFixed(1)} transactions for each payment`);
/** @type {[string, (row: import('../e2e/history/measure-payments.ts').PaymentsMeasured) => string][]} */
const columns = [
  ['clients', (row) => row.clients.toFixed(0)],
  ['intents/s', (row) => row.perSecond.toFixed(0)],
  ['floor/s', (row) => row.floorPerSecond.toFixed(0)],
  ['share of floor', (row) => `${(100 * row.share).toFixed(0)} %`],
  ['two writes/s', (row) => row.twoWritesPerSecond.toFixed(0)],
  ['bare server/s', (row) => row.barePerSecond.toFixed(0)],
  ['median ms', (row) => row.median.toFixed(1)],
  ['p99 ms', (row) => row.p99.toFixed(1)],
  ['CPU ms', (row) => inParts(row.serverCpu, row.postgresCpu)],
  ['bare CPU ms', (row) => inParts(row.bareServerCpu, row.barePostgresCpu)],
];
/** @type {(...parts: (number | null)[]) => string} Of the server and of PostgreSQL. */
const inParts = (...parts) => parts.map((part) => part?.toFixed(2) ?? '–').join(' + ');
/** @type {(cells: string[]) => void} */
const print = (cells) => console.log(cells.map((cell) => cell.padStart(14)).join(''));
print(columns.map(([title]) => title));
for (const row of measured) print(columns.map(([, write]) => write(row)));

const { share } = measured.find((/** @type {{ clients: number }} */ row) => row.clients === required.clients);
if (share < required.share) {
  console.error(
    `Payments start at ${(100 * share).toFixed(0)} % of the floor's rate with ${required.clients} clients; at least ${100 * required.share} % are required. Run it on an idle machine.`,
  );
  process.exit(1);
}
process.exit(0);

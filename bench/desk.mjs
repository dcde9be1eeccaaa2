// @ts-check
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install, requireNode, root } from '../scripts/set-up.mjs';

/*
 * Measures the staff's lists with 100,000 cases, without HTTP. Fails if the median of a list is 100 ms or more.
 *
 * npm run bench:desk -- --cases 10000
 */

const required = 100;
const position = process.argv.indexOf('--cases');
const cases = position === -1 ? 100_000 : Number(process.argv[position + 1]);

requireNode();
install();
const { runnerImport } = await import('vite');
const { module } = await runnerImport(join(root, 'e2e/history/build-program.ts'), { root, logLevel: 'warn' });
const { program, remove } = await module.buildProgram('e2e/desk/measure-desk.ts');
const { measureDesk } = await import(pathToFileURL(program).href);

console.log(
  `${cpus().length} cores, ${cpus()[0]?.model ?? ''}, Node ${process.versions.node}, load before the run ${loadavg()[0]?.toFixed(1)}`,
);
/** @type {{ name: string, p50: number, p95: number, found: number }[]} */
const measured = await measureDesk({ cases, runs: 31 }).finally(remove);
console.log(`${cases} cases`);
for (const { name, p50, p95, found } of measured)
  console.log(`${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, ${found} found`);
const slow = measured.filter(({ p50 }) => p50 >= required);
if (slow.length > 0) console.error(`Slower than ${required} ms: ${slow.map(({ name }) => name).join(', ')}`);
process.exit(slow.length > 0 ? 1 : 0);

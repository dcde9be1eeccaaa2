// @ts-check
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, install, requireNode, root } from '../scripts/set-up.mjs';

/*
 * Measures the staff's lists with 100,000 cases, without HTTP, and twenty members who save in twenty cases over HTTP, alone
 * and while 100,000 records are imported. Fails if the median of a list is 100 ms or more, if a save fails, or if 5 % of the
 * saves during the import take 300 ms or more.
 *
 * npm run bench:desk -- --cases 10000 --records 20000
 */

const required = { list: 100, save: 300 };
const option = (/** @type {string} */ name, /** @type {number} */ fallback) => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? fallback : Number(process.argv[position + 1]);
};
const cases = option('cases', 100_000);
const records = option('records', 100_000);

requireNode();
install();
build();
const { runnerImport } = await import('vite');
const { module } = await runnerImport(join(root, 'e2e/history/build-program.ts'), { root, logLevel: 'warn' });
/** @param {string} file exports what is measured */
async function load(file) {
  const { program, remove } = await module.buildProgram(file);
  return { ...(await import(pathToFileURL(program).href)), remove };
}
const { measureDesk, remove: removeDesk } = await load('e2e/desk/measure-desk.ts');
const { measureSaves, remove: removeSaves } = await load('e2e/desk/measure-saves.ts');

console.log(
  `${cpus().length} cores, ${cpus()[0]?.model ?? ''}, Node ${process.versions.node}, load before the run ${loadavg()[0]?.toFixed(1)}`,
);
/** @type {{ name: string, p50: number, p95: number, found: number }[]} */
const measured = await measureDesk({ cases, runs: 31 }).finally(removeDesk);
console.log(`${cases} cases`);
for (const { name, p50, p95, found } of measured)
  console.log(`${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, ${found} found`);
const slow = measured.filter(({ p50 }) => p50 >= required.list);
if (slow.length > 0)
  console.error(`Slower than ${required.list} ms: ${slow.map(({ name }) => name).join(', ')}`);

/** @typedef {{ saves: number, p50: number, p95: number, longest: number, failed: number[] }} Saves */
/** @type {{ idle: Saves, importing: Saves, importTime: number }} */
const { idle, importing, importTime } = await measureSaves({ records, seed: 1 }).finally(removeSaves);
for (const [name, { saves, p50, p95, longest, failed }] of Object.entries({
  'Saves by twenty members': idle,
  [`The same while ${records} records are imported in ${(importTime / 1000).toFixed(1)} s`]: importing,
}))
  console.log(
    `${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, longest ${longest.toFixed(0)} ms, ${saves} saves, ${failed.length} failed ${[...new Set(failed)].join(', ')}`.trimEnd(),
  );
const hasFailed = idle.failed.length + importing.failed.length > 0;
if (hasFailed) console.error('Saves failed.');
const isSlow = importing.p95 >= required.save;
if (isSlow) console.error(`Required: 95 % of the saves during an import within ${required.save} ms.`);
process.exit(slow.length > 0 || hasFailed || isSlow ? 1 : 0);

// @ts-check
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, install, requireNode, root } from '../scripts/set-up.mjs';

/*
 * Measures `keyturn import`: records per second into an empty database and again without changes, and its peak
 * memory. The floor is a bare insert of the same rows in the same run. Then measures a server with a batch of as many
 * lines over HTTP. Fails below the required figures.
 *
 * npm run bench:import -- --records 20000 --seed 2
 */

const required = {
  firstPerSecond: 3_000,
  shareOfFloor: 0.25,
  againPerSecond: 10_000,
  peakMemory: 300,
};

const option = (/** @type {string} */ name, /** @type {number} */ fallback) => {
  const index = process.argv.indexOf(`--${name}`);
  return index === -1 ? fallback : Number(process.argv[index + 1]);
};

requireNode();
install();
build();
const { runnerImport } = await import('vite');
const { module } = await runnerImport(join(root, 'e2e/history/build-program.ts'), { root, logLevel: 'warn' });
const { program, remove } = await module.buildProgram('e2e/imports/measure-import.ts');
const { measureBatch, measureImport } = await import(pathToFileURL(program).href);

console.log(
  `${cpus().length} cores, ${cpus()[0]?.model ?? ''}, Node ${process.versions.node}, load before the run ${loadavg()[0]?.toFixed(1)}`,
);
const size = { records: option('records', 100_000), seed: option('seed', 1) };
const { records, first, second, floor } = await measureImport(size);
const batch = await measureBatch(size);
remove();

const perSecond = (/** @type {number} */ time) => (1_000 * records) / time;
const floorTime = (floor.before + floor.after) / 2;
const share = floorTime / first.time;
const inSeconds = (/** @type {number | null} */ time) =>
  time === null ? '–' : `${(time / 1_000).toFixed(1)} s`;
const describe = (
  /** @type {string} */ name,
  /** @type {any} */ { time, commandCpu, postgresCpu, peakMemory, result },
) =>
  console.log(
    `${name}: ${inSeconds(time)}, ${perSecond(time).toFixed(0)} records/s; CPU: command ${inSeconds(commandCpu)}, PostgreSQL ${inSeconds(postgresCpu)}; peak memory ${peakMemory?.toFixed(0) ?? '–'} MB; ${result}`,
  );
console.log(`${records} records`);
describe('first import', first);
describe('second import', second);
console.log(
  `bare insert of the same rows: ${inSeconds(floor.before)} before, ${inSeconds(floor.after)} after; the import reaches ${(100 * share).toFixed(0)} % of its rate`,
);
console.log(
  `batch of ${batch.records} lines over HTTP: ${inSeconds(batch.time)}; memory of the server ${batch.before?.toFixed(0) ?? '–'} MB before, ${batch.peak?.toFixed(0) ?? '–'} MB at its peak`,
);

const failures = [
  [
    perSecond(first.time) >= required.firstPerSecond,
    `${required.firstPerSecond} records/s in the first import`,
  ],
  [share >= required.shareOfFloor, `${100 * required.shareOfFloor} % of the bare insert’s rate`],
  [
    perSecond(second.time) >= required.againPerSecond,
    `${required.againPerSecond} records/s in the second import`,
  ],
  [
    Math.max(first.peakMemory ?? 0, second.peakMemory ?? 0) < required.peakMemory,
    `a peak below ${required.peakMemory} MB`,
  ],
  [
    (batch.peak ?? 0) < required.peakMemory,
    `a peak of the server below ${required.peakMemory} MB for a batch over HTTP`,
  ],
].flatMap(([isMet, figure]) => (isMet ? [] : [figure]));
for (const figure of failures) console.error(`Required: ${figure}. Run it on an idle machine.`);
process.exit(failures.length > 0 ? 1 : 0);

// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, install, requireNode, root } from '../scripts/set-up.mjs';

/*
 * Measures the JavaScript that a browser downloads before a screen is usable: the entry, the screen's chunk and their
 * static imports, compressed with Brotli as the server sends them. Fails above the budgets.
 */

const kibibyte = 1024;
const screens = [
  { name: 'sign-in', chunk: /^_sign-in-.*\.js$/, budget: 77 * kibibyte },
  { name: '/', chunk: /^_case-.*\.js$|home-page\.tsx$/, budget: 110 * kibibyte },
];

requireNode();
install();
build();

const dist = join(root, 'apps/dashboard/dist');
/** @type {Record<string, { file: string, src?: string, isEntry?: boolean, imports?: string[], css?: string[] }>} */
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const keys = Object.keys(manifest);
const entry = keys.find((key) => manifest[key]?.isEntry);
if (!entry) throw new Error('the manifest of the build has no entry');

/** @param {string} file */
const brotli = (file) =>
  brotliCompressSync(readFileSync(join(dist, file)), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
    .length;

/** @param {string} key @param {Set<string>} seen */
function withImports(key, seen) {
  const chunk = manifest[key];
  if (!chunk || seen.has(key)) return;
  seen.add(key);
  for (const imported of chunk.imports ?? []) withImports(imported, seen);
}

let isOverBudget = false;
for (const { name, chunk, budget } of screens) {
  const ownChunks = keys.filter((key) => chunk.test(key));
  if (ownChunks.length === 0)
    throw new Error(`no chunk of the build matches ${chunk}, which is the screen "${name}"`);
  /** @type {Set<string>} */
  const graph = new Set();
  for (const key of [entry, ...ownChunks]) withImports(key, graph);
  const scripts = [...graph].map((key) => manifest[key]?.file ?? '').filter((file) => file.endsWith('.js'));
  const styles = new Set([...graph].flatMap((key) => manifest[key]?.css ?? []));
  const size = scripts.reduce((sum, file) => sum + brotli(file), 0);
  const styleSize = [...styles].reduce((sum, file) => sum + brotli(file), 0);
  const verdict = size <= budget ? 'within' : 'OVER';
  if (size > budget) isOverBudget = true;
  const inKibibytes = (/** @type {number} */ bytes) => `${(bytes / kibibyte).toFixed(1)} KiB`;
  console.log(
    `${name.padEnd(8)} ${inKibibytes(size).padStart(9)} JavaScript in ${scripts.length} files, ${verdict} ${inKibibytes(budget)}; ${inKibibytes(styleSize)} CSS`,
  );
}
process.exit(isOverBudget ? 1 : 0);

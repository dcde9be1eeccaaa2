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
const apps = [
  {
    app: 'dashboard',
    screens: [
      { name: 'sign-in', chunk: /^_sign-in-.*\.js$/, budget: 77 * kibibyte },
      { name: '/', chunk: /^_case-.*\.js$|home-page\.tsx$/, budget: 110 * kibibyte },
    ],
  },
  {
    app: 'desk',
    screens: [{ name: 'desk', chunk: /sign-in-page\.tsx$|staff-checks\.ts$/, budget: 180 * kibibyte }],
  },
];

requireNode();
install();
build();

let isOverBudget = false;
for (const { app, screens } of apps) {
  const dist = join(root, 'apps', app, 'dist');
  const measure = readBuild(dist);
  for (const { name, chunk, budget } of screens) {
    const { scripts, size, styleSize } = measure(name, chunk);
    const verdict = size <= budget ? 'within' : 'OVER';
    if (size > budget) isOverBudget = true;
    const inKibibytes = (/** @type {number} */ bytes) => `${(bytes / kibibyte).toFixed(1)} KiB`;
    console.log(
      `${name.padEnd(8)} ${inKibibytes(size).padStart(9)} JavaScript in ${scripts} files, ${verdict} ${inKibibytes(budget)}; ${inKibibytes(styleSize)} CSS`,
    );
  }
}
process.exit(isOverBudget ? 1 : 0);

/**
 * Reads the manifest of a build. @returns a function that measures what a screen downloads
 * @param {string} dist
 */
function readBuild(dist) {
  /** @type {Record<string, { file: string, src?: string, isEntry?: boolean, imports?: string[], css?: string[] }>} */
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  const keys = Object.keys(manifest);
  const entry = keys.find((key) => manifest[key]?.isEntry);
  if (!entry) throw new Error(`the manifest in ${dist} has no entry`);

  /** @param {string} file */
  const brotli = (file) =>
    brotliCompressSync(readFileSync(join(dist, file)), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
      .length;

  /** @param {string} key @param {Set<string>} seen */
  const withImports = (key, seen) => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    for (const imported of chunk.imports ?? []) withImports(imported, seen);
  };

  /** @param {string} name @param {RegExp} chunk */
  return (name, chunk) => {
    const ownChunks = keys.filter((key) => chunk.test(key));
    if (ownChunks.length === 0)
      throw new Error(`no chunk of the build matches ${chunk}, which is the screen "${name}"`);
    /** @type {Set<string>} */
    const graph = new Set();
    for (const key of [entry, ...ownChunks]) withImports(key, graph);
    const scripts = [...graph].map((key) => manifest[key]?.file ?? '').filter((file) => file.endsWith('.js'));
    const styles = new Set([...graph].flatMap((key) => manifest[key]?.css ?? []));
    return {
      scripts: scripts.length,
      size: scripts.reduce((sum, file) => sum + brotli(file), 0),
      styleSize: [...styles].reduce((sum, file) => sum + brotli(file), 0),
    };
  };
}

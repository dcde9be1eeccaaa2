import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, install, requireNode, root } from '../scripts/set-up.mjs';
import { buildEmptyPage } from './empty-page/build.mjs';
import { describeLongTasks } from './long-tasks.mjs';

/*
 * What Lighthouse says of sign-in and of the signed-in start page, by its own settings for mobile phones, and of an empty
 * page of React and wouter from the same server. Medians of five rounds; each round measures all pages, because the scores
 * of all of them fall on a busy machine. Fails if a page scores too far below the empty page, or has faults. `--tasks` also
 * prints the tasks that block each page. Lighthouse is fetched by npx and belongs to no package: it is larger than all of
 * them together.
 */

const version = '12.8.2';
const runs = 5;
const port = 9_339;
const printsTasks = process.argv.includes('--tasks');
/** `below`: by how many points a page may score less than the empty page. */
const goals = [
  { path: '/login', below: 1 },
  { path: '/', below: 4 },
];
const categories = /** @type {const} */ (['performance', 'accessibility', 'best-practices']);

requireNode();
install();
build();
const { runnerImport } = await import('vite');
/** @param {string} path */
const load = async (path) => (await runnerImport(join(root, path), { root, logLevel: 'warn' })).module;
const { launchPersistentBrowser, storeSignIn } = await load('e2e/harness/browser.ts');
const { startProduct, removeDataDirectory } = await load('e2e/harness/start-product.ts');

const folder = mkdtempSync(join(tmpdir(), 'keyturn-lighthouse-'));
await buildEmptyPage(join(folder, 'empty'));
const product = await startProduct();
const emptyProduct = await startProduct({ env: { KEYTURN_DASHBOARD_DIR: join(folder, 'empty') } });
let failed = false;
try {
  /** @type {Record<string, Record<string, number>[]>} */
  const found = { empty: [], '/login': [], '/': [] };
  for (let run = 0; run < runs; run += 1) {
    found.empty?.push(await audit(`${emptyProduct.url}/login`));
    for (const { path } of goals) found[path]?.push(await audit(product.url + path));
  }
  const scoreOf = (/** @type {string} */ page, /** @type {string} */ name) =>
    median((found[page] ?? []).map((one) => one[name] ?? 0));
  const empty = scoreOf('empty', 'performance');
  console.log(`empty page  performance ${empty}, blocked for ${scoreOf('empty', 'blocked')} ms`);
  for (const { path, below } of goals) {
    const performance = scoreOf(path, 'performance');
    const isFast = performance >= empty - below;
    const faulty = ['accessibility', 'best-practices'].filter((name) => scoreOf(path, name) < 100);
    if (!isFast || faulty.length > 0) failed = true;
    console.log(
      `${path.padEnd(12)}performance ${performance}, blocked for ${scoreOf(path, 'blocked')} ms: ${isFast ? 'within' : 'MORE THAN'} ${below} of the empty page; ${faulty.length > 0 ? `FAULTS in ${faulty.join(', ')}` : 'no faults'}`,
    );
  }
} finally {
  for (const { stop, dataDirectory } of [product, emptyProduct]) {
    await stop();
    removeDataDirectory(dataDirectory);
  }
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

/**
 * In a browser that knows nothing but, for the start page, the sign-in.
 * @param {string} url
 * @returns {Promise<Record<string, number>>} scores of 100, and for how many milliseconds scripts blocked the page
 */
async function audit(url) {
  const profile = mkdtempSync(join(folder, 'profile-'));
  const context = await launchPersistentBrowser(profile, port);
  try {
    const page = await context.newPage();
    const { origin, pathname } = new URL(url);
    // Lighthouse needs a page, and the dashboard’s files must not have been fetched.
    await page.goto(`${origin}/favicon.svg`);
    if (pathname !== '/login') await storeSignIn(page, origin, 'amelia@example.test');
    await page.close();
    const report = join(profile, 'report.json');
    // Asynchronous, because the code that drives the browser has to continue meanwhile.
    await promisify(execFile)(
      'npx',
      [
        '--yes',
        `lighthouse@${version}`,
        url,
        `--port=${port}`,
        '--disable-storage-reset',
        '--quiet',
        '--output=json',
        ...(printsTasks ? ['--save-assets'] : []),
        `--output-path=${report}`,
        `--only-categories=${categories.join(',')}`,
      ],
      { timeout: 180_000 },
    );
    // Lighthouse appends to the name of the report when it saves more files.
    if (printsTasks) {
      console.log(url);
      for (const line of describeLongTasks(`${report.replace(/\.json$/, '')}-0.trace.json`))
        console.log(line);
    }
    const found = JSON.parse(readFileSync(report, 'utf8'));
    return {
      ...Object.fromEntries(categories.map((name) => [name, Math.round(found.categories[name].score * 100)])),
      blocked: Math.round(found.audits['total-blocking-time'].numericValue),
    };
  } finally {
    await context.close();
  }
}

/** @param {number[]} scores */
function median(scores) {
  return scores.sort((one, other) => one - other)[Math.floor(scores.length / 2)] ?? 0;
}

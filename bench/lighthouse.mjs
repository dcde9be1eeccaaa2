import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, install, requireNode, root } from '../scripts/set-up.mjs';
import { buildEmptyPage } from './empty-page/build.mjs';
import { describeLongTasks } from './long-tasks.mjs';

/*
 * Runs Lighthouse with its settings for mobile phones on sign-in, on the signed-in home page, and on an empty page
 * with React and wouter from the same server. Reports medians of five rounds; each round measures all pages, because
 * all scores fall on a busy machine. Fails if a page scores too far below the empty page, or fails an audit.
 *
 * `--desk` measures pages of the desk instead, by Lighthouse’s settings for desktop computers, and fails if one
 * scores less than 95. `--tasks` also prints the tasks that block each page. npx downloads Lighthouse. It is not a
 * dependency, because it is larger than all dependencies together.
 */

const version = '12.8.2';
const runs = 5;
const port = 9_339;
const printsTasks = process.argv.includes('--tasks');
const isDesk = process.argv.includes('--desk');
/** `below`: the maximum number of points below the score of the empty page. */
const clientGoals = [
  { path: '/login', below: 1, isSignedIn: false },
  { path: '/', below: 4, isSignedIn: true },
];
/** `CASE` is the id of a case. */
const deskGoals = [
  { path: '/desk', isSignedIn: false },
  { path: '/desk/?list=all', isSignedIn: true },
  { path: '/desk/cases', isSignedIn: true },
  { path: '/desk/cases/CASE', isSignedIn: true },
].map((goal) => ({ ...goal, atLeast: 95 }));
const categories = /** @type {const} */ (['performance', 'accessibility', 'best-practices']);

requireNode();
install();
build();
const { runnerImport } = await import('vite');
/** @param {string} path */
const load = async (path) => (await runnerImport(join(root, path), { root, logLevel: 'warn' })).module;
const { launchPersistentBrowser, storeSignIn } = await load('e2e/harness/browser.ts');
const { storeDeskSignIn } = await load('e2e/harness/desk-screens.ts');
const { startProduct, removeDataDirectory } = await load('e2e/harness/start-product.ts');

const folder = mkdtempSync(join(tmpdir(), 'keyturn-lighthouse-'));
const product = await startProduct();
try {
  process.exitCode = (await (isDesk ? measureDesk() : measureClients())) ? 0 : 1;
} finally {
  await product.stop();
  removeDataDirectory(product.dataDirectory);
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

/** @returns {Promise<boolean>} whether all pages reach their goals */
async function measureClients() {
  await buildEmptyPage(join(folder, 'empty'));
  const emptyProduct = await startProduct({ env: { KEYTURN_DASHBOARD_DIR: join(folder, 'empty') } });
  try {
    const [empty, ...pages] = await measureInRounds([
      { url: `${emptyProduct.url}/login`, isSignedIn: false },
      ...clientGoals.map(({ path, isSignedIn }) => ({ url: product.url + path, isSignedIn })),
    ]);
    const emptyScore = empty?.performance ?? 0;
    console.log(`empty page  performance ${emptyScore}, blocked for ${empty?.blocked} ms`);
    return clientGoals
      .map(({ path, below }, index) => {
        const scores = pages[index] ?? {};
        const isFast = (scores.performance ?? 0) >= emptyScore - below;
        return report(path, scores, { isFast, goal: `${below} of the empty page` });
      })
      .every(Boolean);
  } finally {
    await emptyProduct.stop();
    removeDataDirectory(emptyProduct.dataDirectory);
  }
}

/** @returns {Promise<boolean>} whether all pages reach their goals */
async function measureDesk() {
  const caseId = await findCase();
  const pages = await measureInRounds(
    deskGoals.map(({ path, isSignedIn }) => ({
      url: product.url + path.replace('CASE', caseId),
      isSignedIn,
    })),
  );
  return deskGoals
    .map(({ path, atLeast, isSignedIn }, index) => {
      const scores = pages[index] ?? {};
      const name = isSignedIn ? path : `${path} (sign-in)`;
      return report(name, scores, { isFast: (scores.performance ?? 0) >= atLeast, goal: `${atLeast}` });
    })
    .every(Boolean);
}

/**
 * @param {string} page
 * @param {Record<string, number>} scores
 * @param {{ isFast: boolean, goal: string }} verdict
 */
function report(page, scores, { isFast, goal }) {
  const faulty = ['accessibility', 'best-practices'].filter((name) => (scores[name] ?? 0) < 100);
  console.log(
    `${page.padEnd(18)} performance ${scores.performance}, blocked for ${scores.blocked} ms: ${isFast ? 'within' : 'MISSES'} ${goal}; ${faulty.length > 0 ? `FAULTS in ${faulty.join(', ')}` : 'no faults'}`,
  );
  return isFast && faulty.length === 0;
}

/**
 * @param {{ url: string, isSignedIn: boolean }[]} pages
 * @returns {Promise<Record<string, number>[]>} the medians of each page
 */
async function measureInRounds(pages) {
  /** @type {Record<string, number>[][]} */
  const found = pages.map(() => []);
  for (let run = 0; run < runs; run += 1) {
    for (const [index, page] of pages.entries()) found[index]?.push(await audit(page));
  }
  return found.map((rounds) =>
    Object.fromEntries(
      Object.keys(rounds[0] ?? {}).map((name) => [name, median(rounds.map((scores) => scores[name] ?? 0))]),
    ),
  );
}

/** Returns the id of the case with the most to show. */
async function findCase() {
  const context = await launchPersistentBrowser(mkdtempSync(join(folder, 'profile-')), port);
  try {
    const page = await context.newPage();
    await storeDeskSignIn(page, product.url, 'dana.price@example.test');
    return await page.evaluate(async () => {
      const { data } = await (await fetch('/api/staff/cases?q=okafor')).json();
      return data.cases[0].id;
    });
  } finally {
    await context.close();
  }
}

/**
 * Runs Lighthouse on a page, in a new browser profile that has only a sign-in where the page needs one.
 * @param {{ url: string, isSignedIn: boolean }} page
 * @returns {Promise<Record<string, number>>} scores out of 100, and the milliseconds for which scripts blocked the
 *   page
 */
async function audit({ url, isSignedIn }) {
  const profile = mkdtempSync(join(folder, 'profile-'));
  const context = await launchPersistentBrowser(profile, port);
  try {
    const page = await context.newPage();
    const { origin } = new URL(url);
    // Lighthouse needs a page, and the page’s own files must not have been fetched.
    await page.goto(`${origin}/favicon.svg`);
    if (isSignedIn && isDesk) await storeDeskSignIn(page, origin, 'dana.price@example.test');
    else if (isSignedIn) await storeSignIn(page, origin, 'amelia@example.test');
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
        ...(isDesk ? ['--preset=desktop'] : []),
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

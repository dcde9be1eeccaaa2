import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, install, requireNode, root } from '../scripts/set-up.mjs';

/*
 * What Lighthouse says of sign-in and of the signed-in start page, by its own settings for mobile phones: medians of
 * three. Fails below the goals. It is fetched by npx and belongs to no package: it is larger than all of them together.
 */

const version = '12.8.2';
const runs = 3;
const port = 9_339;
const goals = [
  { path: '/login', scores: { performance: 99, accessibility: 100, 'best-practices': 100 } },
  { path: '/', scores: { performance: 95, accessibility: 100, 'best-practices': 100 } },
];
const categories = /** @type {const} */ (['performance', 'accessibility', 'best-practices']);

requireNode();
install();
build();
const { runnerImport } = await import('vite');
/** @param {string} path */
const load = async (path) => (await runnerImport(join(root, path), { root, logLevel: 'warn' })).module;
const { demonstrationPassword: password, launchProfile } = await load('e2e/harness/browser.ts');
const { startProduct, removeDataDirectory } = await load('e2e/harness/start-product.ts');

const folder = mkdtempSync(join(tmpdir(), 'keyturn-lighthouse-'));
const product = await startProduct();
let failed = false;
try {
  for (const { path, scores } of goals) {
    const found = [];
    for (let run = 0; run < runs; run += 1) found.push(await audit(path));
    for (const category of categories) {
      const score = median(found.map((one) => one[category] ?? 0));
      const goal = scores[category];
      if (score < goal) failed = true;
      console.log(`${path.padEnd(8)}${category.padEnd(16)}${score} ${score < goal ? 'BELOW' : 'of'} ${goal}`);
    }
  }
} finally {
  await product.stop();
  removeDataDirectory(product.dataDirectory);
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

/**
 * In a browser that knows nothing but, for the start page, the sign-in.
 * @param {string} path
 * @returns {Promise<Record<string, number>>} scores of 100
 */
async function audit(path) {
  const profile = mkdtempSync(join(folder, 'profile-'));
  const context = await launchProfile(profile, port);
  try {
    const page = await context.newPage();
    await page.goto(`${product.url}/favicon.svg`);
    if (path !== '/login') await page.evaluate(keepSignIn, { email: 'amelia@example.test', password });
    await page.close();
    const report = join(profile, 'report.json');
    // Asynchronous, because the code that drives the browser has to continue meanwhile.
    await promisify(execFile)(
      'npx',
      [
        '--yes',
        `lighthouse@${version}`,
        product.url + path,
        `--port=${port}`,
        '--disable-storage-reset',
        '--quiet',
        '--output=json',
        `--output-path=${report}`,
        `--only-categories=${categories.join(',')}`,
      ],
      { timeout: 180_000 },
    );
    const found = JSON.parse(readFileSync(report, 'utf8'));
    return Object.fromEntries(
      categories.map((name) => [name, Math.round(found.categories[name].score * 100)]),
    );
  } finally {
    await context.close();
  }
}

/**
 * Runs in the browser: signs in and keeps it as the dashboard would, whose files are not fetched for it.
 * @param {{ email: string, password: string }} who
 */
async function keepSignIn(who) {
  const answer = await fetch('/api/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(who),
  });
  const { data } = await answer.json();
  const value = { ...data, obtained_at: Date.now(), client: null };
  localStorage.setItem('keyturn.auth', JSON.stringify({ version: 1, value }));
}

/** @param {number[]} scores */
function median(scores) {
  return scores.sort((one, other) => one - other)[Math.floor(scores.length / 2)] ?? 0;
}

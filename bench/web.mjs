import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, install, requireNode, root } from '../scripts/set-up.mjs';
import { buildEmptyPage } from './empty-page/build.mjs';

/*
 * Measures loading times on a mid-range phone with a slow mobile network: Chromium with its processor slowed to a
 * quarter and Lighthouse's slow 4G (150 ms, 1.6 Mbit/s). Reports medians of five, compared with an empty page of
 * React and wouter from the same server. Fails when sign-in takes more than 1.2 times as long to its largest paint as
 * the empty page, or when a repeated visit does not show the case before the API has answered.
 */

const runs = 5;
const most = 1.2;
const phone = { locale: 'en-GB', viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true };

requireNode();
install();
build();
const { runnerImport } = await import('vite');
/** @param {string} path */
const load = async (path) => (await runnerImport(join(root, path), { root, logLevel: 'warn' })).module;
const { launchBrowser, signInByForm } = await load('e2e/harness/browser.ts');
const { startProduct, removeDataDirectory } = await load('e2e/harness/start-product.ts');

const folder = mkdtempSync(join(tmpdir(), 'keyturn-bench-'));
await buildEmptyPage(join(folder, 'empty'));

const product = await startProduct();
const emptyProduct = await startProduct({ env: { KEYTURN_DASHBOARD_DIR: join(folder, 'empty') } });
const browser = await launchBrowser();
let failed = false;
try {
  const empty = await cold(emptyProduct.url, '/login', isFormTaken);
  const login = await cold(product.url, '/login', isFormTaken);
  const home = await visits();
  const rows = [
    ['empty page', empty],
    ['sign-in', login],
    ['/ cold', home.cold],
    ['/ again', home.again],
    ['/ again, API held back', home.held],
  ];
  console.log('                            LCP    usable   transfer');
  for (const [name, { lcp, usable, bytes }] of /** @type {[string, Figures][]} */ (rows)) {
    const columns = [`${lcp} ms`, `${usable} ms`, `${(bytes / 1000).toFixed(1)} KB`];
    console.log(`${name.padEnd(23)}${columns.map((text) => text.padStart(10)).join('')}`);
  }
  const times = login.lcp / empty.lcp;
  failed = times > most;
  console.log(
    `sign-in is at its largest paint after ${times.toFixed(2)} times the empty page's ${failed ? 'OVER' : 'within'} ${most}`,
  );
} finally {
  await browser.close();
  for (const { stop, dataDirectory } of [product, emptyProduct]) {
    await stop();
    removeDataDirectory(dataDirectory);
  }
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

/** @typedef {{ lcp: number, usable: number, bytes: number }} Figures milliseconds since the navigation, bytes sent */

/** The form accepts input. */
function isFormTaken() {
  return document.querySelector('form[data-taken]') !== null;
}

/** The case is on the screen: the tasks and their amounts. */
function isCaseShown() {
  return /Case KT-.*Pay £/s.test(document.querySelector('main')?.textContent ?? '');
}

/**
 * Measures a first visit, in a new browser profile.
 * @param {string} url
 * @param {string} path
 * @param {() => boolean} isUsable
 */
async function cold(url, path, isUsable) {
  const found = [];
  for (let run = 0; run < runs; run += 1) {
    const context = await browser.newContext(phone);
    const page = await context.newPage();
    found.push(await measure(page, await slowDown(page), url + path, isUsable));
    await context.close();
  }
  return medians(found);
}

/**
 * Measures the home page of a signed-in client: with an empty cache, with a full cache, and with the API held back.
 */
async function visits() {
  const found = { cold: [], again: [], held: [] };
  for (let run = 0; run < runs; run += 1) {
    const context = await browser.newContext(phone);
    const first = await context.newPage();
    await signInByForm(first, product.url, 'amelia@example.test');
    await first
      .getByRole('link', { name: /^Pay £/ })
      .first()
      .waitFor();
    await first.close();
    for (const kind of /** @type {const} */ (['cold', 'again', 'held'])) {
      const page = await context.newPage();
      const cdp = await slowDown(page);
      if (kind === 'cold') await cdp.send('Network.clearBrowserCache');
      const release = kind === 'held' ? await holdApi(cdp) : async () => {};
      found[kind].push(await measure(page, cdp, `${product.url}/`, isCaseShown));
      await release();
      await page.close();
    }
    await context.close();
  }
  return { cold: medians(found.cold), again: medians(found.again), held: medians(found.held) };
}

/**
 * Holds every API call back until it is released. Request interception by the browser library would turn the cache
 * off.
 */
async function holdApi(cdp) {
  const held = [];
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }] });
  cdp.on('Fetch.requestPaused', ({ requestId }) => held.push(requestId));
  return async () => {
    if (held.length === 0) throw new Error('the page did not call the API');
    for (const requestId of held) await cdp.send('Fetch.continueRequest', { requestId });
  };
}

async function slowDown(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return cdp;
}

/** @returns {Promise<Figures>} */
async function measure(page, cdp, url, isUsable) {
  let bytes = 0;
  const count = ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  };
  cdp.on('Network.loadingFinished', count);
  await page.addInitScript({ content: `(${watch})(${isUsable})` });
  await page.goto(url, { waitUntil: 'commit' });
  const usable = await page.waitForFunction(() => window.bench.usable, null, { timeout: 30_000 });
  await page.waitForLoadState('load');
  const all = bytes;
  await page.waitForTimeout(300);
  const { lcp } = await page.evaluate(() => window.bench);
  return { lcp: Math.round(lcp), usable: Math.round(await usable.jsonValue()), bytes: all };
}

/** Runs in the page before its own scripts. */
function watch(isUsable) {
  window.bench = { lcp: 0, usable: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.bench.lcp = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  const ask = () => {
    if (document.body && isUsable()) window.bench.usable = performance.now();
    else requestAnimationFrame(ask);
  };
  requestAnimationFrame(ask);
}

/** @param {Figures[]} all @returns {Figures} */
function medians(all) {
  const median = (name) => all.map((one) => one[name]).sort((a, b) => a - b)[Math.floor(all.length / 2)];
  return { lcp: median('lcp'), usable: median('usable'), bytes: median('bytes') };
}

import { join } from 'node:path';
import { variants } from '@keyturn/testkit/run-length.ts';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeContexts, newContext, openSharedBrowser, signIn, signInByForm } from '../harness/browser.ts';
import { copyBuild } from '../harness/copy-build.ts';
import { confirmDetails, fillCard } from '../harness/pay-by-card.ts';
import { productDatabaseUrl } from '../harness/product-database.ts';
import { type ReverseProxy, startReverseProxy } from '../harness/reverse-proxy.ts';
import {
  type RunningProduct,
  removeDataDirectory,
  shareDocuments,
  startProduct,
} from '../harness/start-product.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

/*
 * Two builds behind one proxy: `oldServer` serves the old one, and `newServer` the new one. They share the database, and
 * through it the files of both builds. `deployWithoutOldFiles` leaves those of the old build out, as if it had been
 * replaced more than a day ago.
 */

const folder = temporaryFolder();
const oldBuild = { id: 'aaaa0000aaaa0000', timestamp: 1_795_000_000_000 };
const newBuild = { id: 'bbbb0000bbbb0000', timestamp: 1_795_000_100_000 };
const servers: RunningProduct[] = [];
let oldServer: RunningProduct;
let newServer: RunningProduct;
let proxy: ReverseProxy;
let browser: Browser;
let chooseServer: (path: string) => RunningProduct | null;

beforeAll(async () => {
  const env = { KEYTURN_BUILD_CHECK_SECONDS: '1', KEYTURN_REALTIME_KEY: '' };
  const directories = [oldBuild, newBuild].map((build) => copyBuild(join(folder, build.id), build));
  oldServer = await startProduct({ env: { ...env, KEYTURN_DASHBOARD_DIR: directories[0] } });
  servers.push(oldServer);
  const databaseUrl = productDatabaseUrl(oldServer.dataDirectory);
  const newServerEnv = { ...env, KEYTURN_DASHBOARD_DIR: directories[1], DATABASE_URL: databaseUrl };
  const dataDirectory = join(folder, 'data');
  shareDocuments(dataDirectory, join(oldServer.dataDirectory, 'documents'));
  newServer = await startProduct({ env: newServerEnv, dataDirectory });
  servers.push(newServer);
  proxy = await startReverseProxy((request) => chooseServer(request.url ?? '')?.url ?? null);
  browser = await openSharedBrowser();
}, 120_000);
afterAll(async () => {
  await closeContexts(browser);
  proxy?.close();
  for (const server of servers.toReversed()) await server.stop();
  if (oldServer) removeDataDirectory(oldServer.dataDirectory);
});
beforeEach(() => {
  chooseServer = () => oldServer;
});

const deploy = () => {
  chooseServer = () => newServer;
};
const deployWithoutOldFiles = () => {
  chooseServer = (path) => (oldFile.test(path) ? null : newServer);
};
/** The names of the old build’s files. */
const oldFile = /-aaaa\.\w+$|\/aaaa0000aaaa0000\.json$/;

/** Opens a signed-in tab of the old build and waits until it has checked for a new one. */
async function openTab(
  prepare: (context: BrowserContext) => Promise<unknown> = async () => {},
  signInTo: typeof signInByForm = signIn,
) {
  const context = await newContext(browser);
  // With data saving on, the dashboard preloads no screens.
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } }),
  );
  await prepare(context);
  const page = await context.newPage();
  const consoleMessages: string[] = [];
  page.on('console', (message) => consoleMessages.push(message.text()));
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(request.url().slice(proxy.url.length)));
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await signInTo(page, proxy.url, 'tom@example.test');
  await page.getByRole('heading', { name: 'What we need from you' }).waitFor();
  await waitForRequestTo(page, /latest\.json/);
  return { context, page, consoleMessages, requestedPaths, loads: () => loads };
}

const waitForRequestTo = (page: Page, path: RegExp) =>
  page.waitForRequest((request) => path.test(request.url()));
const buildOf = (page: Page) =>
  page.evaluate(() => JSON.parse(document.getElementById('keyturn-build')?.textContent ?? '{}').id);
const clickLink = (page: Page, name: string) => page.getByRole('link', { name }).first().click();
const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
/** Waits for two responses about the latest build, so that the page has processed the first. */
async function waitForBuildCheck(page: Page) {
  for (let times = 0; times < 2; times++) {
    await page.waitForResponse((response) => response.url().includes('latest.json'));
  }
}
/** Tells the tab that the old build is still the latest. */
const hideNewBuild = (context: BrowserContext) =>
  context.route('**/builds/latest.json?*', (route) =>
    route.request().method() === 'HEAD' ? route.continue() : route.fulfill({ json: oldBuild }),
  );

describe('a tab that is open during a deployment', () => {
  test('reads the build manifest once and checks for the latest build', async () => {
    const { context, requestedPaths } = await openTab();
    const meta = requestedPaths.filter((path) => path.startsWith('/builds/meta/'));
    expect(meta).toEqual([`/builds/meta/${oldBuild.id}.json`]);
    expect(requestedPaths.find((path) => path.startsWith('/builds/latest.json'))).toMatch(
      /latest\.json\?\d{13}$/,
    );
    await context.close();
  });

  test('reloads on the next navigation after a deployment, and loads no files of the old build for that screen', async () => {
    const { context, page, requestedPaths, loads } = await openTab();
    deployWithoutOldFiles();
    await waitForBuildCheck(page);
    const before = loads();
    expect(await buildOf(page)).toBe(oldBuild.id);
    await clickLink(page, 'Milestones');
    await waitForHeading(page, 'Milestones');
    expect(await buildOf(page)).toBe(newBuild.id);
    expect(page.url()).toBe(`${proxy.url}/milestones`);
    expect(loads() - before).toBe(1);
    expect(requestedPaths.filter((path) => /milestones-page/.test(path) && !path.includes('-bbbb'))).toEqual(
      [],
    );
    await clickLink(page, 'Payments');
    await waitForHeading(page, 'Payments');
    expect(loads() - before).toBe(1);
    await page.goBack();
    await waitForHeading(page, 'Milestones');
    await context.close();
  });

  test('still serves the files of the old build to open tabs, and answers 404 for unknown files', async () => {
    const { context, page, loads } = await openTab(hideNewBuild);
    deploy();
    const before = loads();
    await clickLink(page, 'Milestones');
    await waitForHeading(page, 'Milestones');
    expect(loads()).toBe(before);
    expect(await buildOf(page)).toBe(oldBuild.id);
    const meta = await fetch(`${proxy.url}/builds/meta/${oldBuild.id}.json`);
    expect(meta.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    for (const path of ['/assets/never-was.js', '/builds/meta/never.json', '/builds/never.json']) {
      const answer = await fetch(proxy.url + path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
    }
    for (const path of ['/builds/latest.json', '/', '/login']) {
      expect((await fetch(proxy.url + path)).headers.get('cache-control')).toBe('no-cache');
    }
    await context.close();
  });

  test('fault 56: reloads at most twice while old and new servers answer alternately', async () => {
    const { context, page, loads } = await openTab();
    let turn = 0;
    const before = loads();
    chooseServer = (path) => (path.startsWith('/api') ? oldServer : turn++ % 2 === 0 ? newServer : oldServer);
    for (let step = 0; step < 4; step++) {
      await page.waitForTimeout(1_500);
      await clickLink(page, 'Milestones');
      await waitForHeading(page, 'Milestones');
      await page.waitForTimeout(1_500);
      await clickLink(page, 'Payments');
      await waitForHeading(page, 'Payments');
    }
    expect(loads() - before).toBeLessThanOrEqual(2);
    await context.close();
  });

  const unusable: [string, Parameters<Route['fulfill']>[0]][] = [
    ['an HTML page', { contentType: 'text/html', body: '<!doctype html><title>x</title>' }],
    ['missing', { status: 404, contentType: 'text/plain', body: 'Not found' }],
    ['an error', { status: 500, contentType: 'application/json', body: '{}' }],
    [
      'very large',
      { contentType: 'application/json', body: JSON.stringify({ ...newBuild, more: 'x'.repeat(3_000_000) }) },
    ],
    ['the wrong shape', { json: { id: 5, timestamp: 'now' } }],
  ];
  test.each(variants(unusable, 2))(
    'fault 55: ignores a latest.json that is %s and warns on the console',
    async (_problem, answer) => {
      const { context, page, consoleMessages, loads } = await openTab();
      await page.route('**/builds/latest.json?*', (route) => route.fulfill(answer));
      await waitForBuildCheck(page);
      const before = loads();
      await clickLink(page, 'Milestones');
      await waitForHeading(page, 'Milestones');
      expect(loads()).toBe(before);
      expect(consoleMessages.join()).toMatch(/Could not read the latest build/);
      await context.close();
    },
  );
});

test('abandons a latest.json request without a response after ten seconds, and retries later', async () => {
  const { context, page, consoleMessages } = await openTab();
  await page.route('**/builds/latest.json?*', () => new Promise(() => {}));
  const warned = page.waitForEvent('console', {
    predicate: (message) => /Could not read the latest build/.test(message.text()),
    timeout: 20_000,
  });
  await warned;
  await page.unroute('**/builds/latest.json?*');
  deployWithoutOldFiles();
  await waitForBuildCheck(page);
  await clickLink(page, 'Milestones');
  await waitForHeading(page, 'Milestones');
  expect(await buildOf(page)).toBe(newBuild.id);
  expect(consoleMessages.join()).not.toMatch(/uncaught/i);
  await context.close();
});

describe('a screen that fails to load', () => {
  test('fault 54: reloads the page once to load a missing screen, and keeps the client signed in', async () => {
    const { context, page, loads } = await openTab(hideNewBuild);
    deployWithoutOldFiles();
    const before = loads();
    await clickLink(page, 'Milestones');
    await waitForHeading(page, 'Milestones');
    expect(await buildOf(page)).toBe(newBuild.id);
    expect(loads() - before).toBe(1);
    await context.close();
  });

  test('keeps the query and the fragment when it reloads for a missing screen', async () => {
    const { context, page } = await openTab(hideNewBuild);
    deployWithoutOldFiles();
    await page.evaluate(() => {
      history.pushState({}, '', '/payment-other?amount=12500#amount');
    });
    await waitForHeading(page, 'Make another payment');
    expect(page.url()).toBe(`${proxy.url}/payment-other?amount=12500#amount`);
    expect(await buildOf(page)).toBe(newBuild.id);
    await context.close();
  });

  test('fault 54: reloads once for a screen whose file is missing, and loads it with Try again once the file is back', async () => {
    const { context, page, loads } = await openTab(hideNewBuild);
    await page.route(/assets\/(milestones|payments)-page/, (route) =>
      route.fulfill({ status: 404, body: 'gone' }),
    );
    const before = loads();
    await clickLink(page, 'Milestones');
    await page.getByText(/We couldn’t load this page/).waitFor();
    expect(loads() - before).toBe(1);
    const reloaded = page.waitForEvent('domcontentloaded');
    await page.evaluate(() => history.pushState({}, '', '/payments'));
    await reloaded;
    await page.getByText(/We couldn’t load this page/).waitFor();
    expect(loads() - before).toBe(2);
    await page.evaluate(() => history.pushState({}, '', '/milestones'));
    await page.getByText(/We couldn’t load this page/).waitFor();
    await page.waitForTimeout(500);
    expect(loads() - before).toBe(2);
    await page.unroute(/assets\/(milestones|payments)-page/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await waitForHeading(page, 'Milestones');
    await context.close();
  });

  test('fault 48: reloads for a missing screen even if the browser clock was set back', async () => {
    const { context, page, loads } = await openTab(hideNewBuild);
    await page.evaluate(() =>
      sessionStorage.setItem(
        'keyturn.reloads',
        JSON.stringify({ version: 1, value: { '/milestones': Date.now() + 86_400_000 } }),
      ),
    );
    deployWithoutOldFiles();
    const before = loads();
    await clickLink(page, 'Milestones');
    await waitForHeading(page, 'Milestones');
    expect(loads() - before).toBe(1);
    await context.close();
  });

  test('reloads only once for a missing screen when session storage is unavailable', async () => {
    const { context, page, loads } = await openTab(async (opened) => {
      await hideNewBuild(opened);
      await opened.addInitScript(() => {
        Object.defineProperty(window, 'sessionStorage', {
          get: () => {
            throw new DOMException('closed', 'SecurityError');
          },
        });
      });
    });
    await page.route('**/assets/milestones-page*', (route) => route.fulfill({ status: 404, body: 'gone' }));
    const before = loads();
    await clickLink(page, 'Milestones');
    await page.getByText(/We couldn’t load this page/).waitFor();
    await page.waitForTimeout(1_000);
    expect(loads() - before).toBe(1);
    await context.close();
  });

  test('asks before a reload that would end a sign-in the browser cannot store', async () => {
    const { context, page, loads } = await openTab(async (opened) => {
      await hideNewBuild(opened);
      await opened.addInitScript(() => {
        for (const name of ['localStorage', 'sessionStorage']) {
          Object.defineProperty(window, name, {
            get: () => {
              throw new DOMException('closed', 'SecurityError');
            },
          });
        }
      });
    }, signInByForm);
    deployWithoutOldFiles();
    const before = loads();
    await clickLink(page, 'Milestones');
    await page.getByText('you’ll need to sign in again').waitFor();
    expect(loads()).toBe(before);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByLabel('Email address').waitFor();
    expect(await buildOf(page)).toBe(newBuild.id);
    await context.close();
  });

  test('shows that the client is offline, does not reload, and loads the screen when the connection returns', async () => {
    const { context, page, loads } = await openTab();
    const before = loads();
    await context.setOffline(true);
    await clickLink(page, 'Milestones');
    await page.getByRole('heading', { name: 'You’re offline' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'You’re offline' }).waitFor();
    expect(loads()).toBe(before);
    await context.setOffline(false);
    await waitForHeading(page, 'Milestones');
    expect(loads() - before).toBe(1);
    await context.close();
  });
});

describe('work in progress during a deployment', () => {
  test('never reloads a payment in progress for a new build', async () => {
    const { context, page, loads } = await openTab();
    await page
      .getByRole('link', { name: /^Pay £276/ })
      .first()
      .click();
    await confirmDetails(page);
    await fillCard(page, '4000 0000 0000 3220');
    deployWithoutOldFiles();
    await page.getByRole('button', { name: /^Pay £/ }).click();
    await page.getByRole('dialog', { name: 'Test bank' }).waitFor();
    await waitForBuildCheck(page);
    const before = loads();
    await page.getByRole('button', { name: /Yes/ }).click();
    await page.getByRole('heading', { name: /^Payment received/ }).waitFor();
    expect(loads()).toBe(before);
    expect(await buildOf(page)).toBe(oldBuild.id);
    await context.close();
  });

  test('does not reload for a new build when the client goes back during the bank check', async () => {
    const { context, page, loads } = await openTab();
    await page
      .getByRole('link', { name: /^Pay £55/ })
      .first()
      .click();
    await confirmDetails(page);
    await fillCard(page, '4000 0000 0000 3220');
    deploy();
    await page.getByRole('button', { name: /^Pay £/ }).click();
    await page.getByRole('dialog', { name: 'Test bank' }).waitFor();
    await waitForBuildCheck(page);
    const before = loads();
    await page.goBack();
    await page.waitForURL('**/payment-details');
    expect(loads()).toBe(before);
    expect(await buildOf(page)).toBe(oldBuild.id);
    await context.close();
  });

  test('asks before it reloads an unsent form, then restores the entries once for the same client', async () => {
    const { context, page, loads } = await openTab();
    await page.goto(`${proxy.url}/payment-other`);
    await page.getByLabel('Amount in pounds').fill('12.5');
    await page.getByLabel('Reference (optional)').fill('Bill 7');
    await waitForRequestTo(page, /latest\.json/);
    deployWithoutOldFiles();
    await waitForBuildCheck(page);
    const before = loads();
    await clickLink(page, 'Milestones');
    await page.getByText('Please reload this page').waitFor();
    expect(loads()).toBe(before);
    await page.getByRole('button', { name: 'Reload' }).click();
    await waitForHeading(page, 'Milestones');
    expect(await buildOf(page)).toBe(newBuild.id);
    const stored = await page.evaluate(() => JSON.stringify(sessionStorage));
    expect(stored).not.toMatch(/access_token|kt_|Bearer/);
    await page.goBack();
    await waitForHeading(page, 'Make another payment');
    expect(await page.getByLabel('Amount in pounds').inputValue()).toBe('12.5');
    expect(await page.getByLabel('Reference (optional)').inputValue()).toBe('Bill 7');
    await page.reload();
    expect(await page.getByLabel('Amount in pounds').inputValue()).toBe('');
    await context.close();
  });
});

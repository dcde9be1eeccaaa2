import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser, signIn } from '../harness/browser.ts';
import { copyBuild } from '../harness/copy-build.ts';
import { confirmDetails, fillCard } from '../harness/pay-by-card.ts';
import { productDatabaseUrl } from '../harness/product-database.ts';
import { type ReverseProxy, startReverseProxy } from '../harness/reverse-proxy.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from '../harness/start-product.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

/*
 * Two builds behind one address. `gone`: the server of the newer one has none of the older one's files; `kept`: it
 * shares their folder, as servers do that share the data directory. `first` can be told to answer for either.
 */

const folder = temporaryFolder();
const older = { id: 'aaaa0000aaaa0000', timestamp: 1_795_000_000_000 };
const newer = { id: 'bbbb0000bbbb0000', timestamp: 1_795_000_100_000 };
const servers: RunningProduct[] = [];
let first: RunningProduct;
let gone: RunningProduct;
let kept: RunningProduct;
let front: ReverseProxy;
let browser: Browser;
let choose: (path: string) => RunningProduct;

beforeAll(async () => {
  const env = { KEYTURN_BUILD_CHECK_SECONDS: '1', KEYTURN_REALTIME_SERVER: 'off' };
  const directories = [older, newer].map((build) => copyBuild(join(folder, build.id), build));
  first = await startProduct({ env: { ...env, KEYTURN_DASHBOARD_DIR: directories[0] } });
  servers.push(first);
  const another = {
    ...env,
    KEYTURN_DASHBOARD_DIR: directories[1],
    DATABASE_URL: productDatabaseUrl(first.dataDirectory),
  };
  gone = await startProduct({ env: another, dataDirectory: join(folder, 'data') });
  servers.push(gone);
  kept = await startProduct({ env: another, dataDirectory: first.dataDirectory });
  servers.push(kept);
  front = await startReverseProxy((asked) => choose(asked.url ?? '').url);
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  front?.close();
  for (const server of servers.toReversed()) await server.stop();
  if (first) removeDataDirectory(first.dataDirectory);
});
beforeEach(() => {
  choose = () => first;
});

const deploy = (server: RunningProduct) => {
  choose = () => server;
};

/** A tab of the older build, signed in, with everything there that comes after the page. */
async function openTab(prepare: (context: BrowserContext) => Promise<unknown> = async () => {}) {
  const context = await browser.newContext({ locale: 'en-GB' });
  // A client who saves data: no screen is there before it is asked for.
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } }),
  );
  await prepare(context);
  const page = await context.newPage();
  const told: string[] = [];
  page.on('console', (message) => told.push(message.text()));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url().slice(front.url.length)));
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await signIn(page, front.url, 'tom@example.test');
  await page.getByRole('heading', { name: 'What we need from you' }).waitFor();
  await asksFor(page, /latest\.json/);
  return { context, page, told, asked, loads: () => loads };
}

const asksFor = (page: Page, path: RegExp) => page.waitForRequest((request) => path.test(request.url()));
const buildOf = (page: Page) =>
  page.evaluate(() => JSON.parse(document.getElementById('keyturn-build')?.textContent ?? '{}').id);
const goTo = (page: Page, name: string) => page.getByRole('link', { name }).first().click();
const isAt = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
/** Two answers about the latest build, so that the first has been heard. */
async function hearsOfBuild(page: Page) {
  for (let times = 0; times < 2; times++) {
    await page.waitForResponse((response) => response.url().includes('latest.json'));
  }
}
/** The tab hears of no other build. */
const hearOfNone = (context: BrowserContext) =>
  context.route('**/builds/latest.json?*', (route) =>
    route.request().method() === 'HEAD' ? route.continue() : route.fulfill({ json: older }),
  );

describe('a tab that is open while another build is deployed', () => {
  test('has read the manifest once, a second after its load, and asks for the latest build', async () => {
    const { context, asked } = await openTab();
    const meta = asked.filter((path) => path.startsWith('/builds/meta/'));
    expect(meta).toEqual([`/builds/meta/${older.id}.json`]);
    expect(asked.find((path) => path.startsWith('/builds/latest.json'))).toMatch(/latest\.json\?\d{13}$/);
    await context.close();
  });

  test('delivery 4: loads the page of the next screen anew, and nothing of the screen by the older build', async () => {
    const { context, page, asked, loads } = await openTab();
    deploy(gone);
    await hearsOfBuild(page);
    const before = loads();
    expect(await buildOf(page)).toBe(older.id);
    await goTo(page, 'Milestones');
    await isAt(page, 'Milestones');
    expect(await buildOf(page)).toBe(newer.id);
    expect(page.url()).toBe(`${front.url}/milestones`);
    expect(loads() - before).toBe(1);
    expect(asked.filter((path) => /milestones-page/.test(path) && !path.includes('-bbbb'))).toEqual([]);
    await goTo(page, 'Payments');
    await isAt(page, 'Payments');
    expect(loads() - before).toBe(1);
    await page.goBack();
    await isAt(page, 'Milestones');
    await context.close();
  });

  test('delivery 7: gets the files of its build for a day, and a real 404 for what never was', async () => {
    const { context, page, loads } = await openTab(hearOfNone);
    deploy(kept);
    const before = loads();
    await goTo(page, 'Milestones');
    await isAt(page, 'Milestones');
    expect(loads()).toBe(before);
    expect(await buildOf(page)).toBe(older.id);
    const meta = await fetch(`${front.url}/builds/meta/${older.id}.json`);
    expect(meta.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    for (const path of ['/assets/never-was.js', '/builds/meta/never.json', '/builds/never.json']) {
      const answer = await fetch(front.url + path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
    }
    for (const path of ['/builds/latest.json', '/', '/login']) {
      expect((await fetch(front.url + path)).headers.get('cache-control')).toBe('no-cache');
    }
    await context.close();
  });

  test('delivery 5: does not go to and fro while old and new servers answer in turn', async () => {
    const { context, page, loads } = await openTab();
    let turn = 0;
    const before = loads();
    choose = (path) => (path.startsWith('/api') ? first : turn++ % 2 === 0 ? kept : first);
    for (let step = 0; step < 4; step++) {
      await page.waitForTimeout(1_500);
      await goTo(page, 'Milestones');
      await isAt(page, 'Milestones');
      await page.waitForTimeout(1_500);
      await goTo(page, 'Payments');
      await isAt(page, 'Payments');
    }
    expect(loads() - before).toBeLessThanOrEqual(2);
    await context.close();
  });

  test.each([
    ['HTML', { contentType: 'text/html', body: '<!doctype html><title>x</title>' }],
    ['not there', { status: 404, contentType: 'text/plain', body: 'Not found' }],
    ['an error', { status: 500, contentType: 'application/json', body: '{}' }],
    [
      'huge',
      { contentType: 'application/json', body: JSON.stringify({ ...newer, more: 'x'.repeat(3_000_000) }) },
    ],
    ['of another shape', { json: { id: 5, timestamp: 'now' } }],
  ])('takes a latest.json that is %s for no news, and says so in the console', async (_what, answer) => {
    const { context, page, told, loads } = await openTab();
    await page.route('**/builds/latest.json?*', (route) => route.fulfill(answer));
    await hearsOfBuild(page);
    const before = loads();
    await goTo(page, 'Milestones');
    await isAt(page, 'Milestones');
    expect(loads()).toBe(before);
    expect(told.join()).toMatch(/Could not read the latest build/);
    await context.close();
  });
});

test('a latest.json that never ends is given up after ten seconds, and asked for again', async () => {
  const { context, page, told } = await openTab();
  await page.route('**/builds/latest.json?*', () => new Promise(() => {}));
  const given = page.waitForEvent('console', {
    predicate: (message) => /Could not read the latest build/.test(message.text()),
    timeout: 20_000,
  });
  await given;
  await page.unroute('**/builds/latest.json?*');
  deploy(gone);
  await hearsOfBuild(page);
  await goTo(page, 'Milestones');
  await isAt(page, 'Milestones');
  expect(await buildOf(page)).toBe(newer.id);
  expect(told.join()).not.toMatch(/uncaught/i);
  await context.close();
});

describe('a screen that does not arrive', () => {
  test('delivery 11: is had by loading the page anew, once, signed in as before', async () => {
    const { context, page, loads } = await openTab(hearOfNone);
    deploy(gone);
    const before = loads();
    await goTo(page, 'Milestones');
    await isAt(page, 'Milestones');
    expect(await buildOf(page)).toBe(newer.id);
    expect(loads() - before).toBe(1);
    await context.close();
  });

  test('delivery 3: is had with its query and its fragment', async () => {
    const { context, page } = await openTab(hearOfNone);
    deploy(gone);
    await page.evaluate(() => {
      history.pushState({}, '', '/payment-other?amount=12500#amount');
    });
    await isAt(page, 'Make another payment');
    expect(page.url()).toBe(`${front.url}/payment-other?amount=12500#amount`);
    expect(await buildOf(page)).toBe(newer.id);
    await context.close();
  });

  test('delivery 1: that is missing for good is asked for once, also when another one fails in between', async () => {
    const { context, page, loads } = await openTab(hearOfNone);
    await page.route(/assets\/(milestones|payments)-page/, (route) =>
      route.fulfill({ status: 404, body: 'gone' }),
    );
    const before = loads();
    await goTo(page, 'Milestones');
    await page.getByText(/We couldn’t load this page/).waitFor();
    expect(loads() - before).toBe(1);
    await page.evaluate(() => history.pushState({}, '', '/payments'));
    await page.waitForRequest((request) => request.isNavigationRequest());
    await page.getByText(/We couldn’t load this page/).waitFor();
    expect(loads() - before).toBe(2);
    await page.evaluate(() => history.pushState({}, '', '/milestones'));
    await page.getByText(/We couldn’t load this page/).waitFor();
    await page.waitForTimeout(500);
    expect(loads() - before).toBe(2);
    await page.unroute(/assets\/(milestones|payments)-page/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await isAt(page, 'Milestones');
    await context.close();
  });

  test('delivery 10: is had by a browser whose clock was put back', async () => {
    const { context, page, loads } = await openTab(hearOfNone);
    await page.evaluate(() =>
      sessionStorage.setItem(
        'keyturn.reloads',
        JSON.stringify({ version: 1, value: { '/milestones': Date.now() + 86_400_000 } }),
      ),
    );
    deploy(gone);
    const before = loads();
    await goTo(page, 'Milestones');
    await isAt(page, 'Milestones');
    expect(loads() - before).toBe(1);
    await context.close();
  });

  test('delivery 2: is asked for once where the browser stores nothing for the tab', async () => {
    const { context, page, loads } = await openTab(async (opened) => {
      await hearOfNone(opened);
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
    await goTo(page, 'Milestones');
    await page.getByText(/We couldn’t load this page/).waitFor();
    await page.waitForTimeout(1_000);
    expect(loads() - before).toBe(1);
    await context.close();
  });

  test('asks before it takes a sign-in that the browser does not keep', async () => {
    const { context, page, loads } = await openTab(async (opened) => {
      await hearOfNone(opened);
      await opened.addInitScript(() => {
        for (const name of ['localStorage', 'sessionStorage']) {
          Object.defineProperty(window, name, {
            get: () => {
              throw new DOMException('closed', 'SecurityError');
            },
          });
        }
      });
    });
    deploy(gone);
    const before = loads();
    await goTo(page, 'Milestones');
    await page.getByText('you’ll need to sign in again').waitFor();
    expect(loads()).toBe(before);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByLabel('Email address').waitFor();
    expect(await buildOf(page)).toBe(newer.id);
    await context.close();
  });

  test('delivery 12: because the client is offline says so, stays, and comes when they are back', async () => {
    const { context, page, loads } = await openTab();
    const before = loads();
    await context.setOffline(true);
    await goTo(page, 'Milestones');
    await page.getByRole('heading', { name: 'You’re offline' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'You’re offline' }).waitFor();
    expect(loads()).toBe(before);
    await context.setOffline(false);
    await isAt(page, 'Milestones');
    expect(loads() - before).toBe(1);
    await context.close();
  });
});

describe('what a client has begun', () => {
  test('delivery 6: a payment under way is never taken away by a newer build', async () => {
    const { context, page, loads } = await openTab();
    await page
      .getByRole('link', { name: /^Pay £276/ })
      .first()
      .click();
    await confirmDetails(page);
    await fillCard(page, '4000 0000 0000 3220');
    deploy(gone);
    await page.getByRole('button', { name: /^Pay £/ }).click();
    await page.getByRole('dialog', { name: 'Test bank' }).waitFor();
    await hearsOfBuild(page);
    const before = loads();
    await page.getByRole('button', { name: /Yes/ }).click();
    await page.getByRole('heading', { name: /^Payment received/ }).waitFor();
    expect(loads()).toBe(before);
    expect(await buildOf(page)).toBe(older.id);
    await context.close();
  });

  test('delivery 6: nor by a step back while the bank asks', async () => {
    const { context, page, loads } = await openTab();
    await page
      .getByRole('link', { name: /^Pay £55/ })
      .first()
      .click();
    await confirmDetails(page);
    await fillCard(page, '4000 0000 0000 3220');
    deploy(kept);
    await page.getByRole('button', { name: /^Pay £/ }).click();
    await page.getByRole('dialog', { name: 'Test bank' }).waitFor();
    await hearsOfBuild(page);
    const before = loads();
    await page.goBack();
    await page.waitForURL('**/payment-details');
    expect(loads()).toBe(before);
    expect(await buildOf(page)).toBe(older.id);
    await context.close();
  });

  test('delivery 9: what is entered and not sent is asked about, kept for the same client, and given back once', async () => {
    const { context, page, loads } = await openTab();
    await page.goto(`${front.url}/payment-other`);
    await page.getByLabel('Amount in pounds').fill('12.5');
    await page.getByLabel('Reference (optional)').fill('Bill 7');
    await asksFor(page, /latest\.json/);
    deploy(gone);
    await hearsOfBuild(page);
    const before = loads();
    await goTo(page, 'Milestones');
    await page.getByText('Please reload this page').waitFor();
    expect(loads()).toBe(before);
    await page.getByRole('button', { name: 'Reload' }).click();
    await isAt(page, 'Milestones');
    expect(await buildOf(page)).toBe(newer.id);
    const stored = await page.evaluate(() => JSON.stringify(sessionStorage));
    expect(stored).not.toMatch(/access_token|Bearer/);
    await page.goBack();
    await isAt(page, 'Make another payment');
    expect(await page.getByLabel('Amount in pounds').inputValue()).toBe('12.5');
    expect(await page.getByLabel('Reference (optional)').inputValue()).toBe('Bill 7');
    await page.reload();
    expect(await page.getByLabel('Amount in pounds').inputValue()).toBe('');
    await context.close();
  });
});

import { variants } from '@keyturn/testkit/run-length.ts';
import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { demonstrationPassword, sendRequest } from '../harness/api-client.ts';
import { newContext, readSignIn, signIn } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

async function openAs(email?: string) {
  const context = await newContext(product.browser);
  const page = await context.newPage();
  const uncaught: string[] = [];
  page.on('pageerror', (error) => uncaught.push(error.message));
  if (email) await signIn(page, product.url, email);
  return { context, page, uncaught };
}

/** A failure between a client and our server. */
type Fault = [string, (route: Route) => Promise<void>];

const unreachable: Fault = ['the server cannot be reached', (route) => route.abort('connectionrefused')];

const faults: Fault[] = [
  [
    'a network answers with its own HTML page',
    (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Hotel</h1>' }),
  ],
  [
    'a proxy answers 502',
    (route) => route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad gateway' }),
  ],
  [
    'the response is cut off',
    (route) => route.fulfill({ contentType: 'application/json', body: '{"data":{"id"' }),
  ],
  ['the response is empty', (route) => route.fulfill({ status: 200, body: '' })],
  [
    'the response has the wrong shape',
    (route) => route.fulfill({ json: { data: { id: 5, cases: 'none' } } }),
  ],
  ['the response has no data', (route) => route.fulfill({ json: { meta: null } })],
  [
    'our server answers 500',
    (route) =>
      route.fulfill({
        status: 500,
        json: { message: 'An unexpected error has occurred.', code: 'unexpected' },
      }),
  ],
];

/** The button that each screen offers to recover from a failure. */
const retry = (page: Page) => page.getByRole('button', { name: /Try again|Go Back|Reload/ }).first();

const screens = [
  ['/', /^Last updated/],
  ['/milestones', 'Exchange'],
  ['/case-history', 'Everything that has happened'],
  ['/documents/purchase/contract', 'Search all your documents'],
  ['/payments', 'Your payments'],
  ['/payment-details', 'What would you like to pay for?'],
] as const;

// These tests mostly wait for retries, so they run concurrently.
describe.concurrent.each([unreachable, ...variants(faults, 2)])('when %s', (failure, fault) => {
  // Every failure is tested on the first screen, and the most common one on all screens.
  const affected = failure === unreachable[0] ? variants(screens, 3) : screens.slice(0, 1);
  test.each(affected)(
    'screen %s shows an API failure with a button to try again, and recovers',
    async (path, words) => {
      const { context, page, uncaught } = await openAs();
      await page.goto(`${product.url}/login`);
      await page.getByLabel('Email address').fill('amelia@example.test');
      await page.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
      let broken = false;
      await page.route('**/api/**', (route) =>
        broken && !route.request().url().endsWith('/login') ? fault(route) : route.continue(),
      );
      broken = true;
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(`${product.url}/`);
      await page.goto(product.url + path);
      await retry(page).waitFor({ timeout: 20_000 });
      broken = false;
      // Some parts retry automatically, and the button is gone before the click.
      await retry(page)
        .click({ timeout: 2_000 })
        .catch(() => undefined);
      await page.getByText(words).first().waitFor({ timeout: 20_000 });
      expect(uncaught).toEqual([]);
      await context.close();
    },
  );
});

describe.concurrent('connection and session failures', () => {
  test('warns a client who goes offline, keeps the page content and refreshes it when the connection returns', async () => {
    const { context, page } = await openAs('tom@example.test');
    const toPay = page.getByRole('link', { name: /^Pay £/ }).first();
    await toPay.waitFor();
    await page.getByText(/^Last updated/).waitFor();
    const notice = page.getByText('This page may be out of date. Trying to refresh it.');
    await context.setOffline(true);
    await notice.waitFor();
    await page.getByText(/^May be out of date\./).waitFor();
    expect(await page.getByText(/^(Last updated|Up to date)/).count()).toBe(0);
    expect(await toPay.isVisible()).toBe(true);
    await context.setOffline(false);
    await notice.waitFor({ state: 'hidden', timeout: 10_000 });
    await page.getByText(/^Last updated/).waitFor({ timeout: 10_000 });
    await context.close();
  });

  test('returns a client to the same screen when they sign in again after the server ended their session', async () => {
    const { context, page } = await openAs('tom@example.test');
    await page.goto(`${product.url}/documents/purchase/searches`);
    await page.getByRole('heading', { level: 1, name: 'Search results' }).waitFor();
    const headers = await readSignIn(page);
    // An open page would be notified immediately.
    await page.goto('about:blank');
    await sendRequest(product.url, '/logout', { method: 'POST', headers });
    await page.goto(`${product.url}/documents/purchase/searches`);
    await page.waitForURL('**/login?next=%2Fdocuments%2Fpurchase%2Fsearches');
    await page.getByText('Your session has ended. Sign in to continue where you left off.').waitFor();
    await page.getByLabel('Email address').fill('tom@example.test');
    await page.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${product.url}/documents/purchase/searches`);
    await context.close();
  });

  test('shows an error page with a way back when the code of a screen cannot be loaded', async () => {
    const { context, page } = await openAs();
    // Blocked before sign-in, because the dashboard preloads the screens that its links lead to.
    await page.route('**/assets/milestones-page*', (route) => route.fulfill({ status: 404, body: 'gone' }));
    await signIn(page, product.url, 'tom@example.test');
    await page.getByText(/^Last updated/).waitFor();
    await page.getByRole('link', { name: 'Milestones' }).first().click();
    await page.getByText(/We couldn’t load this page/).waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await page.getByRole('button', { name: 'Go Back' }).click();
    await page.getByRole('heading', { name: 'What we need from you' }).waitFor();
    await page.getByText(/^Last updated/).waitFor();
    expect(await page.evaluate(() => 'isSamePage' in window), 'the page was not loaded in full').toBe(true);
    await context.close();
  });

  test('tells a client who goes offline in the first second that they are offline, and opens the screen later', async () => {
    const { context, page } = await openAs();
    // Not loaded yet in the first second.
    await page.route(/assets\/(failed-screen|create-delivery|payments-page)/, (route) => route.abort());
    await signIn(page, product.url, 'tom@example.test');
    await page.getByText(/^Last updated/).waitFor();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Payments' }).first().click();
    await page.getByRole('heading', { name: 'You’re offline' }).waitFor();
    await page.getByRole('link', { name: '0117 496 0100' }).waitFor();
    await page.unrouteAll();
    // The network is there again, but the first request still fails.
    await page.route(`${product.url}/`, (route) => route.abort(), { times: 1 });
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor();
    await context.close();
  });

  test('fault 70: signs a client out even when the logout request hangs', async () => {
    const { context, page } = await openAs('tom@example.test');
    await page.route('**/api/logout', () => new Promise(() => {}));
    await page.getByRole('button', { name: /Tom Okafor/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${product.url}/login`);
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
    await context.close();
  });
});

describe('a screen that fails to render', () => {
  test('shows an error page with a way back when a screen throws while rendering', async () => {
    const { context, page } = await openAs('priya@example.test');
    await page.getByRole('heading', { level: 1 }).waitFor();
    // A failure that no check in the dashboard anticipates.
    await page.addInitScript(() => {
      if (window.location.pathname === '/milestones') {
        Date.prototype.getUTCDay = () => {
          throw new Error('no calendar');
        };
      }
    });
    await page.goto(`${product.url}/milestones`);
    await page.getByRole('heading', { name: 'Internal Server Error' }).waitFor();
    await page.getByText('An unexpected error has occurred.').waitFor();
    await page.getByRole('button', { name: 'Go Back' }).click();
    await page.waitForURL(`${product.url}/`);
    await context.close();
  });
});

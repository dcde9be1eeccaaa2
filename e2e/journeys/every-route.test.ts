import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { collectPageErrors, signIn } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

type Client = 'amelia' | 'tom' | 'priya' | 'george';

/** Every signed-in screen: its path, and its heading for each client of the demonstration firm. */
const screens: { path: string; heading: Record<Client, string> }[] = [
  {
    path: '/',
    heading: {
      ...both('14 Alder Row to The Old Chapel'),
      priya: 'Flat 6, 41 Wapping Wharf Lane',
      george: '22 Orchard Close',
    },
  },
  { path: '/milestones', heading: all('Milestones') },
  { path: '/case-history', heading: all('Case history') },
  {
    path: '/documents/purchase/contract',
    heading: { ...all('Contract and transfer'), george: 'Documents' },
  },
  {
    path: '/documents/sale/to-sign',
    heading: { ...both('To sign'), priya: 'Documents', george: 'Documents' },
  },
  { path: '/documents/remortgage/title', heading: { ...all('Documents'), george: 'Title and plan' } },
  { path: '/payments', heading: all('Payments') },
  { path: '/payment-other', heading: all('Make another payment') },
  // The client has not selected anything to pay.
  ...['/payment-details', '/payment'].map((path) => ({
    path,
    heading: { ...all('There is nothing to pay'), ...both('What would you like to pay for?') },
  })),
];

function both(heading: string) {
  return { amelia: heading, tom: heading };
}

function all(heading: string) {
  return { ...both(heading), priya: heading, george: heading };
}

const formerPaths = [
  ['/main', '/'],
  ['/main/overview', '/'],
  ['/main/case-history/2026', '/case-history'],
  ['/main/purchase-docs/searches', '/documents/purchase/searches'],
  ['/main/purchase-docs', '/documents/purchase/contract'],
  ['/main/sale-docs/to-sign', '/documents/sale/to-sign'],
] as const;

const unknownId = '00000000-0000-4000-8000-000000000000';
/** Known paths with invalid parameters. */
const invalidPaths = [
  '/documents/not-an-id',
  '/documents/NULL',
  `/documents/${unknownId.toUpperCase()}x`,
  '/documents/lease/contract',
  '/documents/sale/secrets',
  '/documents/sale/..%2f..%2fetc',
  '/documents/%00/contract',
];
const unknownPaths = ['/nowhere', '/documents', '/documents/a/b/c', '/payments/1', '/main/elsewhere'];

const errorPage = (page: Page, title: string) => page.getByRole('heading', { name: title, level: 1 });

async function openContext() {
  const context = await product.browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  return { context, page, pageErrors };
}

describe.each(['amelia', 'tom', 'priya', 'george'] as const)('signed in as %s', (name) => {
  test('opens every screen with its heading and title, without console errors', async () => {
    const { context, page, pageErrors } = await openContext();
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
    });
    await signIn(page, product.url, `${name}@example.test`);
    for (const { path, heading } of screens) {
      await page.goto(product.url + path);
      await page.getByRole('heading', { level: 1, name: heading[name] }).waitFor();
      expect(new URL(page.url()).pathname, path).toBe(path);
      expect(await page.title()).toBe('Keyturn Client Dashboard');
      expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1);
      if (path.startsWith('/payment')) {
        const here = page.getByRole('navigation', { name: 'Main' }).first().locator('[aria-current]');
        expect(await here.allInnerTexts(), path).toEqual(['Payments']);
      }
    }
    // The data grid and pdf.js are large, so only the views that use them may load them.
    expect(scripts.length).toBeGreaterThan(screens.length);
    expect(scripts.filter((path) => /history-table|-edition-|open-pdf|pdf\.worker/.test(path))).toEqual([]);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('redirects a signed-in client from the sign-in and password pages to their case', async () => {
    const { context, page } = await openContext();
    await signIn(page, product.url, `${name}@example.test`);
    for (const path of [
      '/login',
      '/login?next=//evil.example',
      '/forgot-password',
      `/reset-password/${'a'.repeat(43)}`,
    ]) {
      await page.goto(product.url + path);
      await page.waitForURL(`${product.url}/`);
    }
    await page.goto(`${product.url}/login?next=/milestones`);
    await page.waitForURL(`${product.url}/milestones`);
    await context.close();
  });

  test('redirects former paths to the current screens', async () => {
    const { context, page } = await openContext();
    await signIn(page, product.url, `${name}@example.test`);
    for (const [path, leadsTo] of formerPaths) {
      await page.goto(product.url + path);
      await page.waitForURL(product.url + leadsTo);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    await page.goto(`${product.url}/main/task-sign/${unknownId}`);
    await errorPage(page, 'Not Found').waitFor();
    await context.close();
  });

  test('shows a 404 page with a way back for invalid parameters and unknown paths', async () => {
    const { context, page } = await openContext();
    await signIn(page, product.url, `${name}@example.test`);
    for (const [paths, words] of [
      [invalidPaths, 'Page Not Found:'],
      [unknownPaths, 'Page not found:'],
    ] as const) {
      for (const path of paths) {
        await page.goto(product.url + path);
        await errorPage(page, 'Not Found').waitFor();
        await page.getByText(words).waitFor();
        await page.getByText('404', { exact: true }).waitFor();
      }
    }
    await page.getByRole('button', { name: 'Go Back' }).click();
    await page.waitForURL(`${product.url}/`);
    // The path is valid, but this client has no such document.
    await page.goto(`${product.url}/documents/${unknownId}`);
    await errorPage(page, 'Not Found').waitFor();
    await page.getByText('We could not find that.').waitFor();
    await context.close();
  });
});

describe('signed out', () => {
  test('redirects signed-out visitors from every screen to sign-in and remembers the requested path', async () => {
    const { context, page, pageErrors } = await openContext();
    for (const { path } of screens) {
      await page.goto(product.url + path);
      const next = path === '/' ? '' : `?next=${encodeURIComponent(path)}`;
      await page.waitForURL(`${product.url}/login${next}`);
    }
    for (const [path, heading] of [
      ['/login', 'Sign in to your case'],
      ['/forgot-password', 'Reset your password'],
      [`/reset-password/${'a'.repeat(43)}`, 'This link has expired'],
    ] as const) {
      await page.goto(product.url + path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      expect(await page.title()).toBe('Keyturn Client Dashboard');
    }
    for (const path of [...invalidPaths, ...unknownPaths.slice(0, 4), '/reset-password/short']) {
      await page.goto(product.url + path);
      await errorPage(page, 'Not Found').waitFor();
    }
    // The browser logs the 404 status of unknown pages.
    expect(pageErrors.filter((line) => !/status of 404/.test(line))).toEqual([]);
    await context.close();
  });
});

describe('routes during maintenance', () => {
  afterAll(async () => {
    await product.keyturn('maintenance', 'off');
    await product.keyturn('maintenance', 'off', '--area', 'case-history');
  });

  test('shows the 503 page on every screen during general maintenance, signed in or not', async () => {
    const signedIn = await openContext();
    await signIn(signedIn.page, product.url, 'priya@example.test');
    await product.keyturn('maintenance', 'on');
    await errorPage(signedIn.page, 'Service Unavailable').waitFor();
    for (const { path } of screens) {
      await signedIn.page.goto(product.url + path);
      await errorPage(signedIn.page, 'Service Unavailable').waitFor();
      await signedIn.page.getByText('503', { exact: true }).waitFor();
    }
    const guest = await openContext();
    for (const path of ['/login', '/forgot-password', `/reset-password/${'a'.repeat(43)}`, '/', '/payment']) {
      await guest.page.goto(product.url + path);
      await errorPage(guest.page, 'Service Unavailable').waitFor();
    }
    // Unknown paths still get the 404 page.
    await guest.page.goto(`${product.url}/nowhere`);
    await errorPage(guest.page, 'Not Found').waitFor();
    await product.keyturn('maintenance', 'off');
    await errorPage(signedIn.page, 'Service Unavailable').waitFor({ state: 'hidden' });
    await signedIn.context.close();
    await guest.context.close();
  });

  test('opens every other screen while the case history is in maintenance', async () => {
    await product.keyturn('maintenance', 'on', '--area', 'case-history');
    const { context, page } = await openContext();
    await new Promise((passed) => setTimeout(passed, 2_000));
    await signIn(page, product.url, 'george@example.test');
    for (const { path, heading } of screens) {
      await page.goto(product.url + path);
      if (path === '/case-history') await errorPage(page, 'Service Unavailable').waitFor();
      else await page.getByRole('heading', { level: 1, name: heading.george }).waitFor();
    }
    await context.close();
  });
});

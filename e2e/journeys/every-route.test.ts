import { variants } from '@keyturn/testkit/run-length.ts';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { readPdf } from '../../packages/pdf/src/testing/read-pdf.ts';
import { collectPageErrors, newContext, shareSignIns, signIn } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { endMaintenance } from '../harness/run-keyturn.ts';

const product = withProduct();
const openSignedIn = shareSignIns(product);

type Client = 'amelia' | 'tom' | 'priya' | 'george';

/** Every signed-in screen: its path, and its heading for each client of the demonstration firm. */
const screens: { path: string; title: string; heading: Record<Client, string> }[] = [
  {
    path: '/',
    title: 'Your case',
    heading: {
      ...both('14 Alder Row to The Old Chapel'),
      priya: 'Flat 6, 41 Wapping Wharf Lane',
      george: '22 Orchard Close',
    },
  },
  { path: '/milestones', title: 'Milestones', heading: all('Milestones') },
  { path: '/case-history', title: 'Case history', heading: all('Case history') },
  {
    path: '/documents/purchase/contract',
    title: 'Documents',
    heading: { ...all('Contract and transfer'), george: 'Documents' },
  },
  {
    path: '/documents/sale/to-sign',
    title: 'Documents',
    heading: { ...both('To sign'), priya: 'Documents', george: 'Documents' },
  },
  {
    path: '/documents/remortgage/title',
    title: 'Documents',
    heading: { ...all('Documents'), george: 'Title and plan' },
  },
  { path: '/payments', title: 'Payments', heading: all('Payments') },
  { path: '/payment-other', title: 'Make another payment', heading: all('Make another payment') },
  { path: '/account', title: 'Your account', heading: all('Your account') },
  // The client has not selected anything to pay.
  ...[
    ['/payment-details', 'Check your payment'],
    ['/payment', 'Pay'],
  ].map(([path = '', title = '']) => ({
    path,
    title,
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
const unknownPaths = ['/nowhere', '/documents/a/b/c', '/payments/1', '/main/elsewhere'];

const errorPage = (page: Page, title: string) => page.getByRole('heading', { name: title, level: 1 });

/**
 * Opens a path with a page load for Amelia, and from the payments page of the open dashboard for the others. Both ways
 * run a route's guards and checks, and a page load takes far longer.
 */
async function openPath(page: Page, name: Client, path: string) {
  if (name === 'amelia') return page.goto(product.url + path);
  await push(page, '/payments');
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  await push(page, path);
}

const push = (page: Page, path: string) => page.evaluate((to) => history.pushState({}, '', to), path);

/** Opens a page in the dashboard of a client. */
async function openDashboard(name: Client) {
  const page = await openSignedIn(`${name}@example.test`);
  await page.goto(product.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

async function openContext() {
  const context = await newContext(product.browser);
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  return { context, page, pageErrors };
}

describe.each(variants(['amelia', 'tom', 'priya', 'george'] as const, 1))('signed in as %s', (name) => {
  test('opens every screen with its heading and title, without console errors', async () => {
    const { context, page, pageErrors } = await openContext();
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
    });
    await signIn(page, product.url, `${name}@example.test`);
    for (const { path, title, heading } of screens) {
      await page.goto(product.url + path);
      await page.getByRole('heading', { level: 1, name: heading[name] }).waitFor();
      expect(new URL(page.url()).pathname, path).toBe(path);
      expect(await page.title()).toBe(`${title} – Keyturn Client Dashboard`);
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
    const page = await openDashboard(name);
    for (const path of [
      '/login',
      '/login?next=//evil.example',
      '/forgot-password',
      `/reset-password#${'a'.repeat(43)}`,
    ]) {
      await openPath(page, name, path);
      await page.waitForURL(`${product.url}/`);
    }
    await openPath(page, name, '/login?next=/milestones');
    await page.waitForURL(`${product.url}/milestones`);
    await page.close();
  });

  test('redirects former paths to the current screens', async () => {
    const page = await openDashboard(name);
    for (const [path, leadsTo] of formerPaths) {
      await openPath(page, name, path);
      await page.waitForURL(product.url + leadsTo);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    await openPath(page, name, `/main/task-sign/${unknownId}`);
    await errorPage(page, 'Not Found').waitFor();
    await page.getByText('The page you are looking for does not exist.').waitFor();
    await page.close();
  });

  test('shows a 404 page with a way back for invalid parameters and unknown paths', async () => {
    const page = await openDashboard(name);
    for (const [paths, words] of [
      [invalidPaths, 'Page Not Found:'],
      [unknownPaths, 'Page not found:'],
    ] as const) {
      for (const path of paths) {
        await openPath(page, name, path);
        await errorPage(page, 'Not Found').waitFor();
        await page.getByText(words).waitFor();
        await page.getByText('404', { exact: true }).waitFor();
      }
    }
    for (const path of [...invalidPaths, ...unknownPaths, '/main/sale-docs/unknown', '/main/task-sign/x']) {
      expect([path, (await fetch(product.url + path)).status]).toEqual([path, 404]);
    }
    // The browser is redirected to a path that can be decoded.
    for (const path of ['/50%', '/%E0%A4%A']) {
      const answer = await fetch(product.url + path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        404,
        expect.stringMatching(/^text\/html/),
      ]);
    }
    await page.getByRole('button', { name: 'Go Back' }).click();
    await page.waitForURL(`${product.url}/`);
    // The path is valid, but this client has no such document.
    await openPath(page, name, `/documents/${unknownId}`);
    await errorPage(page, 'Not Found').waitFor();
    await page.getByText('The page you are looking for does not exist.').waitFor();
    await page.close();
  });
});

describe('on a phone', () => {
  test('the first screen of home shows the stage, the moving day, the next thing to do and the number to call', async () => {
    const page = await openSignedIn('amelia@example.test');
    const height = 844;
    await page.setViewportSize({ width: 390, height });
    await page.goto(product.url);
    await page.getByText(/^Last updated/).waitFor();
    const bar = await page.getByRole('navigation', { name: 'Main' }).last().boundingBox();
    const bottom = bar?.y ?? height;
    expect(bottom).toBeLessThan(height);
    const glance = page.getByLabel('Your case at a glance');
    for (const shown of [
      glance.getByText('step 7 of 20'),
      glance.getByText('step 9 of 15'),
      glance.getByText(/^Expected /),
      glance.getByRole('link', { name: '0117 496 0101' }),
      page.getByRole('link', { name: /^Pay £/ }).first(),
    ]) {
      const box = await shown.boundingBox();
      expect((box?.y ?? height) + (box?.height ?? height), String(shown)).toBeLessThanOrEqual(bottom);
    }
    await page.close();
  });

  test('milestones say only once which steps are under way', async () => {
    const page = await openSignedIn('amelia@example.test');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${product.url}/milestones`);
    const step = page.getByRole('listitem').filter({ hasText: 'Mortgage offer' }).first();
    await step.getByText('Under way').waitFor();
    expect(await page.getByRole('link', { name: 'Mortgage offer' }).isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.getByRole('link', { name: 'Mortgage offer' }).waitFor();
    await page.close();
  });

  test('completed milestones are collapsed with their number, and expanded with the keyboard', async () => {
    const page = await openSignedIn('amelia@example.test');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${product.url}/milestones`);
    const done = page.locator('summary', { hasText: '5 steps done' });
    await done.waitFor();
    const inside = page.getByRole('heading', { name: 'Opening your case' }).first();
    expect(await inside.isVisible()).toBe(false);
    await done.focus();
    await page.keyboard.press('Enter');
    await inside.waitFor();
    const steps = page.locator('details', { has: done }).getByRole('heading', { level: 4 });
    expect(await steps.count()).toBe(5);
    // On paper everything is open.
    await done.press('Enter');
    await inside.waitFor({ state: 'hidden' });
    await page.emulateMedia({ media: 'print' });
    expect(await inside.isVisible()).toBe(true);
    await page.close();
  });
});

describe('on paper', () => {
  test('milestones never end on a page with the footer alone, and home keeps a matter and its steps together', async () => {
    const page = await openSignedIn('amelia@example.test');
    const print = async (path: string, heading: string) => {
      await page.goto(product.url + path);
      await page.getByRole('heading', { name: heading }).first().waitFor();
      await page.getByText('step', { exact: false }).first().waitFor();
      return (await readPdf(await page.pdf({ preferCSSPageSize: true }))).pages;
    };
    const milestones = await print('/milestones', 'Exchange of contracts');
    expect(milestones.join(' ')).toContain('Opening your case');
    expect(milestones.at(-1)).toContain('regulated by');
    expect(milestones.at(-1)).toMatch(/What the marks mean|Closing your case/);
    const home = await print('/', '14 Alder Row, Bath BA2 3HU');
    for (const [address, lastStage, completion] of [
      ['Priory Lane, Frome', 'Registration', 'collect your keys'],
      ['14 Alder Row, Bath', 'Closing', 'hands over the keys'],
    ] as const) {
      const own = home.find((text) => text.includes(address));
      expect(own, address).toContain(lastStage);
      expect(own, address).toContain(completion);
    }
    await page.close();
  });
});

describe('signed out', () => {
  test('redirects signed-out visitors from every screen to sign-in and remembers the requested path', async () => {
    const { context, page, pageErrors } = await openContext();
    for (const { path } of variants(screens, 5)) {
      await page.goto(product.url + path);
      const next = path === '/' ? '' : `?next=${encodeURIComponent(path)}`;
      await page.waitForURL(`${product.url}/login${next}`);
    }
    for (const [path, heading, title] of [
      ['/login', 'Sign in to your case', 'Sign in'],
      ['/forgot-password', 'Reset your password', 'Reset your password'],
      [`/reset-password#${'a'.repeat(43)}`, 'This link has expired', 'Choose a password'],
    ] as const) {
      await page.goto(product.url + path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      expect(await page.title()).toBe(`${title} – Keyturn Client Dashboard`);
    }
    for (const path of variants([...invalidPaths, ...unknownPaths.slice(0, 4)], 4)) {
      await page.goto(product.url + path);
      await errorPage(page, 'Not Found').waitFor();
      expect(await page.title()).toBe('Not Found – Keyturn Client Dashboard');
    }
    // The browser logs the 404 status of unknown pages.
    expect(pageErrors.filter((line) => !/status of 404/.test(line))).toEqual([]);
    await context.close();
  });
});

describe('routes during maintenance', () => {
  afterAll(async () => {
    await endMaintenance(product);
    await endMaintenance(product, 'case-history');
  });

  test('shows the 503 page on every screen during general maintenance, signed in or not', async () => {
    const signedIn = await openContext();
    await signIn(signedIn.page, product.url, 'priya@example.test');
    await product.keyturn('maintenance', 'on');
    await errorPage(signedIn.page, 'Service Unavailable').waitFor();
    for (const { path } of variants(screens, 4)) {
      await signedIn.page.goto(product.url + path);
      await errorPage(signedIn.page, 'Service Unavailable').waitFor();
      await signedIn.page.getByText('503', { exact: true }).waitFor();
    }
    const guest = await openContext();
    for (const path of ['/login', '/forgot-password', `/reset-password#${'a'.repeat(43)}`, '/', '/payment']) {
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
    const isClosed = ({ path }: { path: string }) => path === '/case-history';
    const open = screens.filter((screen) => !isClosed(screen));
    for (const { path, heading } of [...screens.filter(isClosed), ...variants(open, 4)]) {
      await page.goto(product.url + path);
      if (path === '/case-history') {
        await errorPage(page, 'Service Unavailable').waitFor();
        await page
          .getByRole('navigation', { name: 'Main' })
          .getByRole('link', { name: 'Milestones' })
          .waitFor();
      } else await page.getByRole('heading', { level: 1, name: heading.george }).waitFor();
    }
    await context.close();
  });
});

import { variants } from '@keyturn/testkit/run-length.ts';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findAccessibilityViolations } from '../harness/accessibility-violations.ts';
import { demonstrationPassword } from '../harness/api-client.ts';
import { collectPageErrors, newContext, signInByForm } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { endMaintenance } from '../harness/run-keyturn.ts';

const product = withProduct();

async function open(options: BrowserContextOptions = {}) {
  const context = await newContext(product.browser, { ...options });
  const page = await context.newPage();
  return { context, page, pageErrors: collectPageErrors(page) };
}

/** Delays the dashboard's scripts. @returns a function that releases them */
async function delayScripts(page: Page): Promise<() => void> {
  let releaseScripts = () => {};
  const released = new Promise<void>((done) => {
    releaseScripts = done;
  });
  await page.route('**/assets/start-*.js', async (route) => {
    await released;
    await route.continue();
  });
  return releaseScripts;
}

/**
 * Records in which painted frames an element was in the page, and in which it was visible. The browser runs animation
 * callbacks just before it paints, and paints nothing until the stylesheets have loaded. Reading the style from outside
 * would also read moments that are never painted.
 */
async function recordFrames(page: Page, selector: string) {
  await page.addInitScript((wanted) => {
    const frames = { attached: 0, visible: 0 };
    Object.assign(window, { frames });
    const look = () => {
      const element = document.querySelector(wanted);
      if (element) frames.attached += 1;
      if (element?.checkVisibility({ visibilityProperty: true })) frames.visible += 1;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, selector);
  return () => page.evaluate(() => (window as unknown as { frames: Frames }).frames);
}

interface Frames {
  attached: number;
  visible: number;
}

/** Records the layout shifts of a page after it has its stylesheets and fonts, which may shift it themselves. */
async function recordLayoutShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => void shifts.push(...list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // No frame is painted before the stylesheets have loaded, and a shift is reported after its frame.
    const twoFrames = async () => {
      for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    };
    let countedFrom = Infinity;
    const startCounting = async () => {
      await twoFrames();
      await document.fonts.ready;
      await twoFrames();
      countedFrom = performance.now();
    };
    const readShifts = async () => {
      await twoFrames();
      const all = [...shifts, ...observer.takeRecords()];
      return all.filter(({ startTime }) => startTime >= countedFrom).map((shift) => shift.toJSON());
    };
    Object.assign(window, { layoutShifts: { startCounting, readShifts } });
  });
  type Recorder = { layoutShifts: { startCounting(): Promise<void>; readShifts(): Promise<object[]> } };
  return {
    startCounting: () => page.evaluate(() => (window as unknown as Recorder).layoutShifts.startCounting()),
    readShifts: () => page.evaluate(() => (window as unknown as Recorder).layoutShifts.readShifts()),
  };
}

const waitForHydration = (page: Page) => page.locator('form[data-taken]').waitFor();

describe('the prerendered sign-in page', () => {
  test.each(variants(['light', 'dark'] as const, 1))(
    'shows the complete sign-in page without scripts in the %s colour scheme, and says that signing in needs JavaScript',
    async (colorScheme) => {
      const { context, page, pageErrors } = await open({ javaScriptEnabled: false, colorScheme });
      await page.goto(`${product.url}/login`);
      for (const label of ['Email address', 'Password'])
        await page.getByLabel(label, { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      const words = await page.locator('body').textContent();
      for (const part of [
        'Alder & Finch',
        'Sign in to your case',
        'Demonstration.',
        'Signing in needs JavaScript',
        'New bank details? Call us first',
        'Need help?',
        'Forgotten your password',
      ]) {
        expect(words).toContain(part);
      }
      expect(words).not.toContain('{{');
      expect(await page.title()).toBe('Sign in – Keyturn Client Dashboard');
      expect(pageErrors).toEqual([]);
      await context.close();
    },
  );

  test('has no accessibility violations on sign-in before and after the dashboard scripts run', async () => {
    const { context, page } = await open();
    const releaseScripts = await delayScripts(page);
    await page.goto(`${product.url}/login`, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'New bank details? Call us first' }).waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    releaseScripts();
    await waitForHydration(page);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await context.close();
  });

  test('hydrates the sign-in page without console errors, layout shifts or loss of typed text', async () => {
    const { context, page, pageErrors } = await open();
    const { startCounting, readShifts } = await recordLayoutShifts(page);
    const releaseScripts = await delayScripts(page);
    await page.goto(`${product.url}/login`, { waitUntil: 'commit' });
    const email = page.getByLabel('Email address');
    await email.fill('amelia@example.test');
    await email.evaluate((input) => Object.assign(input, { sameAsBefore: true }));
    await startCounting();
    releaseScripts();
    await waitForHydration(page);
    expect(await email.inputValue()).toBe('amelia@example.test');
    expect(await email.evaluate((input) => 'sameAsBefore' in input)).toBe(true);
    expect(await readShifts()).toEqual([]);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('keeps a sign-in form that is submitted before the scripts run, and sends it afterwards', async () => {
    const { context, page, pageErrors } = await open();
    const releaseScripts = await delayScripts(page);
    await page.goto(`${product.url}/login`, { waitUntil: 'commit' });
    await page.getByLabel('Email address').fill('amelia@example.test');
    await page.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(new URL(page.url()).pathname).toBe('/login');
    releaseScripts();
    await page.waitForURL(`${product.url}/`);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('never shows the prerendered sign-in page to a signed-in client', async () => {
    const { context, page, pageErrors } = await open();
    await signInByForm(page, product.url, 'george@example.test');
    const releaseScripts = await delayScripts(page);
    const readFrames = await recordFrames(page, '#root input[type="password"]');
    await page.goto(`${product.url}/login`, { waitUntil: 'commit' });
    // The page contains it but hides it.
    await expect.poll(async () => (await readFrames()).attached).toBeGreaterThan(0);
    releaseScripts();
    await page.waitForURL(`${product.url}/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await readFrames()).toEqual({ attached: expect.toSatisfy((count) => count > 0), visible: 0 });
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('redirects a signed-out visitor from the home page to the prerendered sign-in page', async () => {
    const { context, page } = await open();
    const releaseScripts = await delayScripts(page);
    await page.goto(product.url, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Sign in to your case' }).waitFor();
    expect(page.url()).toBe(`${product.url}/login`);
    releaseScripts();
    await context.close();
  });
});

describe('the prerendered frame of the home page', () => {
  test('shows an accessible page frame until the case has loaded, then replaces it without console errors', async () => {
    const { context, page, pageErrors } = await open();
    await signInByForm(page, product.url, 'amelia@example.test');
    const releaseScripts = await delayScripts(page);
    await page.goto(product.url, { waitUntil: 'commit' });
    const nav = page.getByRole('navigation', { name: 'Main' }).first();
    await nav.getByRole('link', { name: 'Milestones' }).waitFor();
    await page.getByText('Regulated by the Solicitors Regulation Authority').waitFor({ state: 'attached' });
    const words = await page.locator('body').textContent();
    expect(words).toContain('Alder & Finch');
    expect(words).not.toContain('{{');
    expect(words).not.toContain('Amelia');
    expect(await findAccessibilityViolations(page)).toEqual([]);
    releaseScripts();
    await page.getByText(/^Last updated/).waitFor();
    expect(await page.locator('#root > *').count()).toBe(1);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('has navigation links that work before the scripts run', async () => {
    const { context, page } = await open();
    await signInByForm(page, product.url, 'amelia@example.test');
    const releaseScripts = await delayScripts(page);
    await page.goto(product.url, { waitUntil: 'commit' });
    const nav = page.getByRole('navigation', { name: 'Main' }).first();
    await nav.getByRole('link', { name: 'Milestones' }).click();
    await page.waitForURL(`${product.url}/milestones`, { waitUntil: 'commit' });
    releaseScripts();
    await page.getByRole('heading', { level: 1, name: 'Milestones' }).waitFor();
    await context.close();
  });

  test('never shows the prerendered page frame to signed-out visitors or without JavaScript', async () => {
    const { context, page } = await open();
    const releaseScripts = await delayScripts(page);
    const readFrames = await recordFrames(page, '#root nav[aria-label="Main"]');
    await page.goto(`${product.url}/?from=a-mail`, { waitUntil: 'commit' });
    // The page contains it but hides it.
    await expect.poll(async () => (await readFrames()).attached).toBeGreaterThan(0);
    releaseScripts();
    await page.getByRole('heading', { name: 'Sign in to your case' }).waitFor();
    expect(await readFrames()).toEqual({ attached: expect.toSatisfy((count) => count > 0), visible: 0 });
    await context.close();
    const plain = await open({ javaScriptEnabled: false });
    await plain.page.goto(product.url);
    await plain.page.getByRole('heading', { name: 'This page needs JavaScript' }).waitFor();
    expect(await plain.page.getByText('Regulated by the Solicitors').isVisible()).toBe(false);
    await plain.context.close();
  });
});

describe('a page without its scripts', () => {
  test.each(variants(['/login', '/?from=a-mail', '/payments'], 1))(
    'shows on %s that the scripts failed to load, with a link to reload the page',
    async (path) => {
      const { context, page } = await open();
      await page.route('**/assets/start-*.js', (route) => route.abort());
      await page.goto(product.url + path);
      await page.getByRole('alert').getByText('We couldn’t load this page').waitFor();
      await page.unroute('**/assets/start-*.js');
      await page.getByRole('link', { name: 'reload the page' }).click();
      await waitForHydration(page);
      expect(await page.getByText('We couldn’t load this page').count()).toBe(0);
      await context.close();
    },
  );
});

describe('the prerendered error page', () => {
  test('shows the 404 page with status 404 without scripts', async () => {
    const { context, page } = await open({ javaScriptEnabled: false });
    const answer = await page.goto(`${product.url}/no-such/page`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Not Found' }).waitFor();
    await page.getByText('Page not found: /no-such/page').waitFor();
    await page.getByRole('link', { name: 'Go to the home page' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await context.close();
  });

  test('hydrates the prerendered 404 page', async () => {
    const { context, page, pageErrors } = await open();
    await page.goto(`${product.url}/no-such/page`);
    await page.getByRole('button', { name: 'Go Back' }).click();
    await page.waitForURL(`${product.url}/login`);
    // The browser itself logs the 404 status.
    expect(pageErrors.filter((line) => !/status of 404/.test(line))).toEqual([]);
    await context.close();
  });

  test('shows the maintenance message of the firm with and without scripts', async () => {
    const words = ['--message', 'Back <soon> & well.', '--until', '2030-01-02 14:00'];
    await product.keyturn('maintenance', 'on', ...words);
    try {
      const { context, page } = await open({ javaScriptEnabled: false });
      await expect
        .poll(async () => (await page.goto(`${product.url}/login`))?.status(), { timeout: 10_000 })
        .toBe(503);
      await page.getByRole('heading', { name: 'Service Unavailable' }).waitFor();
      await page.getByText('Back <soon> & well.').waitFor();
      await page.getByText('We expect to be back by 2:00 pm on Wednesday 2 January 2030').waitFor();
      expect((await fetch(product.url)).headers.get('retry-after')).toBe('3600');
      await context.close();
      const scripted = await open();
      await scripted.page.goto(`${product.url}/payments`);
      await scripted.page.getByText('Back <soon> & well.').waitFor();
      await product.keyturn('maintenance', 'off');
      await scripted.page.getByLabel('Email address').waitFor();
      expect(scripted.pageErrors.filter((line) => !/status of 503/.test(line))).toEqual([]);
      await scripted.context.close();
    } finally {
      await endMaintenance(product);
    }
  });
});

describe('preloading in an open tab', () => {
  test('preloads the payload of sign-in once and shows its content after sign-out', async () => {
    const { context, page, pageErrors } = await open();
    await page.route('**/login/_payload.json?*', async (route) => {
      const response = await route.fetch();
      const payload = await response.json();
      payload.data.firm.phone = '0117 496 0999';
      await route.fulfill({ response, json: payload });
    });
    const requestedPaths: string[] = [];
    page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
    await signInByForm(page, product.url, 'amelia@example.test');
    await expect.poll(() => requestedPaths.some((path) => path.startsWith('/builds/meta/'))).toBe(true);
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Amelia' }).click();
    await page.getByRole('button', { name: 'Sign out' }).hover();
    await expect.poll(() => requestedPaths).toContain('/login/_payload.json');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('0117 496 0999').waitFor();
    expect(requestedPaths.filter((path) => path === '/login/_payload.json')).toHaveLength(1);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('opens sign-in without a payload and warns on the console', async () => {
    const { context, page, pageErrors } = await open();
    await page.route('**/login/_payload.json?*', (route) =>
      route.fulfill({ status: 404, body: 'Not found' }),
    );
    const manifest = page.waitForResponse(/builds\/meta/);
    await signInByForm(page, product.url, 'amelia@example.test');
    await manifest;
    await page.getByRole('button', { name: 'Amelia' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email address').waitFor();
    expect(pageErrors.filter((line) => !/status of 404/.test(line))).toEqual([
      expect.stringContaining('Could not read the payload of /login:'),
    ]);
    await context.close();
  });

  const screensOf = (paths: string[]) => paths.filter((path) => /-page-[\w-]+\.js$/.test(path));

  test('preloads the screens behind visible links, each only once', async () => {
    const { context, page, pageErrors } = await open();
    const requestedPaths: string[] = [];
    page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
    await signInByForm(page, product.url, 'amelia@example.test');
    await expect
      .poll(() => screensOf(requestedPaths).some((path) => path.includes('milestones-page')), {
        timeout: 10_000,
      })
      .toBe(true);
    await page.getByRole('link', { name: 'Milestones' }).first().click();
    await page.waitForURL(/milestones/);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(screensOf(requestedPaths)).toEqual([...new Set(screensOf(requestedPaths))]);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('preloads no screens for a client with data saving on', async () => {
    const { context, page } = await open();
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } }),
    );
    const requestedPaths: string[] = [];
    page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
    await signInByForm(page, product.url, 'amelia@example.test');
    await expect.poll(() => requestedPaths.some((path) => path.startsWith('/builds/meta/'))).toBe(true);
    await page.getByRole('link', { name: 'Milestones' }).first().hover();
    await page.waitForLoadState('networkidle');
    expect(screensOf(requestedPaths).filter((path) => !path.includes('home-page'))).toEqual([]);
    await context.close();
  });

  test('ignores a screen that fails to preload', async () => {
    const { context, page } = await open();
    let wasAsked = false;
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.route('**/assets/milestones-page*', (route) => {
      wasAsked = true;
      return route.abort();
    });
    await signInByForm(page, product.url, 'amelia@example.test');
    await expect.poll(() => wasAsked, { timeout: 10_000 }).toBe(true);
    await page.getByRole('heading', { name: 'What we need from you' }).waitFor();
    expect(page.url()).toBe(`${product.url}/`);
    expect(loads).toBe(1);
    await context.close();
  });
});

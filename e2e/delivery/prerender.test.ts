import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findAccessibilityViolations } from '../harness/accessibility-violations.ts';
import { collectPageErrors, demonstrationPassword, signIn } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

async function open(options: BrowserContextOptions = {}) {
  const context = await product.browser.newContext({ locale: 'en-GB', ...options });
  const page = await context.newPage();
  return { context, page, noise: collectPageErrors(page) };
}

/** Holds the dashboard's own code back until it is let go. */
async function holdScripts(page: Page): Promise<() => void> {
  let letGo = () => {};
  const held = new Promise<void>((done) => {
    letGo = done;
  });
  await page.route('**/assets/start-*.js', async (route) => {
    await held;
    await route.continue();
  });
  return letGo;
}

const isTaken = (page: Page) => page.locator('form[data-taken]').waitFor();

describe('sign-in, as the build has rendered it', () => {
  test.each(['light', 'dark'] as const)(
    'is whole without scripts, in %s, and says what signing in needs',
    async (colorScheme) => {
      const { context, page, noise } = await open({ javaScriptEnabled: false, colorScheme });
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
        'Our bank details never change',
        'Need help?',
        'Forgotten your password',
      ]) {
        expect(words).toContain(part);
      }
      expect(words).not.toContain('{{');
      expect(await page.title()).toBe('Keyturn Client Dashboard');
      expect(noise).toEqual([]);
      await context.close();
    },
  );

  test('is accessible before any script of the dashboard has run', async () => {
    const { context, page } = await open();
    const letGo = await holdScripts(page);
    await page.goto(`${product.url}/login`, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Our bank details never change' }).waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    letGo();
    await isTaken(page);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await context.close();
  });

  test('is taken over as it stands, without a word in the console and without moving', async () => {
    const { context, page, noise } = await open();
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const letGo = await holdScripts(page);
    await page.goto(`${product.url}/login`, { waitUntil: 'commit' });
    const email = page.getByLabel('Email address');
    await email.fill('amelia@example.test');
    await email.evaluate((input) => Object.assign(input, { sameAsBefore: true }));
    // The fonts may still have moved a line; the scripts may not.
    await page.evaluate(async () => {
      await document.fonts.ready;
      (window as unknown as { shifts: number[] }).shifts.length = 0;
    });
    letGo();
    await isTaken(page);
    expect(await email.inputValue()).toBe('amelia@example.test');
    expect(await email.evaluate((input) => 'sameAsBefore' in input)).toBe(true);
    expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
    expect(noise).toEqual([]);
    await context.close();
  });

  test('keeps what was sent too early, and sends it once it can', async () => {
    const { context, page, noise } = await open();
    const letGo = await holdScripts(page);
    await page.goto(`${product.url}/login`, { waitUntil: 'commit' });
    await page.getByLabel('Email address').fill('amelia@example.test');
    await page.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(new URL(page.url()).pathname).toBe('/login');
    letGo();
    await page.waitForURL(`${product.url}/`);
    expect(noise).toEqual([]);
    await context.close();
  });

  test('is not seen by who is signed in', async () => {
    const { context, page, noise } = await open();
    await signIn(page, product.url, 'george@example.test');
    const letGo = await holdScripts(page);
    await page.goto(`${product.url}/login`, { waitUntil: 'commit' });
    // It is in the page, and not to be seen.
    await page.getByText('Sign in to your case').waitFor({ state: 'attached' });
    expect(await page.getByText('Sign in to your case').isVisible()).toBe(false);
    letGo();
    await page.waitForURL(`${product.url}/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(noise).toEqual([]);
    await context.close();
  });

  test('comes by a page of its own to who opens the start page signed out', async () => {
    const { context, page } = await open();
    const letGo = await holdScripts(page);
    await page.goto(product.url, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Sign in to your case' }).waitFor();
    expect(page.url()).toBe(`${product.url}/login`);
    letGo();
    await context.close();
  });
});

describe('the frame of the start page, as the build has rendered it', () => {
  test('stands there until the case does, accessible, and makes room for it without a word in the console', async () => {
    const { context, page, noise } = await open();
    await signIn(page, product.url, 'amelia@example.test');
    const letGo = await holdScripts(page);
    await page.goto(product.url, { waitUntil: 'commit' });
    const nav = page.getByRole('navigation', { name: 'Main' }).first();
    await nav.getByRole('link', { name: 'Milestones' }).waitFor();
    await page.getByText('Regulated by the Solicitors Regulation Authority').waitFor();
    const words = await page.locator('body').textContent();
    expect(words).toContain('Alder & Finch');
    expect(words).not.toContain('{{');
    expect(words).not.toContain('Amelia');
    expect(await findAccessibilityViolations(page)).toEqual([]);
    letGo();
    await page.getByText(/^Last updated/).waitFor();
    expect(await page.locator('#root > *').count()).toBe(1);
    expect(noise).toEqual([]);
    await context.close();
  });

  test('has links that lead on before there are any scripts', async () => {
    const { context, page } = await open();
    await signIn(page, product.url, 'amelia@example.test');
    const letGo = await holdScripts(page);
    await page.goto(product.url, { waitUntil: 'commit' });
    const nav = page.getByRole('navigation', { name: 'Main' }).first();
    await nav.getByRole('link', { name: 'Milestones' }).click();
    await page.waitForURL(`${product.url}/milestones`, { waitUntil: 'commit' });
    letGo();
    await page.getByRole('heading', { level: 1, name: 'Milestones' }).waitFor();
    await context.close();
  });

  test('is not seen by who is signed out, nor where scripts never run', async () => {
    const { context, page } = await open();
    const letGo = await holdScripts(page);
    await page.goto(`${product.url}/?from=a-mail`, { waitUntil: 'commit' });
    await page.getByText('Regulated by the Solicitors').waitFor({ state: 'attached' });
    expect(await page.getByText('Regulated by the Solicitors').isVisible()).toBe(false);
    letGo();
    await page.getByRole('heading', { name: 'Sign in to your case' }).waitFor();
    await context.close();
    const plain = await open({ javaScriptEnabled: false });
    await plain.page.goto(product.url);
    await plain.page.getByRole('heading', { name: 'This page needs JavaScript' }).waitFor();
    expect(await plain.page.getByText('Regulated by the Solicitors').isVisible()).toBe(false);
    await plain.context.close();
  });
});

describe('a page whose scripts do not arrive', () => {
  test.each(['/login', '/?from=a-mail', '/payments'])(
    '%s says so, with a way to load it again',
    async (path) => {
      const { context, page } = await open();
      await page.route('**/assets/start-*.js', (route) => route.abort());
      await page.goto(product.url + path);
      await page.getByRole('alert').getByText('We couldn’t load this page').waitFor();
      await page.unroute('**/assets/start-*.js');
      await page.getByRole('link', { name: 'reload the page' }).click();
      await isTaken(page);
      expect(await page.getByText('We couldn’t load this page').count()).toBe(0);
      await context.close();
    },
  );
});

describe('the error page, as the build has rendered it', () => {
  test('says without scripts that there is no such page, with the status of that', async () => {
    const { context, page } = await open({ javaScriptEnabled: false });
    const answer = await page.goto(`${product.url}/no-such/page`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Not Found' }).waitFor();
    await page.getByText('Page not found: /no-such/page').waitFor();
    await page.getByRole('link', { name: 'Go to the home page' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await context.close();
  });

  test('is taken over where scripts run', async () => {
    const { context, page, noise } = await open();
    await page.goto(`${product.url}/no-such/page`);
    await page.getByRole('button', { name: 'Go Back' }).click();
    await page.waitForURL(`${product.url}/login`);
    // The browser itself tells of the status.
    expect(noise.filter((line) => !/status of 404/.test(line))).toEqual([]);
    await context.close();
  });

  test('says during maintenance what the firm says, whether scripts run or not', async () => {
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
      expect(scripted.noise.filter((line) => !/status of 503/.test(line))).toEqual([]);
      await scripted.context.close();
    } finally {
      await product.keyturn('maintenance', 'off');
    }
  });
});

describe('a tab that is open', () => {
  test('has the payload of sign-in before it is left for it, and shows what it says', async () => {
    const { context, page, noise } = await open();
    await page.route('**/login/_payload.json?*', async (route) => {
      const response = await route.fetch();
      const payload = await response.json();
      payload.data.firm.phone = '0117 496 0999';
      await route.fulfill({ response, json: payload });
    });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await signIn(page, product.url, 'amelia@example.test');
    await expect.poll(() => asked.some((path) => path.startsWith('/builds/meta/'))).toBe(true);
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Amelia' }).click();
    await page.getByRole('button', { name: 'Sign out' }).hover();
    await expect.poll(() => asked).toContain('/login/_payload.json');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('0117 496 0999').waitFor();
    expect(asked.filter((path) => path === '/login/_payload.json')).toHaveLength(1);
    expect(noise).toEqual([]);
    await context.close();
  });

  test('leaves for sign-in all the same where there is no payload, and warns of it', async () => {
    const { context, page, noise } = await open();
    await page.route('**/login/_payload.json?*', (route) =>
      route.fulfill({ status: 404, body: 'Not found' }),
    );
    const manifest = page.waitForResponse(/builds\/meta/);
    await signIn(page, product.url, 'amelia@example.test');
    await manifest;
    await page.getByRole('button', { name: 'Amelia' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email address').waitFor();
    expect(noise.filter((line) => !/status of 404/.test(line))).toEqual([
      expect.stringContaining('Could not read the payload of /login:'),
    ]);
    await context.close();
  });

  const screensOf = (asked: string[]) => asked.filter((path) => /-page-[\w-]+\.js$/.test(path));

  test('loads the screens behind visible links in advance, each once', async () => {
    const { context, page, noise } = await open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await signIn(page, product.url, 'amelia@example.test');
    await expect
      .poll(() => screensOf(asked).some((path) => path.includes('milestones-page')), { timeout: 10_000 })
      .toBe(true);
    await page.getByRole('link', { name: 'Milestones' }).first().click();
    await page.waitForURL(/milestones/);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(screensOf(asked)).toEqual([...new Set(screensOf(asked))]);
    expect(noise).toEqual([]);
    await context.close();
  });

  test('loads none in advance for a client who saves data', async () => {
    const { context, page } = await open();
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } }),
    );
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await signIn(page, product.url, 'amelia@example.test');
    await expect.poll(() => asked.some((path) => path.startsWith('/builds/meta/'))).toBe(true);
    await page.getByRole('link', { name: 'Milestones' }).first().hover();
    await page.waitForLoadState('networkidle');
    expect(screensOf(asked).filter((path) => !path.includes('home-page'))).toEqual([]);
    await context.close();
  });

  test('says nothing of a screen that could not be had in advance', async () => {
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
    await signIn(page, product.url, 'amelia@example.test');
    await expect.poll(() => wasAsked, { timeout: 10_000 }).toBe(true);
    await page.getByRole('heading', { name: 'What we need from you' }).waitFor();
    expect(page.url()).toBe(`${product.url}/`);
    expect(loads).toBe(1);
    await context.close();
  });
});

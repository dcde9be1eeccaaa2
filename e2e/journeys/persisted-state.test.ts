import { variants } from '@keyturn/testkit/run-length.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { collectPageErrors, newContext, signInByForm } from '../harness/browser.ts';
import { type ProductAndBrowser, withProduct } from '../harness/product-and-browser.ts';

/** Waits for the home page and all its data. */
const waitForHome = async (page: Page) => {
  await page.getByRole('heading', { name: 'What we need from you' }).waitFor();
  await page.getByText(/^Last updated/).waitFor();
  await page.waitForLoadState('networkidle');
};
const waitForSignIn = (page: Page) => page.getByLabel('Email address').waitFor();

async function openAs(product: ProductAndBrowser, email: string) {
  const context = await newContext(product.browser);
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  await signInByForm(page, product.url, email);
  await waitForHome(page);
  return { context, page, pageErrors };
}

describe('persisted state in local storage', () => {
  const product = withProduct({ KEYTURN_PERSISTED_STATE_PREFIX: 'alder.' });

  test('shows the persisted case on a repeat visit before the server has answered', async () => {
    const { context, page } = await openAs(product, 'amelia@example.test');
    expect((await page.evaluate(() => Object.keys(localStorage).sort())).join()).toBe(
      'alder.auth,alder.case',
    );
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/**', async (route) => {
      await released;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: '14 Alder Row to The Old Chapel' }).waitFor();
    await page
      .getByRole('link', { name: /^Pay £276/ })
      .first()
      .waitFor();
    release();
    await waitForHome(page);
    await context.close();
  });

  const unusable = [
    ['broken JSON', '{"version":1,'],
    ['from another version', '{"version":99,"value":{"access_token":"x"}}'],
    ['the wrong shape', '{"version":1,"value":[1,2,3]}'],
    ['a prototype pollution attempt', '{"version":1,"value":{"__proto__":{"access_token":"x"}}}'],
    ['five megabytes', ''],
  ] as const;
  test.each(variants(unusable, 2))(
    'fault 51: recovers when the persisted state is %s',
    async (problem, text) => {
      const { context, page, pageErrors } = await openAs(product, 'tom@example.test');
      const value = problem === 'five megabytes' ? 'x'.repeat(2_400_000) : text;
      await page.evaluate((kept) => localStorage.setItem('alder.case', kept), value);
      await page.reload();
      await waitForHome(page);
      await page.evaluate((kept) => localStorage.setItem('alder.auth', kept), value);
      await page.reload();
      await waitForSignIn(page);
      expect(pageErrors).toEqual([]);
      await context.close();
    },
  );

  test('fault 53: never shows one client the persisted case of another', async () => {
    const { context, page } = await openAs(product, 'amelia@example.test');
    const storedCase = await page.evaluate(() => localStorage.getItem('alder.case') ?? '');
    await page.getByRole('button', { name: /Amelia Okafor/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await waitForSignIn(page);
    await page.evaluate((kept) => localStorage.setItem('alder.case', kept), storedCase);
    await page.route('**/api/client', async (route) => {
      await new Promise((answered) => setTimeout(answered, 1_500));
      await route.continue();
    });
    await signInByForm(page, product.url, 'priya@example.test');
    await page.waitForTimeout(500);
    expect(await page.getByText('The Old Chapel').count()).toBe(0);
    await page.getByRole('heading', { level: 1, name: 'Flat 6, 41 Wapping Wharf Lane' }).waitFor();
    await context.close();
  });

  test('fault 52: works without browser storage and cookies until the page is reloaded', async () => {
    const context = await newContext(product.browser);
    await context.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('closed', 'SecurityError');
          },
        });
      }
      Object.defineProperty(navigator, 'cookieEnabled', { get: () => false });
    });
    const page = await context.newPage();
    const pageErrors = collectPageErrors(page);
    await signInByForm(page, product.url, 'amelia@example.test');
    await waitForHome(page);
    // A sign-in with a cookie would be lost with its first request.
    expect((await context.cookies()).filter(({ name }) => name.includes('session'))).toEqual([]);
    await page.getByRole('link', { name: 'Milestones' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Milestones' }).waitFor();
    await page.getByRole('link', { name: 'Payments' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    await page.reload();
    await waitForSignIn(page);
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

describe.each(variants(['session', 'cookie'] as const, 1))('persisted state in %s storage', (storage) => {
  const product = withProduct({ KEYTURN_PERSISTED_STATE_STORAGE: storage });

  test('keeps a sign-in in the configured storage across reloads and clears it on sign-out', async () => {
    const { context, page, pageErrors } = await openAs(product, 'amelia@example.test');
    await page.reload();
    await waitForHome(page);
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
    const other = await context.newPage();
    await other.goto(product.url);
    // A session belongs to its tab; cookies belong to the browser.
    await (storage === 'session' ? waitForSignIn(other) : waitForHome(other));
    await page.getByRole('button', { name: /Amelia Okafor/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await waitForSignIn(page);
    await waitForSignIn(other);
    // The server still recognises the device, so that another person's wrong passwords do not lock this client out.
    await expect
      .poll(async () => (await context.cookies()).map(({ name }) => name))
      .toEqual(['keyturn-device']);
    expect(
      await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('keyturn.'))),
    ).toEqual([]);
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

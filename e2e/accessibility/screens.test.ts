import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findAccessibilityViolations } from '../harness/accessibility-violations.ts';
import { signIn } from '../harness/browser.ts';
import { payWith } from '../harness/pay-by-card.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { screens } from '../harness/screens.ts';

const product = withProduct();

const sizes = [
  { width: 1440, height: 900 },
  // The same at 200 % zoom.
  { width: 720, height: 450 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];

async function examine(page: Page, name: string, rules: object = {}) {
  expect(await findAccessibilityViolations(page, rules), name).toEqual([]);
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
}

async function everywhere(page: Page, name: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const size of sizes) {
      await page.setViewportSize(size);
      await examine(page, `${name}, ${colorScheme}, ${size.width} px`);
    }
  }
}

describe('axe finds nothing, light and dark, wide and narrow, and nothing scrolls sideways', () => {
  test('on sign-in, at rest and with an error', async () => {
    const page = await product.browser.newPage();
    await page.goto(`${product.url}/login`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await everywhere(page, 'sign-in');
    await page.getByLabel('Email address').fill('amelia@example.test');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('These credentials do not match our records.').first().waitFor();
    await everywhere(page, 'sign-in with an error');
    await page.close();
  });

  test.each(['amelia', 'priya', 'george'])('on the home page of %s', async (name) => {
    const context = await product.browser.newContext();
    const page = await context.newPage();
    await signIn(page, product.url, `${name}@example.test`);
    await page.getByText('Who to call').waitFor();
    await everywhere(page, `home of ${name}`);
    await context.close();
  });

  test('on checking and paying, at rest, with errors, at the bank and at the receipt', async () => {
    const context = await product.browser.newContext();
    const page = await context.newPage();
    await signIn(page, product.url, 'amelia@example.test');
    const pay = /^Pay £55\.20/;
    await page
      .getByRole('button', { name: pay })
      .or(page.getByRole('link', { name: pay }))
      .first()
      .click();
    await page.waitForURL('**/payment-details');
    await page.getByRole('button', { name: 'Continue to payment' }).waitFor();
    await everywhere(page, 'payment details');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('alert').first().waitFor();
    await everywhere(page, 'payment details with errors');
    await page.getByLabel(/No, someone else/).check();
    await page.getByLabel('Whose card is it?').fill('Grace Okafor');
    await page.getByLabel(/Please order now/).check();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.waitForURL('**/payment');
    await page.getByLabel('Card number').waitFor();
    await everywhere(page, 'payment');
    await page.getByRole('button', { name: /^Pay £/ }).click();
    await page.getByRole('alert').first().waitFor();
    await everywhere(page, 'payment with errors');
    await payWith(page, '4000000000003220');
    await page.getByRole('dialog').waitFor();
    await everywhere(page, "the bank's check");
    await page.getByRole('button', { name: /Yes, approve/ }).click();
    await page.getByRole('heading', { name: /^Payment received/ }).waitFor();
    await everywhere(page, 'receipt');
    await context.close();
  });

  test('on the payments, and on entering, checking, giving up and paying another one', async () => {
    const context = await product.browser.newContext();
    const page = await context.newPage();
    await signIn(page, product.url, 'george@example.test');
    await page.goto(`${product.url}/payment-other`);
    await page.getByLabel('Amount in pounds').waitFor();
    await everywhere(page, 'another payment');
    await page.getByRole('button', { name: 'Check this payment' }).click();
    await page.getByRole('alert').first().waitFor();
    await everywhere(page, 'another payment with errors');
    await page.getByLabel('Legal fees').check();
    await page.getByLabel('Amount in pounds').fill('12.50');
    await page.getByRole('button', { name: 'Check this payment' }).click();
    await page.getByLabel(/Yes, mine/).check();
    await everywhere(page, 'the details of another payment');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByLabel('Card number').waitFor();
    await everywhere(page, 'paying another payment');
    await page.getByRole('button', { name: 'Cancel this payment' }).click();
    await page.getByRole('dialog').waitFor();
    await everywhere(page, 'giving up another payment');
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.goto(`${product.url}/payments`);
    await page.getByRole('button', { name: /^Continue with £12\.50/ }).waitFor();
    await everywhere(page, 'payments');
    await context.close();
  });

  const others = screens.filter(({ name }) =>
    /^(forgot|reset|milestones|case-history|documents|document$|maintenance)/.test(name),
  );
  test.each(others.map((screen) => [screen.name, screen] as const))('on %s', async (name, screen) => {
    const context = await product.browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    if (screen.as) await signIn(page, product.url, `${screen.as}@example.test`);
    await screen.open(page, product);
    await everywhere(page, name);
    await page.emulateMedia({ forcedColors: 'active' });
    await examine(page, `${name}, forced colours`, { 'color-contrast': { enabled: false } });
    await product.keyturn('maintenance', 'off');
    await context.close();
  });

  test('and would find something: a picture without words, and too pale a text', async () => {
    const page = await product.browser.newPage();
    await page.goto(`${product.url}/login`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(() => {
      const pale = document.createElement('p');
      pale.textContent = 'Hardly to be read';
      pale.style.color = '#cccccc';
      document.querySelector('main')?.append(document.createElement('img'), pale);
    });
    const found = (await findAccessibilityViolations(page)).map((fault) => fault.split(':')[0]);
    expect(found).toContain('image-alt');
    expect(found).toContain('color-contrast');
    await page.close();
  });

  test('on the error page', async () => {
    const page = await product.browser.newPage();
    await page.goto(`${product.url}/nothing-here`);
    await page.getByText('Page not found: /nothing-here').waitFor();
    await everywhere(page, 'error page');
    await page.close();
  });
});

describe('with the keyboard alone', () => {
  test('a client signs in, chooses a search, pays and reads the receipt', async () => {
    const context = await product.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${product.url}/login`);
    const tabTo = (name: RegExp) => tabsTo(page, name);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await tabTo(/Email address/);
    await page.keyboard.type('tom@example.test');
    await tabTo(/INPUT Password/);
    await page.keyboard.type('turn-the-key-2026');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${product.url}/`);
    await page.getByText(/^Last updated/).waitFor();
    await tabTo(/Pay £276\.00/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/payment-details');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await tabTo(/Yes, mine/);
    await page.keyboard.press('Space');
    await tabTo(/Please order now/);
    await page.keyboard.press('Space');
    await tabTo(/Continue to payment/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/payment');
    await page.getByLabel('Card number').waitFor();
    await tabTo(/Card number/);
    await page.keyboard.type('4242424242424242');
    await tabTo(/Expiry date/);
    await page.keyboard.type('1230');
    await tabTo(/Security code/);
    await page.keyboard.type('123');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Payment received: £276.00' }).waitFor();
    await context.close();
  });

  test('Amelia reads and signs a document', async () => {
    const context = await product.browser.newContext();
    const page = await context.newPage();
    await signIn(page, product.url, 'amelia@example.test');
    await page.getByText(/^Last updated/).waitFor();
    await tabsTo(page, /^A Documents/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/documents/purchase/to-sign');
    await page
      .getByRole('link', { name: /To sign/ })
      .last()
      .waitFor();
    await page.goto(`${product.url}/documents/sale/to-sign`);
    await page.getByRole('link', { name: 'Contract for the sale of 14 Alder Row' }).waitFor();
    await tabsTo(page, /Contract for the sale of 14 Alder Row/);
    await page.keyboard.press('Enter');
    await page.getByRole('listitem', { name: 'Page 1 of' }).locator('canvas').waitFor();
    await tabsTo(page, /Your full name/);
    await page.keyboard.type('Amelia Okafor');
    await tabsTo(page, /I’ve read this document/);
    await page.keyboard.press('Space');
    await tabsTo(page, /Sign the contract for the sale/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You’ve signed this document' }).waitFor();
    await context.close();
  });

  test('George switches to his other case', async () => {
    const context = await product.browser.newContext();
    const page = await context.newPage();
    await signIn(page, product.url, 'george@example.test');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const before = await page.getByRole('heading', { level: 1 }).textContent();
    await tabsTo(page, /Switch case/);
    await page.keyboard.press('Enter');
    await tabsTo(page, before?.includes('Orchard') ? /Sale of/ : /Remortgage of/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).not.toBe(before);
    await context.close();
  });
});

/** Tabs on until the focus is on what is named, as a person would, and no longer than a person would. */
async function tabsTo(page: Page, name: RegExp): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      if (!element?.matches('a, button, input, select, summary')) return '';
      const label =
        element instanceof HTMLInputElement
          ? element.labels?.[0]?.textContent
          : element.getAttribute('aria-label');
      return `${element.tagName} ${label ?? element.textContent ?? ''}`.trim();
    });
  for (let presses = 0; presses < 90; presses += 1) {
    if (name.test(await focused())) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${name}; it is on ${await focused()}`);
}

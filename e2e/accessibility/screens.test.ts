import { variants } from '@keyturn/testkit/run-length.ts';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  colourRules,
  expectNoSidewaysScrolling,
  findAccessibilityViolations,
} from '../harness/accessibility-violations.ts';
import { demonstrationPassword } from '../harness/api-client.ts';
import { newContext, newPage, shareSignIns } from '../harness/browser.ts';
import { payWith } from '../harness/pay-by-card.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { endMaintenance } from '../harness/run-keyturn.ts';
import { screens } from '../harness/screens.ts';

const product = withProduct();
const openSignedIn = shareSignIns(product);

/** Opens the home page of a client. */
async function openHome(email: string) {
  const page = await openSignedIn(email);
  await page.goto(product.url);
  return page;
}

const sizes = [
  { width: 1440, height: 900 },
  // The first size at 200 % zoom.
  { width: 720, height: 450 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];

async function expectAccessible(page: Page, name: string, options: RunOptions = {}) {
  expect(await findAccessibilityViolations(page, options), name).toEqual([]);
  await expectNoSidewaysScrolling(page, name);
}

/** The colour scheme changes only colours, so the second one needs no rules about structure and layout. */
const schemes = [
  ['light', {}],
  ['dark', colourRules],
] as const;

async function expectAccessibleEverywhere(page: Page, name: string) {
  for (const [colorScheme, rules] of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const size of variants(sizes, 1)) {
      await page.setViewportSize(size);
      await expectAccessible(page, `${name}, ${colorScheme}, ${size.width} px`, rules);
    }
  }
}

describe('accessibility of screens in both colour schemes and at four widths', () => {
  test('finds no accessibility violations on sign-in, with and without an error', async () => {
    const page = await newPage(product.browser);
    await page.goto(`${product.url}/login`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessibleEverywhere(page, 'sign-in');
    await page.getByLabel('Email address').fill('amelia@example.test');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('These credentials do not match our records.').first().waitFor();
    await expectAccessibleEverywhere(page, 'sign-in with an error');
    await page.close();
  });

  test.each(variants(['amelia', 'priya', 'george'], 1))(
    'finds no accessibility violations on the home page of %s',
    async (name) => {
      const page = await openHome(`${name}@example.test`);
      await page.getByText('Who to call').waitFor();
      await expectAccessibleEverywhere(page, `home of ${name}`);
      await page.close();
    },
  );

  test('finds no accessibility violations from checking a payment to its receipt, errors and bank check included', async () => {
    const page = await openHome('amelia@example.test');
    const pay = /^Pay £55\.20/;
    await page
      .getByRole('button', { name: pay })
      .or(page.getByRole('link', { name: pay }))
      .first()
      .click();
    await page.waitForURL('**/payment-details');
    await page.getByRole('button', { name: 'Continue to payment' }).waitFor();
    await expectAccessibleEverywhere(page, 'payment details');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('alert').first().waitFor();
    await expectAccessibleEverywhere(page, 'payment details with errors');
    await page.getByLabel(/No, someone else/).check();
    await page.getByLabel('Whose card is it?').fill('Grace Okafor');
    await page.getByLabel(/Please order/).check();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.waitForURL('**/payment');
    await page.getByLabel('Card number').waitFor();
    await expectAccessibleEverywhere(page, 'payment');
    await page.getByRole('button', { name: /^Pay £/ }).click();
    await page.getByRole('alert').first().waitFor();
    await expectAccessibleEverywhere(page, 'payment with errors');
    await payWith(page, '4000000000003220');
    await page.getByRole('dialog').waitFor();
    await expectAccessibleEverywhere(page, "the bank's check");
    await page.getByRole('button', { name: /Yes, approve/ }).click();
    await page.getByRole('heading', { name: /^Payment received/ }).waitFor();
    await expectAccessibleEverywhere(page, 'receipt');
    await page.close();
  });

  test('finds no accessibility violations on the payments page and on entering, checking and cancelling another payment', async () => {
    const page = await openHome('george@example.test');
    await page.goto(`${product.url}/payment-other`);
    await page.getByLabel('Amount in pounds').waitFor();
    await expectAccessibleEverywhere(page, 'another payment');
    await page.getByRole('button', { name: 'Check this payment' }).click();
    await page.getByRole('alert').first().waitFor();
    await expectAccessibleEverywhere(page, 'another payment with errors');
    await page.getByLabel('Legal fees').check();
    await page
      .getByLabel(/^Bill /)
      .first()
      .check();
    await page.getByLabel('Amount in pounds').fill('12.50');
    await page.getByRole('button', { name: 'Check this payment' }).click();
    await page.getByLabel(/^Yes, /).check();
    await expectAccessibleEverywhere(page, 'the details of another payment');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByLabel('Card number').waitFor();
    await expectAccessibleEverywhere(page, 'paying another payment');
    await page.getByRole('button', { name: 'Cancel this payment' }).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessibleEverywhere(page, 'cancelling another payment');
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.goto(`${product.url}/payments`);
    await page.getByRole('button', { name: /^Continue with £12\.50/ }).waitFor();
    await expectAccessibleEverywhere(page, 'payments');
    await page.close();
  });

  const otherScreens = screens.filter(({ name }) =>
    /^(forgot|reset|milestones|case-history|documents|document$|maintenance)/.test(name),
  );
  test.each(otherScreens.map((screen) => [screen.name, screen] as const))(
    'finds no accessibility violations on the screen %s, forced colours included',
    async (name, screen) => {
      const page = screen.as ? await openHome(`${screen.as}@example.test`) : await newPage(product.browser);
      await screen.open(page, product);
      await expectAccessibleEverywhere(page, name);
      await page.emulateMedia({ forcedColors: 'active' });
      await expectAccessible(page, `${name}, forced colours`, {
        rules: { 'color-contrast': { enabled: false } },
      });
      if (name === 'maintenance') await endMaintenance(product);
      await page.close();
    },
  );

  test('finds no accessibility violations on a deed, shown as pages, as text and with a match', async () => {
    const page = await openHome('amelia@example.test');
    await page.goto(`${product.url}/documents/sale/to-sign`);
    await page.getByRole('link', { name: 'Transfer of 14 Alder Row' }).click();
    await page.getByRole('listitem', { name: 'Page 1 of' }).locator('canvas').waitFor();
    await expectAccessibleEverywhere(page, 'deed');
    await page.getByRole('button', { name: 'Read as text' }).click();
    await page.getByRole('button', { name: 'Find in this document' }).click();
    await page.getByRole('searchbox', { name: 'Find' }).fill('witness');
    await page.locator('mark[data-current]').waitFor();
    await expectAccessibleEverywhere(page, 'deed as text');
    await page.close();
  });

  test('detects a missing image description and low contrast', async () => {
    const page = await newPage(product.browser);
    await page.goto(`${product.url}/login`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(() => {
      const pale = document.createElement('p');
      pale.textContent = 'Hard to read';
      pale.style.color = '#cccccc';
      document.querySelector('main')?.append(document.createElement('img'), pale);
    });
    const found = (await findAccessibilityViolations(page)).map((fault) => fault.split(':')[0]);
    expect(found).toContain('image-alt');
    expect(found).toContain('color-contrast');
    const pale = (await findAccessibilityViolations(page, colourRules)).map((fault) => fault.split(':')[0]);
    expect(pale).toEqual(['color-contrast']);
    await page.close();
  });

  test('finds no accessibility violations on the error page', async () => {
    const page = await newPage(product.browser);
    await page.goto(`${product.url}/nothing-here`);
    await page.getByText('Page not found: /nothing-here').waitFor();
    await expectAccessibleEverywhere(page, 'error page');
    await page.close();
  });
});

describe('keyboard use', () => {
  test('lets a client sign in, choose a search and pay with the keyboard alone', async () => {
    const context = await newContext(product.browser);
    const page = await context.newPage();
    await page.goto(`${product.url}/login`);
    const tab = (name: RegExp) => tabTo(page, name);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await tab(/Email address/);
    await page.keyboard.type('tom@example.test');
    await tab(/INPUT Password/);
    await page.keyboard.type('turn-the-key-2026');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${product.url}/`);
    await page.getByText(/^Last updated/).waitFor();
    await tab(/Pay £276\.00/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/payment-details');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await tab(/INPUT Yes, /);
    await page.keyboard.press('Space');
    await tab(/Please order/);
    await page.keyboard.press('Space');
    await tab(/Continue to payment/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/payment');
    await page.getByLabel('Card number').waitFor();
    await tab(/Card number/);
    await page.keyboard.type('4242424242424242');
    await tab(/Expiry date/);
    await page.keyboard.type('1230');
    await tab(/Security code/);
    await page.keyboard.type('123');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Payment received: £276.00' }).waitFor();
    await context.close();
  });

  test('lets a client open and sign a document with the keyboard alone', async () => {
    const page = await openHome('amelia@example.test');
    await page.getByText(/^Last updated/).waitFor();
    await tabTo(page, /^A Documents/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/documents/purchase/to-sign');
    await page
      .getByRole('link', { name: /To sign/ })
      .last()
      .waitFor();
    await page.goto(`${product.url}/documents/sale/to-sign`);
    await page.getByRole('link', { name: 'Contract for the sale of 14 Alder Row' }).waitFor();
    await tabTo(page, /Contract for the sale of 14 Alder Row/);
    await page.keyboard.press('Enter');
    await page.getByRole('listitem', { name: 'Page 1 of' }).locator('canvas').waitFor();
    await tabTo(page, /Your full name/);
    await page.keyboard.type('Amelia Okafor');
    await tabTo(page, /I’ve read this document/);
    await page.keyboard.press('Space');
    await tabTo(page, /Sign the contract for the sale/);
    await page.keyboard.press('Enter');
    await page.getByLabel('Your password').focus();
    await page.keyboard.type(demonstrationPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You’ve signed this document' }).waitFor();
    await page.close();
  });

  test('lets a client switch to their other case with the keyboard alone', async () => {
    const page = await openHome('george@example.test');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const before = await page.getByRole('heading', { level: 1 }).textContent();
    await tabTo(page, /Switch case/);
    await page.keyboard.press('Enter');
    await tabTo(page, before?.includes('Orchard') ? /Sale of/ : /Remortgage of/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).not.toBe(before);
    await page.close();
  });
});

/** Presses Tab until the focus is on the named element, at most 90 times. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
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

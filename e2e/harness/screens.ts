import type { Page } from 'playwright-core';
import { findPasswordLink } from './outbox.ts';
import { confirmDetails, payWith } from './pay-by-card.ts';

/** A screen of the demonstration in a particular state. */
export interface Screen {
  name: string;
  title: string;
  /** The sentence below the title in docs/screens.md. */
  caption: string;
  /** The client to sign in as; without one the screen is for guests. */
  as?: 'amelia' | 'tom' | 'priya' | 'george';
  /** Needs a firm whose clients can pay for searches by bank. */
  acceptsBank?: boolean;
  /** A text to scroll to, where the top of a phone’s screen does not show what the screen is about. */
  scrollTo?: string;
  open(page: Page, product: Product): Promise<void>;
}

interface Product {
  url: string;
  dataDirectory: string;
  keyturn: (...args: string[]) => Promise<unknown>;
}

/** Opens a path and waits for a text of the screen. */
const openPath =
  (path: string, text: string | RegExp): Screen['open'] =>
  async (page, { url }) => {
    await page.goto(url + path);
    await page.getByText(text).first().waitFor();
  };

/** Order matters: a later screen may depend on what an earlier one did. */
export const screens: readonly Screen[] = [
  {
    name: 'sign-in',
    title: 'Sign in',
    caption: 'The notice next to the form says what the firm never does.',
    open: openPath('/login', 'Sign in to your case'),
  },
  {
    name: 'sign-in-refused',
    title: 'Sign-in rejected',
    caption: 'A wrong email address and a wrong password get the same message.',
    open: async (page, { url }) => {
      await page.goto(`${url}/login`);
      await page.getByLabel('Email address').fill('amelia@example.test');
      await page.getByLabel('Password', { exact: true }).fill('not this one');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('These credentials do not match our records.').first().waitFor();
    },
  },
  {
    name: 'forgot-password',
    title: 'Reset a password',
    caption: 'Clients ask for a link when they forget their password and on their first visit.',
    open: openPath('/forgot-password', 'Reset your password'),
  },
  {
    name: 'reset-password',
    title: 'Choose a password',
    caption: 'The emailed link opens this screen and works once.',
    open: async (page, product) => {
      await page.goto(await findPasswordLink(product, 'george@example.test'));
      await page.getByLabel('New password').waitFor();
    },
  },
  {
    name: 'reset-password-ended',
    title: 'An expired link',
    caption: 'A used, expired or replaced link leads to the form for a new one.',
    open: openPath(`/reset-password#${'a'.repeat(43)}`, 'This link has expired'),
  },
  {
    name: 'home-amelia',
    title: 'The home page',
    caption:
      'A sale and a purchase in progress: their state, the next step, and what the firm needs from the client.',
    as: 'amelia',
    open: openPath('/', /^Last updated/),
  },
  {
    name: 'home-priya',
    title: 'A new purchase',
    caption: 'Little has happened yet, and each empty section says what will appear in it.',
    as: 'priya',
    open: openPath('/', /^Last updated/),
  },
  {
    name: 'home-george',
    title: 'A completed sale',
    caption: 'There is nothing left to do, and the client can switch to their other case.',
    as: 'george',
    open: async (page) => {
      await page.getByRole('button', { name: 'Switch case' }).first().click();
      await page
        .getByRole('button', { name: /Sale of/ })
        .first()
        .click();
      await page.getByRole('heading', { name: /^Completed on/ }).waitFor();
    },
  },
  {
    name: 'milestones',
    title: 'Milestones',
    caption: 'Every step of each matter, from instruction to completion.',
    as: 'amelia',
    open: openPath('/milestones', 'Exchange'),
  },
  {
    name: 'case-history',
    title: 'Case history',
    caption: 'Everything that has happened, grouped by day.',
    as: 'george',
    open: openPath('/case-history', 'Case history'),
  },
  {
    name: 'case-history-table',
    title: 'Case history as a table',
    caption: 'The table sorts, filters and exports, and its columns can be chosen.',
    as: 'george',
    open: async (page, { url }) => {
      await page.goto(`${url}/case-history`);
      await page.getByRole('radio', { name: 'Table' }).check();
      await page.getByRole('grid').getByRole('row').nth(5).waitFor();
    },
  },
  {
    name: 'documents',
    title: 'Documents',
    caption: 'Documents are in folders, with unread ones first.',
    as: 'amelia',
    open: openPath('/documents/purchase/contract', 'Contract'),
  },
  {
    name: 'documents-empty',
    title: 'An empty folder',
    caption: 'An empty folder says what it will contain, and when.',
    as: 'priya',
    open: openPath('/documents/purchase/mortgage', /mortgage/i),
  },
  {
    name: 'document',
    title: 'A document',
    caption: 'Clients read a document as pages or as text, search, download, print and sign it.',
    as: 'amelia',
    open: async (page, { url }) => {
      await page.goto(`${url}/documents/sale/to-sign`);
      await page.getByRole('link', { name: 'Contract for the sale of 14 Alder Row' }).click();
      await page.getByRole('listitem', { name: 'Page 1 of' }).locator('canvas').waitFor();
      await page.getByRole('checkbox').first().waitFor();
    },
  },
  {
    name: 'payments',
    title: 'Payments',
    caption: 'Payments that are due, and the state of every earlier one.',
    as: 'amelia',
    open: openPath('/payments', 'Due now'),
  },
  {
    name: 'payment-details',
    title: 'Check before you pay',
    caption: 'The purpose, the amount, the recipient and the refund rules of a payment.',
    as: 'amelia',
    open: openDetails,
  },
  {
    name: 'payment',
    title: 'Pay by card',
    caption: 'The card form of the sandbox, which accepts only test cards.',
    as: 'amelia',
    open: openCardForm,
  },
  {
    name: 'payment-declined',
    title: 'A declined card',
    caption: 'The reason, whether the card was charged, and what to do next.',
    as: 'amelia',
    open: async (page, product) => {
      await openCardForm(page, product);
      await payWith(page, '4000 0000 0000 0002');
      await page
        .getByText(/declined this card/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'payment-bank',
    title: 'The bank check',
    caption: '3-D Secure, simulated by the sandbox.',
    as: 'amelia',
    open: async (page, product) => {
      await openCardForm(page, product);
      await payWith(page, '4000 0000 0000 3220');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'receipt',
    title: 'Payment received',
    caption: 'The receipt can be viewed, printed and downloaded.',
    as: 'amelia',
    open: async (page, product) => {
      await openCardForm(page, product, /^Pay £55\.20/);
      await payWith(page, '4242 4242 4242 4242');
      await page.getByRole('heading', { name: /^Payment received/ }).waitFor();
    },
  },
  {
    name: 'pay-by-bank',
    title: 'Choose how to pay',
    caption: 'Where the firm accepts payments by bank, what each method means for the client.',
    as: 'amelia',
    acceptsBank: true,
    scrollTo: 'How would you like to pay?',
    open: choosePayByBank,
  },
  {
    name: 'pay-by-bank-leave',
    title: 'Pay by bank',
    caption: 'What happens at the bank, before the client leaves for it.',
    as: 'amelia',
    acceptsBank: true,
    open: async (page, product) => {
      await choosePayByBank(page, product);
      await confirmDetails(page);
      await page.getByRole('button', { name: 'Continue to your bank' }).waitFor();
    },
  },
  {
    name: 'payment-other',
    title: 'Make another payment',
    caption: 'The purpose and the amount, with the card limits and the way to pay more.',
    as: 'amelia',
    open: openPath('/payment-other', /limit|up to/i),
  },
  {
    name: 'not-found',
    title: 'Page not found',
    caption: 'Every error page leads back to the dashboard.',
    open: openPath('/nowhere', 'Page not found'),
  },
  {
    name: 'maintenance',
    title: 'Maintenance',
    caption: 'Open tabs show this page within five seconds, and return when maintenance ends.',
    open: async (page, { url, keyturn }) => {
      await keyturn('maintenance', 'on', '--until', '2030-01-02 14:00');
      await page.waitForTimeout(2_000);
      await page.goto(`${url}/login`);
      await page.getByText('Service Unavailable').waitFor();
      await page.getByText(/We expect to be back/).waitFor();
    },
  },
];

async function openDetails(page: Page, { url }: Product) {
  await page.goto(url);
  await page
    .getByRole('link', { name: /^Pay £276/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Continue to payment' }).waitFor();
}

async function choosePayByBank(page: Page, product: Product) {
  await openDetails(page, product);
  await page.getByLabel('Pay by bank').check();
}

/** @param pay the link that leads to the payment; an earlier screen may have started the first one */
async function openCardForm(page: Page, product: Product, pay = /^Pay £276|^Continue.*local authority/) {
  await page.goto(product.url);
  await page.getByRole('link', { name: pay }).first().click();
  const form = page.getByLabel('Card number');
  const continueButton = page.getByRole('button', { name: 'Continue to payment' });
  await form.or(continueButton).first().waitFor();
  if (await form.isVisible()) return;
  await confirmDetails(page);
  await form.waitFor();
}

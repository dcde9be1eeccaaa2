import type { Page } from 'playwright-core';
import { findPasswordLink } from './outbox.ts';
import { confirmDetails, payWith } from './pay-by-card.ts';

/** A screen of the demonstration in one of its states. */
export interface Screen {
  name: string;
  title: string;
  says: string;
  /** Signed in as whom. */
  as?: 'amelia' | 'tom' | 'priya' | 'george';
  open(page: Page, product: Product): Promise<void>;
}

interface Product {
  url: string;
  dataDirectory: string;
  keyturn: (...args: string[]) => Promise<unknown>;
}

/** A screen that only has to be gone to. `until`: the words that say that it is there. */
const at =
  (path: string, until: string | RegExp): Screen['open'] =>
  async (page, { url }) => {
    await page.goto(url + path);
    await page.getByText(until).first().waitFor();
  };

/** In their order: a later one may stand on what an earlier one did. */
export const screens: readonly Screen[] = [
  {
    name: 'sign-in',
    title: 'Sign in',
    says: 'What the firm never does stands beside the form.',
    open: at('/login', 'Sign in to your case'),
  },
  {
    name: 'sign-in-refused',
    title: 'Sign in, refused',
    says: 'Wrong email and wrong password get the same answer.',
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
    title: 'A password by email',
    says: 'For a forgotten password, and for the first visit.',
    open: at('/forgot-password', 'Reset your password'),
  },
  {
    name: 'reset-password',
    title: 'Choose a password',
    says: 'Behind the link of the mail, which works once.',
    open: async (page, product) => {
      await page.goto(await findPasswordLink(product, 'george@example.test'));
      await page.getByLabel('New password').waitFor();
    },
  },
  {
    name: 'reset-password-ended',
    title: 'A link that has ended',
    says: 'Used, over, or replaced by a newer one: with the way to another.',
    open: at(`/reset-password/${'a'.repeat(43)}`, 'This link has expired'),
  },
  {
    name: 'home-amelia',
    title: 'The case at a glance',
    says: 'A sale and a purchase, mid-way: where they stand, who holds the next step, and what is wanted.',
    as: 'amelia',
    open: at('/', 'Property searches'),
  },
  {
    name: 'home-priya',
    title: 'A first purchase, just instructed',
    says: 'Little has happened yet, and what is empty says what will appear there.',
    as: 'priya',
    open: at('/', 'Property searches'),
  },
  {
    name: 'home-george',
    title: 'A completed sale',
    says: 'Nothing is wanted any more; the other case is one switch away.',
    as: 'george',
    open: at('/', 'Who to call'),
  },
  {
    name: 'milestones',
    title: 'Milestones',
    says: 'The whole path of each matter, step by step.',
    as: 'amelia',
    open: at('/milestones', 'Exchange'),
  },
  {
    name: 'case-history',
    title: 'Case history',
    says: 'Everything that happened, in days.',
    as: 'george',
    open: at('/case-history', 'Case history'),
  },
  {
    name: 'case-history-table',
    title: 'Case history as a table',
    says: 'To sort, filter, choose columns and export.',
    as: 'george',
    open: async (page, { url }) => {
      await page.getByRole('button', { name: 'Switch case' }).first().click();
      await page
        .getByRole('button', { name: /Sale of/ })
        .first()
        .click();
      await page
        .getByText(/completed/i)
        .first()
        .waitFor();
      await page.goto(`${url}/case-history`);
      await page.getByRole('radio', { name: 'Table' }).check();
      await page.getByRole('grid').getByRole('row').nth(5).waitFor();
    },
  },
  {
    name: 'documents',
    title: 'Documents',
    says: 'Folder by folder, the unread first.',
    as: 'amelia',
    open: at('/documents/purchase/contract', 'Contract'),
  },
  {
    name: 'documents-empty',
    title: 'An empty folder',
    says: 'It says what will be there, and when.',
    as: 'priya',
    open: at('/documents/purchase/mortgage', /mortgage/i),
  },
  {
    name: 'document',
    title: 'A document',
    says: 'Page by page, to zoom, search, download, print and sign.',
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
    says: 'What is due, and what became of every payment.',
    as: 'amelia',
    open: at('/payments', 'Due now'),
  },
  {
    name: 'payment-details',
    title: 'Check before you pay',
    says: 'For what, how much, to whom, and what may be paid back.',
    as: 'amelia',
    open: openDetails,
  },
  { name: 'payment', title: 'Pay by card', says: 'The card form.', as: 'amelia', open: openCardForm },
  {
    name: 'payment-declined',
    title: 'A declined card',
    says: 'Why, whether money moved, and what to do.',
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
    title: 'The bank asks',
    says: '3-D Secure, played by the sandbox.',
    as: 'amelia',
    open: async (page, product) => {
      await openCardForm(page, product);
      await payWith(page, '4000 0000 0000 3220');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'receipt',
    title: 'Paid',
    says: 'With the receipt to view, to print and to download.',
    as: 'amelia',
    open: async (page, product) => {
      await openCardForm(page, product, /^Pay £55\.20/);
      await payWith(page, '4242 4242 4242 4242');
      await page.getByRole('heading', { name: /^Payment received/ }).waitFor();
    },
  },
  {
    name: 'payment-other',
    title: 'Another payment',
    says: 'What for and how much; its limits, and what to do above them.',
    as: 'amelia',
    open: at('/payment-other', /limit|at most|up to/i),
  },
  {
    name: 'not-found',
    title: 'No such page',
    says: 'Every failure has a page with a way on.',
    open: at('/nowhere', 'Page not found'),
  },
  {
    name: 'maintenance',
    title: 'Maintenance',
    says: 'Open tabs follow within five seconds, and open again by themselves.',
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

async function openCardForm(page: Page, product: Product, pay = /^Pay £276/) {
  await page.goto(product.url);
  await page.getByRole('link', { name: pay }).first().click();
  const form = page.getByLabel('Card number');
  const check = page.getByRole('button', { name: 'Continue to payment' });
  await form.or(check).first().waitFor();
  if (await form.isVisible()) return;
  await confirmDetails(page);
  await form.waitFor();
}

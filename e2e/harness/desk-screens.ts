import type { Page } from 'playwright-core';
import { demonstrationPassword } from './api-client.ts';

/** A screen of the desk that the documentation shows. */
export interface DeskScreen {
  name: string;
  title: string;
  caption: string;
  staff: 'rhian.morgan' | 'dana.price';
  open(page: Page, product: { url: string }): Promise<void>;
}

/** The screens of a firm’s first afternoon. */
export const deskScreens: readonly DeskScreen[] = [
  {
    name: 'desk-today',
    title: 'Today, at the desk',
    caption: 'What needs attention, the most urgent first.',
    staff: 'rhian.morgan',
    open: async (page, { url }) => {
      await page.goto(`${url}/desk`);
      await page.getByRole('rowheader').first().waitFor();
    },
  },
  {
    name: 'desk-cases',
    title: 'Cases, at the desk',
    caption: 'Every case of the firm, with the promised update.',
    staff: 'rhian.morgan',
    open: async (page, { url }) => {
      await page.goto(`${url}/desk/cases`);
      await page.getByRole('rowheader').first().waitFor();
    },
  },
  {
    name: 'desk-update',
    title: 'An update to clients',
    caption: 'Next to the case as its client sees it.',
    staff: 'rhian.morgan',
    open: async (page, { url }) => {
      await page.goto(`${url}/desk/cases`);
      await page
        .getByRole('link', { name: /Okafor/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Send an update' }).click();
      await page
        .getByLabel(/^Update for/)
        .fill('The council has confirmed that your search will be ready on Friday.');
      await page.frameLocator('iframe').getByText('What we need from you').waitFor();
    },
  },
  {
    name: 'desk-firm',
    title: 'The firm’s details',
    caption: 'What clients read on their screens, receipts and emails.',
    staff: 'dana.price',
    open: async (page, { url }) => {
      await page.goto(`${url}/desk/settings/firm`);
      await page.getByLabel('Phone number').waitFor();
    },
  },
  {
    name: 'desk-import',
    title: 'Importing cases from a spreadsheet',
    caption: 'The first of four steps.',
    staff: 'dana.price',
    open: async (page, { url }) => {
      await page.goto(`${url}/desk/settings/import`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  },
];

/** Signs in to the desk of a demonstration, whose members need no second factor. */
export async function signInToDesk(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/desk`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor({ state: 'attached' });
}

/**
 * Signs in to the desk of a demonstration without opening a page of it, so that none of its files are fetched. The member
 * must not have a second factor.
 */
export async function storeDeskSignIn(page: Page, url: string, email: string): Promise<void> {
  // Any answer of the desk's origin gives access to its cookies and storage.
  await page.goto(`${url}/api/maintenance`);
  await page.evaluate(
    async (credentials) => {
      const answer = await fetch('/api/staff/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(credentials),
      });
      if (!answer.ok) throw new Error(`sign-in failed: ${answer.status}`);
      localStorage.setItem('keyturn-desk.session', 'started');
    },
    { email, password: demonstrationPassword },
  );
}

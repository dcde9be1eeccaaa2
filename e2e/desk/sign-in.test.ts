import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  colourRules,
  expectNoSidewaysScrolling,
  findAccessibilityViolations,
} from '../harness/accessibility-violations.ts';
import { newContext } from '../harness/browser.ts';
import { readOutbox } from '../harness/outbox.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { addVirtualAuthenticator } from '../harness/virtual-authenticator.ts';

// Here every member needs a second factor, as in production.
const product = withProduct({ KEYTURN_ENVIRONMENT: 'test' });

const deskUrl = () => `${product.url}/desk`;

const email = 'nerys.vaughan@example.test';
const password = 'three brass hinges';

test('a member accepts an invitation, adds a passkey, keeps the recovery codes and signs in again with each of them', async () => {
  await product.keyturn('staff', 'invite', email, '--role', 'admin');
  const context = await newContext(product.browser);
  const page = await context.newPage();
  await addVirtualAuthenticator(context, page);

  await page.goto(`${deskUrl()}/invitation#${await findInvitation()}`);
  await page.getByText(`For ${email}.`).waitFor();
  await expectAccessible(page, 'invitation');
  await page.getByLabel('Your name').fill('Nerys Vaughan');
  await page.getByLabel('Choose a password').fill('password1234');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(/easily guessed|too easy|common/).waitFor();
  await expectAccessible(page, 'invitation with an error');
  await page.getByLabel('Choose a password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.getByRole('heading', { name: 'Protect your sign-in' }).waitFor();
  expect(page.url()).not.toContain('#');
  await expectAccessible(page, 'the choice of a second factor');
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  await expectAccessible(page, 'adding an authenticator app');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('Laptop');
  await expectAccessible(page, 'adding a passkey');
  await page.getByRole('button', { name: 'Create the passkey' }).click();

  await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor();
  const codes = await page
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .allTextContents();
  expect(new Set(codes).size).toBe(10);
  await expectAccessible(page, 'recovery codes');
  await page.getByLabel('I’ve kept my recovery codes').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: /^Nerys Vaughan.*your account/ }).waitFor();

  await signOut(page);
  await expectAccessible(page, 'sign-in');
  await page.goto(`${deskUrl()}/account`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  await page.getByText('Laptop').waitFor();
  await page.getByText('You have 10 codes left.').waitFor();
  await expectAccessible(page, 'the account page');

  await signOut(page);
  const signIn = async (code: string) => {
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByLabel('Code', { exact: true }).fill(code);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await signIn('123456');
  await page.getByText('These details do not match our records.').waitFor();
  await expectAccessible(page, 'sign-in with an error');
  await signIn(codes[0] ?? '');
  await page.getByRole('button', { name: /^Nerys Vaughan.*your account/ }).waitFor();

  await manageStaff(page);
  await context.close();
});

/** Checks the settings page for staff: a change that needs confirmation, ending a session, and keyboard use. */
async function manageStaff(page: Page): Promise<void> {
  await page.goto(`${deskUrl()}/settings/staff`);
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  await row('Nerys Vaughan').waitFor();
  await expectAccessible(page, 'staff');

  // Makes the last confirmation more than five minutes old.
  await page.route('**/api/staff/members', (route) => rejectAsUnconfirmed(route), { times: 1 });
  await page.getByRole('button', { name: 'Invite someone' }).click();
  await page.getByLabel('Email address').fill('owain.rees@example.test');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' });
  await dialog.getByText('fingerprint, face or PIN').waitFor();
  await expectAccessible(page, 'the confirmation');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('owain.rees@example.test is invited.').waitFor();
  await row('owain.rees@example.test').getByText('Case handler').waitFor();

  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await expectAccessible(page, 'the overview of the keys');
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const focused = () => page.evaluate(() => document.activeElement?.querySelector('th')?.textContent);
  expect(await focused()).toContain('Joel Adeyemi');

  await product.keyturn('staff', 'end-sessions', email);
  // The real-time channel closes with the session, so that the page notices by itself.
  await page.getByText('Your session has ended.').waitFor();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await row('Nerys Vaughan').waitFor();
  expect(new URL(page.url()).pathname).toBe('/desk/settings/staff');
}

const rejectAsUnconfirmed = (route: Parameters<Parameters<Page['route']>[1]>[0]) =>
  route.request().method() === 'POST'
    ? route.fulfill({
        status: 403,
        json: { code: 'identity_not_confirmed', message: 'Please confirm that it’s you.' },
      })
    : route.continue();

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Nerys Vaughan.*your account/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in to the desk' }).waitFor();
}

/** Returns the token of the invitation’s link. */
async function findInvitation(): Promise<string> {
  for (const until = Date.now() + 20_000; Date.now() < until; await wait(100)) {
    const mail = readOutbox(product.dataDirectory).findLast((text) => text.includes(email));
    const token = /\/desk\/invitation#([\w-]{43})/.exec(mail ?? '')?.[1];
    if (token) return token;
  }
  throw new Error('no invitation came');
}

async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const [colorScheme, rules] of [
    ['light', {}],
    ['dark', colourRules],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      expect
        .soft(await findAccessibilityViolations(page, rules), `${name}, ${colorScheme}, ${width} px`)
        .toEqual([]);
      await expectNoSidewaysScrolling(page, `${name}, ${width} px,`);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccessibilityViolations } from '../harness/accessibility-violations.ts';
import { demonstrationPassword, sendRequest, signInForToken } from '../harness/api-client.ts';
import { newContext, signInByForm } from '../harness/browser.ts';
import { findPasswordLink, readOutbox } from '../harness/outbox.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { addVirtualAuthenticator } from '../harness/virtual-authenticator.ts';

const product = withProduct();
const email = 'priya@example.test';

/** Passkeys don’t work at an IP address. */
const url = () => product.url.replace('127.0.0.1', 'localhost');

let page: Page;
beforeAll(async () => {
  const context = await newContext(product.browser);
  page = await context.newPage();
  await addVirtualAuthenticator(context, page);
  await signInByForm(page, url(), email);
});
afterAll(() => page?.context().close());

test('a client sees where they are signed in, and signs out another device', async () => {
  const token = await signInForToken(product.url, email);
  await openAccount();
  const devices = page.getByRole('region', { name: 'Where you’re signed in' });
  const own = devices.getByRole('listitem').filter({ hasText: 'This device' });
  await own.getByText('Chrome on Linux').waitFor();
  await own.getByText(/^Signed in today at .* with your password$/).waitFor();
  await expectAccessible('where the client is signed in');
  await devices.getByRole('button', { name: /^Sign out Unknown browser: / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click();
  await devices.getByText('Unknown browser has been signed out.').waitFor();
  await expect.poll(() => devices.getByRole('listitem').count()).toBe(1);
  expect((await sendRequest(product.url, '/client', { token })).status).toBe(401);
  expect(await devices.getByRole('button', { name: 'Sign out all other devices' }).count()).toBe(0);
});

test('a client adds a passkey, keeps the recovery codes, and signs in with the passkey alone', async () => {
  await openAccount();
  await page.getByText('You sign in with your password alone.').waitFor();
  await expectAccessible('the account page');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('Laptop');
  await expectAccessible('adding a passkey');
  await page.getByRole('button', { name: 'Create the passkey' }).click();
  await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor();
  expect(await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').count()).toBe(10);
  await expectAccessible('recovery codes');
  await page.getByLabel('I’ve kept my recovery codes').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('You have 10 codes left.').waitFor();

  await signOut();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL(`${url()}/`);
});

test('a client adds an authenticator app, and signs in with the password and a code', async () => {
  await openAccount();
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  // The client has just signed in, which is not enough to add another factor.
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' });
  await dialog.getByText('fingerprint, face or PIN').waitFor();
  await expectAccessible('the confirmation');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const secret = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? '';
  await page.getByLabel('2. Code that the app shows').fill(codeOf(secret, -30));
  await expectAccessible('adding an authenticator app');
  await page.getByRole('button', { name: 'Add the app' }).click();
  await page.getByText('Added. You can now use it to sign in.').waitFor();
  await expectAccessible('the account page with a passkey and an app');

  await signOut();
  await enterPassword();
  await page.getByRole('heading', { name: 'Confirm that it’s you' }).waitFor();
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('This code is wrong, or was used before.').waitFor();
  await expectAccessible('the second step of signing in, with an error');
  await page.getByLabel('Code').fill(codeOf(secret, 0));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`${url()}/`);
});

test('new recovery codes and a new name ask a client who has just signed in to confirm who they are, once', async () => {
  await openAccount();
  await page.getByRole('button', { name: 'Make new recovery codes' }).click();
  await page.getByRole('button', { name: 'Make new codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' });
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor();
  await page.getByLabel('I’ve kept my recovery codes').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Rename Laptop' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Work laptop');
  await page.getByRole('button', { name: 'Save the name' }).click();
  await page.getByText('It is now called “Work laptop”.').waitFor();
});

test('a client who has lost everything gets back in through the firm, which checks who they are', async () => {
  const staff = await (await newContext(product.browser)).newPage();
  await signInAtDesk(staff);
  await staff.getByRole('button', { name: /Access.*for Priya Raman/ }).click();
  await staff.getByRole('menuitem', { name: 'Reset the sign-in…' }).click();
  await staff.getByRole('button', { name: 'Reset the sign-in' }).click();
  await staff.getByText('Choose how you checked.').first().waitFor();
  expect(await findAccessibilityViolations(staff)).toEqual([]);
  await staff.getByLabel('I called them back').check();
  await staff.getByRole('button', { name: 'Reset the sign-in' }).click();
  await staff.getByText(/sign-in is reset/).waitFor();
  await staff.context().close();

  const chosen = 'three brass hinges and a gate';
  await expect
    .poll(() => readOutbox(product.dataDirectory).join(), { timeout: 10_000 })
    .toContain('Your sign-in was reset');
  await page.goto((await findPasswordLink(product, email)).replace('127.0.0.1', 'localhost'));
  await page.getByLabel('New password').fill(chosen);
  await page.getByRole('button', { name: 'Set my password' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('We couldn’t verify this passkey.').waitFor();
  await enterPassword(chosen);
  await page.waitForURL(`${url()}/`);
  await openAccount();
  await page.getByText('You sign in with your password alone.').waitFor();
});

test('a client changes their email address, which the new one confirms', async () => {
  const newEmail = 'priya.raman@example.test';
  await page.getByRole('button', { name: 'Change the email address' }).click();
  await page.getByLabel('New email address').fill(newEmail);
  await page.getByRole('button', { name: 'Send the link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' });
  await dialog.getByLabel('Your password').fill('three brass hinges and a gate');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText(`Open the link that we sent to ${newEmail}.`).waitFor();
  await expectAccessible('a change of the email address');
  const findLink = () => /\/confirm-email#[\w-]{43}/.exec(readOutbox(product.dataDirectory).join())?.[0];
  await expect.poll(findLink, { timeout: 10_000 }).toBeDefined();
  await page.goto(url() + findLink());
  await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor();
  await expectAccessible('confirming an email address');
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await page.getByRole('heading', { name: 'Your email address has been changed' }).waitFor();
});

async function openAccount(): Promise<void> {
  await page.getByRole('button', { name: /your account/ }).click();
  await page.getByRole('link', { name: 'Your account' }).click();
  await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor();
}

async function signOut(): Promise<void> {
  await page.getByRole('button', { name: /, your account/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL(`${url()}/login*`);
}

async function enterPassword(password = demonstrationPassword): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signInAtDesk(staff: Page): Promise<void> {
  await staff.goto(`${url()}/desk/cases`);
  await staff.getByLabel('Email address').fill('rhian.morgan@example.test');
  await staff.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
  await staff.getByRole('button', { name: 'Sign in', exact: true }).click();
  await staff.getByRole('link', { name: /Raman/ }).first().click();
  await staff.getByRole('link', { name: 'People' }).click();
}

/** Returns the code that an authenticator app shows. @param later seconds from now */
const codeOf = (secret: string, later: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 1_000 });

async function expectAccessible(screen: string): Promise<void> {
  expect(await findAccessibilityViolations(page), screen).toEqual([]);
}

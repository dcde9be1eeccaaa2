import { Secret, TOTP } from 'otpauth';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccessibilityViolations } from '../harness/accessibility-violations.ts';
import { demonstrationPassword, sendRequest, signInForToken } from '../harness/api-client.ts';
import { newContext, signInByForm } from '../harness/browser.ts';
import { findPasswordLink, readOutbox } from '../harness/outbox.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';
import { addVirtualAuthenticator } from '../harness/virtual-authenticator.ts';

const product = withProduct();
const email = 'priya@example.test';

/** Passkeys don’t work at an IP address. */
const url = () => product.url;

let page: Page;
let password = demonstrationPassword;
let recoveryCodes: string[] = [];
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
  await own.getByText(/^Signed in (today|yesterday) at .* with your password$/).waitFor();
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
  expect(await readRecoveryCodes()).toHaveLength(10);
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
  await confirmIdentity();
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

test('new recovery codes ask a client who has just signed in to confirm who they are', async () => {
  await openAccount();
  await page.getByRole('button', { name: 'Make new recovery codes' }).click();
  await page.getByRole('button', { name: 'Make new codes' }).click();
  const dialog = identityDialog(page);
  await dialog.getByText('fingerprint, face or PIN').waitFor();
  await expectAccessible('the confirmation');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor();
  const replaced = recoveryCodes;
  expect((await readRecoveryCodes()).filter((code) => replaced.includes(code))).toEqual([]);
  await page.getByLabel('I’ve kept my recovery codes').check();
  await page.getByRole('button', { name: 'Continue' }).click();
});

test('a client removes their phone number and adds another one, and is emailed about both', async () => {
  const section = page.getByRole('region', { name: 'Phone number' });
  await section.getByText('We call you on 07700 900188.').waitFor();
  await section.getByRole('button', { name: 'Remove the phone number' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await section.getByText('Your phone number has been removed.').waitFor();
  await expectMail('Your phone number was removed');
  await section.getByRole('button', { name: 'Add a phone number' }).click();
  await section.getByLabel('New phone number').fill('call me');
  await section.getByRole('button', { name: 'Save the number' }).click();
  await section.getByText('Enter one phone number, for example').waitFor();
  await expectAccessible('a phone number with an error');
  await section.getByLabel('New phone number').fill('+44 (0)7700 900456');
  await section.getByRole('button', { name: 'Save the number' }).click();
  await section.getByText('We call you on 07700 900456.').waitFor();
  expect(await expectMail('A phone number was added')).not.toContain('900456');
});

test('a client renames their authenticator app and changes their password, and the old password no longer works', async () => {
  await openAccount();
  await page.getByRole('button', { name: /^Rename (?!Laptop)/ }).click();
  await page.getByLabel('Name', { exact: true }).fill('Old phone');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Renamed to “Old phone”.').waitFor();
  await page.getByLabel('Current password').fill(password);
  const former = password;
  password = 'seven otters in a brass lantern';
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password is changed.').waitFor();
  await expectMail('Your password was changed');
  const rejected = await sendRequest(product.url, '/login', { body: { email, password: former } });
  expect(rejected.status).toBe(401);
});

test('a client on a new device signs in and confirms with recovery codes, is emailed about it, and signs out a lost phone', async () => {
  await endQuietTime();
  const before = countMails('New sign-in to your account');
  const device = await (await newContext(product.browser)).newPage();
  await device.goto(`${url()}/login`);
  await enterPassword(device);
  await device.getByLabel('Code').fill(takeRecoveryCode());
  await device.getByRole('button', { name: 'Sign in', exact: true }).click();
  await device.waitForURL(`${url()}/`);
  expect(await expectMail('New sign-in to your account', before)).toContain('Chrome on Linux');
  await expectMail('A recovery code was used');

  await openAccount(device);
  await device.getByRole('button', { name: 'Sign out all other devices' }).click();
  await device.getByRole('button', { name: 'Sign out', exact: true }).click();
  await device.getByText('We’ve signed out all your other devices.').waitFor();
  await page.goto(`${url()}/account`);
  await page.waitForURL(`${url()}/login*`);

  await device.getByRole('button', { name: 'Remove Old phone' }).click();
  await device.getByRole('button', { name: 'Remove', exact: true }).click();
  const dialog = identityDialog(device);
  await dialog.getByRole('button', { name: 'Use a code instead' }).click();
  await dialog.getByLabel('Code').fill(takeRecoveryCode());
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await device.getByText('“Old phone” has been removed.').waitFor();
  await device.getByText('You have 8 codes left.').waitFor();
  await expectMail('An authenticator app was removed');
  await device.context().close();
});

/** The client’s only device after they have lost everything. */
let onlyDevice: Page;

test('a client who has lost phone, passkey and password gets back in through the firm, and nothing that was lost works', async () => {
  const staff = await (await newContext(product.browser)).newPage();
  await signInAtDesk(staff);
  await staff.getByText(/^Don’t call the new number .* The number on file is 07700 900188\.$/).waitFor();
  await staff.getByRole('button', { name: /Access.*for Priya Raman/ }).click();
  await staff.getByRole('menuitem', { name: 'Reset the sign-in…' }).click();
  await staff.getByRole('button', { name: 'Reset the sign-in' }).click();
  await staff.getByText('Choose how you checked.').first().waitFor();
  expect(await findAccessibilityViolations(staff)).toEqual([]);
  const hint =
    'On 07700 900188, with questions only they can answer. Don’t use 07700 900456: it was changed less than seven days ago.';
  await staff.getByText(hint).waitFor();
  await staff.getByLabel('I called them back').check();
  await staff.getByRole('button', { name: 'Reset the sign-in' }).click();
  await staff.getByText(/sign-in is reset/).waitFor();
  await staff.context().close();

  onlyDevice = await (await newContext(product.browser)).newPage();
  const lost = password;
  password = 'three brass hinges and a gate';
  await expectMail('Your sign-in was reset');
  await onlyDevice.goto(await findPasswordLink(product, email));
  await onlyDevice.getByLabel('New password').fill(password);
  await onlyDevice.getByRole('button', { name: 'Set my password' }).click();
  await onlyDevice.getByRole('link', { name: 'Sign in' }).click();
  await enterPassword(onlyDevice, lost);
  await onlyDevice.getByText('These credentials do not match our records.').first().waitFor();
  // The finder of the laptop has the passkey, the old password and the recovery codes.
  await page.goto(`${url()}/login`);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('We couldn’t verify this passkey.').waitFor();
  const found = { email, password: lost, code: takeRecoveryCode() };
  expect((await sendRequest(product.url, '/login', { body: found })).status).toBe(401);

  await endQuietTime();
  const mailsBefore = countMails('New sign-in to your account');
  await enterPassword(onlyDevice);
  await onlyDevice.waitForURL(`${url()}/`);
  await expectMail('New sign-in to your account', mailsBefore);
  await openAccount(onlyDevice);
  await onlyDevice.getByText('You sign in with your password alone.').waitFor();
});

test('a client changes their email address once both addresses have confirmed it', async () => {
  page = onlyDevice;
  const newEmail = 'priya.raman@example.test';
  await page.getByRole('button', { name: 'Change the email address' }).click();
  await page.getByText(`We’ll send a link there and another to ${email}. Open both to confirm`).waitFor();
  await page.getByLabel('New email address').fill(newEmail);
  await page.getByRole('button', { name: 'Send the links' }).click();
  await confirmIdentity();
  await page.getByText(`Open the links that we sent to ${newEmail} and ${email}.`).waitFor();
  await expectAccessible('a change of the email address');
  const findLink = (name: string) => () =>
    new RegExp(`/${name}#[\\w-]{43}`).exec(readOutbox(product.dataDirectory).join())?.[0];
  for (const name of ['review-email-change', 'confirm-email'])
    await expect.poll(findLink(name), { timeout: 10_000 }).toBeDefined();

  await page.goto(url() + findLink('review-email-change')());
  await page.getByRole('heading', { name: 'Did you ask to change your email address?' }).waitFor();
  await page.getByRole('button', { name: 'Stop or undo the change' }).waitFor();
  await expectAccessible('confirming a change at the former address');
  await page.getByRole('button', { name: 'Yes, it was me' }).click();
  await page.getByText('Now open the link that we sent to your new address.').waitFor();
  await page.goto(`${url()}/account`);
  await page.getByText(`Now open the link that we sent to ${newEmail}.`).waitFor();

  await page.goto(url() + findLink('confirm-email')());
  await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor();
  await expectAccessible('confirming an email address');
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await page.getByRole('heading', { name: 'Your email address has been changed' }).waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await enterPassword(page, password, newEmail);
  await page.waitForURL(`${url()}/`);
});

test('the former address undoes a change of the email address, and the client is asked to call the firm', async () => {
  const link = /\/review-email-change#[\w-]{43}/.exec(readOutbox(product.dataDirectory).join())?.[0];
  await page.goto(url() + link);
  await page.getByRole('button', { name: 'Stop or undo the change' }).click();
  await page.getByRole('heading', { name: 'The change has been undone' }).waitFor();
  await page.getByText('Please call us now').waitFor();
  await expectAccessible('an undone change of the email address');
  expect((await sendRequest(product.url, '/login', { body: { email, password } })).status).toBe(401);
});

const identityDialog = (on: Page): Locator => on.getByRole('dialog', { name: 'Confirm that it’s you' });

/** Confirms who the client is, with the passkey or the password. */
async function confirmIdentity(): Promise<void> {
  const dialog = identityDialog(page);
  await dialog.waitFor();
  const field = dialog.getByLabel('Your password', { exact: true });
  if (await field.isVisible()) await field.fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

async function readRecoveryCodes(): Promise<string[]> {
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  recoveryCodes = await codes.allTextContents();
  return recoveryCodes;
}

function takeRecoveryCode(): string {
  const code = recoveryCodes.pop();
  if (code === undefined) throw new Error('no recovery code is left');
  return code;
}

/** Ends the ten minutes in which a client gets at most one more email about the same thing. */
async function endQuietTime() {
  const database = await connectToProductDatabase(product.dataDirectory);
  await database.query('delete from login_failures');
  await database.end();
}

const countMails = (subject: string): number =>
  readOutbox(product.dataDirectory).filter((mail) => mail.includes(`Subject: ${subject}`)).length;

/** Waits for an email to the client. @param before how many with this subject were sent earlier. @returns the latest one */
async function expectMail(subject: string, before = 0): Promise<string> {
  await expect.poll(() => countMails(subject), { timeout: 10_000 }).toBeGreaterThan(before);
  const mails = readOutbox(product.dataDirectory);
  return mails.findLast((mail) => mail.includes(`Subject: ${subject}`)) ?? '';
}

async function openAccount(on = page): Promise<void> {
  await on.getByRole('button', { name: /your account/ }).click();
  await on.getByRole('link', { name: 'Your account' }).click();
  await on.getByRole('heading', { name: 'Your account', level: 1 }).waitFor();
}

async function signOut(): Promise<void> {
  await page.getByRole('button', { name: /, your account/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL(`${url()}/login*`);
}

async function enterPassword(on = page, entered = password, address = email): Promise<void> {
  await on.getByLabel('Email address').fill(address);
  await on.getByLabel('Password', { exact: true }).fill(entered);
  await on.getByRole('button', { name: 'Sign in', exact: true }).click();
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

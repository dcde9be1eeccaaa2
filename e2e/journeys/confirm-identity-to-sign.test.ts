import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findAccessibilityViolations } from '../harness/accessibility-violations.ts';
import { demonstrationPassword } from '../harness/api-client.ts';
import { newContext, signIn } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { addVirtualAuthenticator } from '../harness/virtual-authenticator.ts';

const product = withProduct();

test('clients confirm with the password or a passkey to sign a contract, and keep what they entered', async () => {
  // Passkeys don’t work at an IP address.
  const url = product.url;
  const title = 'Contract for the sale of 14 Alder Row';
  const openContract = async (page: Page, name: string) => {
    await page.goto(`${url}/documents/sale/to-sign`);
    await page.getByRole('link', { name: title }).click();
    await page.getByText('When you sign, we’ll ask you to confirm that it’s you').waitFor();
    await page.getByLabel('Your full name').fill(name);
    await page.getByLabel(/I’ve read this document/).check();
    await page.getByRole('button', { name: /^Sign the contract/ }).click();
    return page.getByRole('dialog', { name: 'Confirm that it’s you' });
  };

  const ownContext = await newContext(product.browser);
  const amelia = await ownContext.newPage();
  await signIn(amelia, url, 'amelia@example.test');
  const dialog = await openContract(amelia, 'Amelia Okafor');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await amelia.getByRole('alert').getByText('Please confirm that it’s you').waitFor();
  expect(await amelia.getByLabel('Your full name').inputValue()).toBe('Amelia Okafor');
  expect(await amelia.getByLabel(/I’ve read this document/).isChecked()).toBe(true);
  await amelia.getByRole('button', { name: /^Sign the contract/ }).click();
  await dialog.getByLabel('Your password').fill('not the password');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByText('This password or code is wrong.').waitFor();
  expect(await findAccessibilityViolations(amelia)).toEqual([]);
  await dialog.getByLabel('Your password').fill(demonstrationPassword);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await amelia.getByRole('heading', { name: 'You’ve signed this document' }).waitFor();
  await ownContext.close();

  const jointContext = await newContext(product.browser);
  const tom = await jointContext.newPage();
  await addVirtualAuthenticator(jointContext, tom);
  await signIn(tom, url, 'tom@example.test', '/account');
  await tom.getByRole('button', { name: 'Add a passkey' }).click();
  await tom.getByLabel('Name of the passkey').fill('Phone');
  await tom.getByRole('button', { name: 'Create the passkey' }).click();
  await tom.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor();
  const passkeyDialog = await openContract(tom, 'Tom Okafor');
  await passkeyDialog.getByText('fingerprint, face or PIN').waitFor();
  await passkeyDialog.getByRole('button', { name: 'Confirm' }).click();
  await tom.getByRole('heading', { name: 'You’ve signed this document' }).waitFor();
  await jointContext.close();
});

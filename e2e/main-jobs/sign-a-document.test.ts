import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { collectPageErrors, confirmIdentity, newContext, signIn } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

test('lets a client find, read and sign a document, then asks the joint client to sign it', async () => {
  const context = await newContext(product.browser, { viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  await signIn(page, product.url, 'amelia@example.test', '/documents/purchase/searches');
  await page.getByLabel('Search all your documents').fill('ALDER contract');
  await page.getByText('1 document found in all your folders').waitFor();
  await expectUnread(page, true);
  await page.getByRole('link', { name: 'Contract for the sale of 14 Alder Row' }).click();

  // The viewer draws the page, zooms and finds text in it.
  await page.getByRole('listitem', { name: 'Page 1 of' }).locator('canvas').waitFor();
  await page.getByRole('button', { name: 'More controls' }).click();
  await page.getByRole('region', { name: /^Document: / }).focus();
  const size = () =>
    page
      .getByRole('status')
      .filter({ hasText: /^Zoom / })
      .textContent();
  const initialSize = await size();
  await page.keyboard.press('+');
  await expect.poll(size).not.toBe(initialSize);
  await page.keyboard.press('0');
  await expect.poll(size).toBe(initialSize);
  await page.keyboard.press('Control+f');
  await page.getByRole('searchbox', { name: 'Find' }).fill('STAKEHOLDER');
  await page.getByText(/^1 of \d+$/).waitFor();
  await page.keyboard.press('Escape');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('okafor-sale-contract.pdf');
  expect(
    readFileSync(await download.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');

  await page.getByText(/PDF, 2 pages/).waitFor();

  // Signing needs a name and consent, and a double click signs only once.
  const sign = page.getByRole('button', { name: 'Sign the contract for the sale of 14 Alder Row' });
  await sign.click();
  await page.getByRole('alert').getByText('Type your full name.').waitFor();
  await page.getByLabel('Your full name').fill('Amelia Okafor');
  await page.getByLabel(/I’ve read this document/).check();
  let signed = 0;
  page.on('response', (response) => {
    if (response.url().endsWith('/signature') && response.ok()) signed += 1;
  });
  await sign.dblclick();
  await confirmIdentity(page);
  await page.getByRole('heading', { name: 'You’ve signed this document' }).waitFor();
  await page.getByText('Waiting for Tom Okafor.').waitFor();
  const [copy] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the signed document (PDF)' }).click(),
  ]);
  await page.getByText(/PDF, 3 pages/).waitFor();
  expect(copy.suggestedFilename()).toBe('okafor-sale-contract (signed).pdf');
  expect(signed).toBe(1);

  await page.goto(`${product.url}/documents/sale/to-sign`);
  await page.getByText('Signed by you').waitFor();
  await expectUnread(page, false);
  // The server asks for the confirmation by refusing the first attempt.
  expect(pageErrors).toEqual([expect.stringMatching(/403 .*\/signature\)$/)]);
  await context.close();

  const tomsContext = await newContext(product.browser);
  const tomsPage = await tomsContext.newPage();
  await signIn(tomsPage, product.url, 'tom@example.test');
  await tomsPage.goto(`${product.url}/documents/sale/to-sign`);
  await tomsPage.getByRole('link', { name: 'Contract for the sale of 14 Alder Row' }).click();
  await tomsPage.getByRole('heading', { name: 'Sign this document' }).waitFor();
  await tomsContext.close();
});

async function expectUnread(page: Page, isUnread: boolean) {
  const row = page.getByRole('listitem').filter({ hasText: 'Contract for the sale of 14 Alder Row' });
  await row.getByText(isUnread ? 'Unread' : /^Read /).waitFor();
}

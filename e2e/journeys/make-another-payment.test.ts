import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { collectPageErrors, signIn } from '../harness/browser.ts';
import { payWith } from '../harness/pay-by-card.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

async function openAs(email: string): Promise<{ page: Page; context: BrowserContext; pageErrors: string[] }> {
  const context = await product.browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/London' });
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  await signIn(page, product.url, email);
  return { page, context, pageErrors };
}

/** Goes from the payments page to the card form for an amount on account. */
async function enterPayment(page: Page, amount: string) {
  await page.goto(`${product.url}/payments`);
  await page.getByRole('link', { name: 'Make another payment' }).click();
  await page.getByLabel('Money on account').check();
  await page.getByLabel('Amount in pounds').fill(amount);
  await page.getByRole('button', { name: 'Check this payment' }).click();
  await page.waitForURL('**/payment-details');
  expect(await page.getByLabel(/Please order now/).count()).toBe(0);
  await page.getByLabel(/Yes, mine/).check();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByLabel('Card number').waitFor();
}

/** Counts the rows of the payments page that contain the words. */
const countRows = async (page: Page, words: RegExp) => {
  await page.goto(`${product.url}/payments`);
  await page.getByText('Paid in total').waitFor();
  return page.getByRole('listitem').filter({ hasText: words }).count();
};

describe('a payment that is not for a search', () => {
  test('keeps a payment on account as one payment across a reload and a second tab, and issues a receipt after bank approval', async () => {
    const { page, context, pageErrors } = await openAs('amelia@example.test');
    await enterPayment(page, '£1,250.50');
    await page.reload();
    await page.getByLabel('Card number').waitFor();
    const secondTab = await context.newPage();
    await secondTab.goto(`${product.url}/payment`);
    await secondTab.getByLabel('Card number').waitFor();
    await payWith(page, '4000 0000 0000 3220');
    await secondTab.getByRole('heading', { name: 'You are paying for this on another page' }).waitFor();
    await secondTab.getByRole('button', { name: 'Continue here' }).waitFor();
    await page.getByRole('button', { name: /Yes, approve £1,250\.50/ }).click();
    const receipt = { name: 'Payment received: £1,250.50' };
    await page.getByRole('heading', receipt).waitFor();
    await secondTab.getByRole('heading', receipt).waitFor();
    await page.reload();
    await page.getByRole('heading', receipt).waitFor();

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download receipt (PDF)' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^Receipt R-.+\.pdf$/);
    expect(
      readFileSync(await download.path())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');

    expect(await countRows(page, /£1,250\.50/)).toBe(1);
    await page.goto(`${product.url}/payment`);
    await page.getByRole('heading', { name: 'What would you like to pay for?' }).waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('cancels a payment on account only after confirmation and removes it from the list', async () => {
    const { page, context, pageErrors } = await openAs('amelia@example.test');
    await enterPayment(page, '41');
    await page.getByRole('button', { name: 'Cancel this payment' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect(await countRows(page, /£41\.00/)).toBe(1);
    await page.getByRole('button', { name: /^Continue with £41\.00/ }).click();
    await page.getByLabel('Card number').waitFor();
    await page.getByRole('button', { name: 'Cancel this payment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel this payment' }).click();
    await page.getByRole('heading', { name: 'This payment is cancelled' }).waitFor();
    expect(await countRows(page, /£41\.00/)).toBe(0);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('leaves one open payment when the joint owner continues a payment that the other one started', async () => {
    const amelia = await openAs('amelia@example.test');
    await enterPayment(amelia.page, '73');
    const tom = await openAs('tom@example.test');
    await tom.page.goto(`${product.url}/payments`);
    await tom.page.getByRole('button', { name: /^Continue with £73\.00/ }).click();
    await tom.page.waitForURL('**/payment-details');
    await amelia.page.getByRole('heading', { name: 'This payment is cancelled' }).waitFor();
    await tom.page.getByLabel(/Yes, mine/).check();
    await tom.page.getByRole('button', { name: 'Continue to payment' }).click();
    await tom.page.getByLabel('Card number').waitFor();
    await payWith(tom.page, '4242 4242 4242 4242');
    await tom.page.getByRole('heading', { name: 'Payment received: £73.00' }).waitFor();
    expect(await countRows(amelia.page, /£73\.00/)).toBe(1);
    await amelia.context.close();
    await tom.context.close();
  });

  test('explains how to pay an amount above the card limit by bank transfer', async () => {
    const { page, context } = await openAs('priya@example.test');
    await page.goto(`${product.url}/payment-other?amount=600000&for=Deposit`);
    expect(await page.getByLabel('Amount in pounds').inputValue()).toBe('6,000.00');
    expect(await page.getByLabel(/Reference/).inputValue()).toBe('Deposit');
    await page.getByLabel('Money on account').check();
    await page.getByRole('button', { name: 'Check this payment' }).click();
    await page
      .getByRole('alert')
      .getByText(/£5,000\.00.*bank transfer/)
      .waitFor();
    await page.getByText(/confirm the bank details by phone/).waitFor();
    await context.close();
  });
});

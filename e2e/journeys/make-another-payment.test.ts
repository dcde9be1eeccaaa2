import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { collectPageErrors, newContext, storeSignIn } from '../harness/browser.ts';
import { payWith } from '../harness/pay-by-card.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

async function openAs(email: string): Promise<{ page: Page; context: BrowserContext; pageErrors: string[] }> {
  const context = await newContext(product.browser, { timezoneId: 'Europe/London' });
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  await storeSignIn(page, product.url, email);
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
  expect(await page.getByLabel(/Please order/).count()).toBe(0);
  await page.getByLabel(/^Yes, /).check();
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

  test('pays a bill in full, limits the payment to the remaining amount, and then shows nothing left to pay', async () => {
    const { page, context, pageErrors } = await openAs('george@example.test');
    await page.goto(`${product.url}/payment-other`);
    await page.getByLabel('Legal fees').check();
    await page.getByLabel(/^Bill 26398-1: £594\.00 to pay/).check();
    const amount = page.getByLabel('Amount in pounds');
    expect(await amount.inputValue()).toBe('594.00');
    await amount.fill('594.01');
    await page.getByRole('button', { name: 'Check this payment' }).click();
    await page.getByRole('link', { name: 'Only £594.00 of this bill is left to pay.' }).waitFor();
    await amount.fill('594');
    await page.getByRole('button', { name: 'Check this payment' }).click();
    await page.getByRole('heading', { name: 'Bill 26398-1' }).waitFor();
    await page.getByLabel(/^Yes, /).check();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await payWith(page, '4242 4242 4242 4242');
    await page.getByRole('heading', { name: 'Payment received: £594.00' }).waitFor();
    await page.goto(`${product.url}/payment-other`);
    await page.getByLabel('Legal fees').check();
    await page.getByLabel(/^Bill 26398-0: £150\.00 to pay/).waitFor();
    await expect.poll(() => page.getByLabel(/^Bill 26398-1/).count()).toBe(0);
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

  test('asks a joint client before replacing the other client’s payment, and informs the other client', async () => {
    const amelia = await openAs('amelia@example.test');
    await enterPayment(amelia.page, '73');
    const tom = await openAs('tom@example.test');
    await tom.page.goto(`${product.url}/payments`);
    await tom.page.getByText(/^Amelia started this/).waitFor();
    expect(await tom.page.getByRole('button', { name: /^Continue with £73\.00/ }).count()).toBe(0);
    const payInstead = tom.page.getByRole('button', { name: /^Pay it yourself instead of £73\.00/ });
    const dialog = tom.page.getByRole('dialog', { name: 'Stop Amelia’s payment?' });
    await payInstead.click();
    await dialog.getByRole('button', { name: 'Leave it to Amelia' }).click();
    expect(await amelia.page.getByLabel('Card number').isVisible()).toBe(true);
    await payInstead.click();
    // A live update must remove the dialog before the response to the cancellation arrives. The server excludes the
    // sender’s connection from updates, so the test removes its id from the request.
    await tom.page.route('**/api/payments/*/cancel', async (route) => {
      const { 'x-socket-id': _ownConnection, ...headers } = await route.request().allHeaders();
      const response = await route.fetch({ headers });
      await dialog.waitFor({ state: 'hidden' });
      await route.fulfill({ response });
    });
    await dialog.getByRole('button', { name: 'Cancel Amelia’s payment' }).click();
    await tom.page.waitForURL('**/payment-details');
    await amelia.page.getByRole('heading', { name: 'Tom cancelled this payment' }).waitFor();
    await tom.page.getByLabel(/^Yes, /).check();
    await tom.page.getByRole('button', { name: 'Continue to payment' }).click();
    await tom.page.getByLabel('Card number').waitFor();
    // The money of this card clears at once.
    await payWith(tom.page, '4000 0037 2000 0278');
    await tom.page.getByRole('heading', { name: 'Payment received: £73.00' }).waitFor();
    await tom.page
      .getByText(/^Cleared on .* It is paid into our client account with the next payout\./)
      .waitFor();
    expect(await countRows(amelia.page, /£73\.00/)).toBe(2);
    await amelia.page.getByText('Cancelled by Tom, nothing charged').waitFor();
    // Entering the same details again starts a new payment, not the cancelled one.
    await enterPayment(amelia.page, '73');
    await amelia.page.getByText('Use your own card.').waitFor();
    await amelia.context.close();
    await tom.context.close();
  });

  test('continues the client’s own payment on another device without cancelling it', async () => {
    const phone = await openAs('amelia@example.test');
    await enterPayment(phone.page, '58');
    const laptop = await openAs('amelia@example.test');
    await laptop.page.goto(`${product.url}/payments`);
    await laptop.page.getByRole('button', { name: /^Continue with £58\.00/ }).click();
    await laptop.page.getByText('Use your own card.').waitFor();
    expect(await phone.page.getByLabel('Card number').isVisible()).toBe(true);
    await payWith(laptop.page, '4242 4242 4242 4242');
    const receipt = { name: 'Payment received: £58.00' };
    await laptop.page.getByRole('heading', receipt).waitFor();
    await phone.page.getByRole('heading', receipt).waitFor();
    await phone.page.getByText(/^We expect the money to clear by .* with the next payout\./).waitFor();
    expect(await countRows(phone.page, /£58\.00/)).toBe(1);
    await phone.context.close();
    await laptop.context.close();
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

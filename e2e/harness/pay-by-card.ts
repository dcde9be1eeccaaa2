import type { Page } from 'playwright-core';

/** Answers the questions before a payment, without continuing to it. */
export async function answerDetails(page: Page): Promise<void> {
  await page.getByLabel(/^Yes, /).check();
  await page.getByLabel(/Please order/).check();
}

/** Confirms that the card is the client's own and that the search is to be ordered now. */
export async function confirmDetails(page: Page): Promise<void> {
  await answerDetails(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
}

/** @param number a sandbox card; by default the one that pays at once */
export async function fillCard(page: Page, number = '4242 4242 4242 4242'): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry date').fill('12 30');
  await page.getByLabel('Security code').fill('123');
}

/** Enters a sandbox card and presses Pay. */
export async function payWith(page: Page, number?: string): Promise<void> {
  await fillCard(page, number);
  await page.getByRole('button', { name: /^Pay £/ }).click();
}

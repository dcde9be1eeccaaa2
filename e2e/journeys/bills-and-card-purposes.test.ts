import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { payWith } from '../harness/pay-by-card.ts';
import { type ProductAndBrowser, withProduct } from '../harness/product-and-browser.ts';

/** George has a bill of £150.00 that is due, and one of £594.00 that is due on completion. */
async function openAsGeorge(product: ProductAndBrowser) {
  const context = await newContext(product.browser, { timezoneId: 'Europe/London' });
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  await signIn(page, product.url, 'george@example.test');
  return { page, context, pageErrors };
}

const rowOf = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

describe('bills', () => {
  const product = withProduct();

  test('due bills are tasks and listed as due now, others as due later, until they are paid', async () => {
    const { page, context, pageErrors } = await openAsGeorge(product);
    const task = rowOf(page, 'Pay our bill 26398-0');
    await task.waitFor();
    await rowOf(page, 'Pay our bill 26398-1').waitFor({ state: 'detached' });
    expect(await page.getByText('Due now').locator('..').textContent()).toContain('£150.00');
    expect(await page.getByText('Due later').locator('..').textContent()).toContain('£594.00');

    await page.goto(`${product.url}/payments`);
    await page.getByRole('heading', { name: 'Due now: £150.00' }).waitFor();
    await page.getByRole('heading', { name: 'Due later: £594.00' }).waitFor();
    expect(await rowOf(page, 'Our bill 26398-1: £594.00').textContent()).toMatch(
      /Due on completion, planned for \w+ \d+ \w+ \d{4}/,
    );

    await page.getByRole('link', { name: 'Pay £150.00 for Pay our bill 26398-0' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pay our bill 26398-0' }).waitFor();
    expect(await page.getByLabel('Amount in pounds').inputValue()).toBe('150.00');
    await page.getByRole('button', { name: 'Check this payment' }).click();
    await page.getByLabel(/^Yes, /).check();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByLabel('Card number').waitFor();
    await page.goto(`${product.url}/payments`);
    await rowOf(page, 'A payment towards this bill has been started.').waitFor();
    await page.getByRole('button', { name: /^Continue with £150\.00/ }).click();
    await payWith(page, '4242 4242 4242 4242');
    await page.getByRole('heading', { name: 'Payment received: £150.00' }).waitFor();
    await page.goto(product.url);
    await page.getByText('You don’t need to do anything at the moment.').waitFor();
    expect(await page.getByText('Due now').locator('..').textContent()).toContain('£0.00');
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

describe('a firm that accepts cards for searches only', () => {
  const product = withProduct({ KEYTURN_CARD_PURPOSES: 'search' });

  test('shows a client the amount due for bills and the number to call, and opens no card form', async () => {
    const { page, context, pageErrors } = await openAsGeorge(product);
    const task = rowOf(page, 'Pay our bill 26398-0');
    await task.getByText('£150.00 to pay. We don’t accept cards for this.').waitFor();
    expect(await task.getByRole('link', { name: /^Call / }).count()).toBe(1);
    await page.goto(`${product.url}/payments`);
    await page.getByRole('heading', { name: 'Due now: £150.00' }).waitFor();
    await rowOf(page, '£150.00 to pay. We don’t accept cards for this.').waitFor();
    expect(await page.getByRole('link', { name: /^Pay / }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Make another payment' }).count()).toBe(0);
    await page.goto(`${product.url}/payment-other`);
    await page.getByText('You can’t pay by card here at the moment.').waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

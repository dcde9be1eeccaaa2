import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findAccessibilityViolations } from '../harness/accessibility-violations.ts';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct({ KEYTURN_BANK_PURPOSES: 'search,money_on_account' });

async function openAs(email: string) {
  const context = await newContext(product.browser, { timezoneId: 'Europe/London' });
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  await signIn(page, product.url, email);
  return { page, context, pageErrors };
}

/** Goes from the home page to the screen from which the client leaves for their bank. */
async function choosePayByBank(page: Page, words: RegExp) {
  await page
    .getByRole('button', { name: words })
    .or(page.getByRole('link', { name: words }))
    .first()
    .click();
  await page.waitForURL('**/payment-details');
  await page.getByLabel('Pay by bank').check();
  await page.getByText(/^You can’t reverse a payment by bank with a chargeback/).waitFor();
  await page.getByLabel(/^Yes, /).check();
  await page.getByLabel(/^Please order/).check();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('heading', { name: 'Pay by bank' }).waitFor();
}

const goToBank = async (page: Page) => {
  await page.getByRole('button', { name: 'Continue to your bank' }).click();
  await page.getByRole('heading', { name: 'Approve this payment' }).waitFor();
};

const payLocal = /^Pay £276\.00.*local authority/i;
const payDrainage = /^Pay £55\.20.*drainage/i;

describe('paying by bank', () => {
  test('shows each state to both owners, and blocks another payment until the money has arrived', async () => {
    const amelia = await openAs('amelia@example.test');
    const tom = await openAs('tom@example.test');
    await choosePayByBank(amelia.page, payLocal);
    expect(await findAccessibilityViolations(amelia.page)).toEqual([]);
    await goToBank(amelia.page);
    expect(await findAccessibilityViolations(amelia.page)).toEqual([]);
    await tom.page.goto(`${product.url}/payments`);
    await tom.page
      .getByText(/^Amelia still has to confirm this payment with the bank/)
      .first()
      .waitFor();
    await amelia.page.getByRole('button', { name: 'Approve', exact: true }).click();
    await amelia.page.getByRole('heading', { name: 'We’re waiting for the money' }).waitFor();
    await amelia.page.getByText('Your bank has approved this payment.').waitFor();
    expect(await amelia.page.getByRole('button', { name: /cancel/i }).count()).toBe(0);
    await tom.page.getByText('The bank approved it. We’re waiting for the money').first().waitFor();
    expect(await tom.page.getByRole('button', { name: /^Pay £276\.00/ }).count()).toBe(0);
    await amelia.page.getByRole('heading', { name: 'Payment received: £276.00' }).waitFor();
    await amelia.page.getByText('Pay by bank, from the payer’s own account').waitFor();
    await tom.page.getByText('by bank', { exact: false }).first().waitFor();
    expect([...amelia.pageErrors, ...tom.pageErrors]).toEqual([]);
    await amelia.context.close();
    await tom.context.close();
  });

  test('lets the client continue after leaving the bank’s page, after a refusal, and after money that never arrived', async () => {
    const { page, context, pageErrors } = await openAs('amelia@example.test');
    await choosePayByBank(page, payDrainage);
    await goToBank(page);
    // The client goes back without approving or refusing.
    await page.goBack();
    await page.getByRole('heading', { name: 'Approve it at your bank' }).waitFor();
    // Another tab finds the same payment.
    const other = await context.newPage();
    await other.goto(`${product.url}/payments`);
    await other
      .getByText(/^Your bank needs you to confirm this payment/)
      .first()
      .waitFor();
    await other.close();
    await goToBank(page);
    await page.getByRole('button', { name: 'Cancel and go back' }).click();
    await page.getByRole('alert').filter({ hasText: 'You stopped the payment at your bank.' }).waitFor();
    await goToBank(page);
    await page.getByRole('button', { name: 'The bank refuses the payment' }).click();
    await page.getByRole('alert').filter({ hasText: 'Your bank didn’t approve this payment.' }).waitFor();
    await goToBank(page);
    await page.getByRole('button', { name: 'Approve, but the money never arrives' }).click();
    await page.getByRole('heading', { name: 'We’re waiting for the money' }).waitFor();
    await page
      .getByRole('alert')
      .filter({ hasText: 'Your bank didn’t complete this payment.' })
      .filter({ hasText: 'We have not received any money.' })
      .waitFor();
    // The reason is still shown after a reload, and so in another tab.
    await page.reload();
    await page.getByText('Your bank didn’t complete this payment.').waitFor();
    await page.getByRole('link', { name: 'Choose another way to pay' }).click();
    await page.getByLabel('Card', { exact: true }).check();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('heading', { name: 'Pay by card' }).waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('paying by bank is the only way to pay an amount above the card limit', async () => {
    const { page, context, pageErrors } = await openAs('amelia@example.test');
    await page.goto(`${product.url}/payment-other`);
    await page.getByLabel(/^Money on account/).check();
    await page.getByLabel('Amount in pounds').fill('9000');
    await page.getByRole('button', { name: 'Check this payment' }).click();
    await page.getByText('You pay this by bank.').waitFor();
    expect(await page.getByLabel('Card', { exact: true }).count()).toBe(0);
    await page.getByLabel(/^No, someone else/).check();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page
      .getByText(/You can only pay by bank from your own account/)
      .first()
      .waitFor();
    await page.getByLabel(/^Yes, /).check();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('button', { name: 'Continue to your bank' }).waitFor();
    expect(await page.getByRole('link', { name: 'Choose another way to pay' }).count()).toBe(0);
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

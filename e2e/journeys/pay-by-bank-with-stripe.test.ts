import { startStripeSimulator } from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import { stripeSettings } from '@keyturn/testkit/stripe-simulator/stripe-settings.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { serveFakeStripe } from '../harness/fake-stripe/serve-fake-stripe.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const simulator = await startStripeSimulator();
afterAll(() => simulator.stop());
const product = withProduct({
  ...stripeSettings(simulator),
  KEYTURN_BANK_PURPOSES: 'search,money_on_account',
});

// Just after its start, the server does not know yet that the Stripe account accepts payments by bank.
beforeAll(() =>
  vi.waitFor(async () => {
    const page = await fetch(`${product.url}/payment-other`);
    expect(await page.text()).toContain('"bank":{"purposes":["search"');
  }, 20_000),
);

async function openAs(email: string) {
  const context = await newContext(product.browser, { timezoneId: 'Europe/London' });
  const stripe = await serveFakeStripe(context, simulator, product.url);
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  await signIn(page, product.url, `${email}@example.test`);
  return { page, context, stripe, pageErrors };
}

/** The page may request the intent again just after it was paid, which is answered with 409. */
const unexpected = (pageErrors: string[]) => pageErrors.filter((error) => !error.includes('status of 409'));

/** Opens the screen from which the client leaves for their bank. @returns the intent's id */
async function startByBank(page: Page, pounds: string): Promise<string> {
  await page.goto(`${product.url}/payment-other`);
  await page.getByLabel('Money on account').check();
  await page.getByLabel('Amount in pounds').fill(pounds);
  await page.getByRole('button', { name: 'Check this payment' }).click();
  await page.getByLabel('Pay by bank').check();
  await page.getByLabel(/^Yes, /).check();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('heading', { name: 'Pay by bank' }).waitFor();
  const amount = Math.round(Number(pounds) * 100);
  const intent = simulator.intents.all().findLast((candidate) => candidate.amount === amount);
  if (!intent) throw new Error('the server created no intent');
  expect(intent.payment_method_types).toEqual(['pay_by_bank']);
  return intent.id;
}

async function answerAtBank(page: Page, answer: 'Approve' | 'Decline' | 'Cancel') {
  await page.getByRole('button', { name: 'Continue to your bank' }).click();
  await page.getByRole('heading', { name: 'Approve this payment' }).waitFor();
  await page.getByRole('button', { name: answer }).click();
  await page.waitForURL('**/payment');
}

const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });
const deliverWebhooks = async () => {
  for (const event of simulator.webhooks.waiting.splice(0)) {
    await simulator.webhooks.deliver(`${product.url}/api/webhooks/stripe`, event, { at: new Date() });
  }
};

describe('paying by bank with Stripe', () => {
  test('fault 86: shows a payment as on its way after the approval, and as paid only once the money has arrived', async () => {
    const { page, context, pageErrors } = await openAs('amelia');
    const intentId = await startByBank(page, '31.01');
    await answerAtBank(page, 'Approve');
    await page.getByRole('heading', { name: 'We’re waiting for the money' }).waitFor();
    // Stripe adds the client secret and an outcome to the address. The page removes both and trusts neither.
    expect(new URL(page.url()).search).toBe('');
    expect(await page.getByRole('button', { name: /cancel/i }).count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'We’re waiting for the money' }).waitFor();
    simulator.intents.settle(intentId);
    await deliverWebhooks();
    await page.getByRole('heading', { name: 'Payment received: £31.01' }).waitFor();
    await page.getByText('Pay by bank, from the payer’s own account').waitFor();
    expect(unexpected(pageErrors)).toEqual([]);
    await context.close();
  });

  test('fault 86: shows the bank’s reason for a failed payment regardless of the address, and offers another attempt', async () => {
    const { page, context, pageErrors } = await openAs('amelia');
    const intentId = await startByBank(page, '31.02');
    await answerAtBank(page, 'Decline');
    await alert(page, 'Your bank didn’t approve this payment.').waitFor();
    await answerAtBank(page, 'Cancel');
    await alert(page, 'You stopped the payment at your bank.').waitFor();
    await answerAtBank(page, 'Approve');
    await page.getByRole('heading', { name: 'We’re waiting for the money' }).waitFor();
    simulator.intents.failToSettle(intentId);
    await deliverWebhooks();
    await alert(page, 'Your bank didn’t complete this payment.').waitFor();
    await answerAtBank(page, 'Approve');
    simulator.intents.settle(intentId);
    await deliverWebhooks();
    await page.getByRole('heading', { name: 'Payment received: £31.02' }).waitFor();
    expect(simulator.charges.all().filter(({ payment_intent }) => payment_intent === intentId)).toHaveLength(
      1,
    );
    expect(unexpected(pageErrors)).toEqual([]);
    await context.close();
  });

  test('fault 86: returns to the same approval after Back, and after Stripe’s answer was lost', async () => {
    const { page, context, stripe } = await openAs('amelia');
    const intentId = await startByBank(page, '31.03');
    stripe.confirmation = 'never sent';
    await page.getByRole('button', { name: 'Continue to your bank' }).click();
    await page
      .getByText(/You have not been charged|nothing was charged/i)
      .first()
      .waitFor();
    stripe.confirmation = 'answered';
    await page.getByRole('button', { name: 'Continue to your bank' }).click();
    await page.getByRole('heading', { name: 'Approve this payment' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Approve it at your bank' }).waitFor();
    await answerAtBank(page, 'Approve');
    await page.getByRole('heading', { name: 'We’re waiting for the money' }).waitFor();
    simulator.intents.settle(intentId);
    await deliverWebhooks();
    await page.getByRole('heading', { name: 'Payment received: £31.03' }).waitFor();
    await context.close();
  });
});

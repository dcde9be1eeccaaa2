import { variants } from '@keyturn/testkit/run-length.ts';
import { startStripeSimulator } from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import { stripeSettings } from '@keyturn/testkit/stripe-simulator/stripe-settings.ts';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import {
  expectNoSidewaysScrolling,
  findAccessibilityViolations,
} from '../harness/accessibility-violations.ts';
import { collectPageErrors, newContext, signIn, storeSignIn } from '../harness/browser.ts';
import { type FakeStripe, serveFakeStripe } from '../harness/fake-stripe/serve-fake-stripe.ts';
import { confirmDetails } from '../harness/pay-by-card.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';
import { endMaintenance } from '../harness/run-keyturn.ts';

const simulator = await startStripeSimulator();
afterAll(() => simulator.stop());
const product = withProduct({
  ...stripeSettings(simulator),
  // One client makes more payments and declines than the default rate limits allow.
  KEYTURN_PAYMENT_STARTS_PER_CLIENT: '1000',
  KEYTURN_PAYMENT_STARTS_PER_ADDRESS: '1000',
  KEYTURN_CARD_DECLINES_PER_CLIENT: '1000',
  KEYTURN_CARD_DECLINES_PER_ADDRESS: '1000',
});

interface Visit {
  page: Page;
  context: BrowserContext;
  pageErrors: string[];
  stripe: FakeStripe;
}

/** Signs in without opening a screen. */
async function openAs(email: string): Promise<Visit> {
  const context = await newContext(product.browser);
  const stripe = await serveFakeStripe(context, simulator, product.url);
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  await storeSignIn(page, product.url, `${email}@example.test`);
  return { page, context, pageErrors, stripe };
}

/** Starts a payment on account and stops at the card form. @returns the intent's id */
async function startOtherPayment(page: Page, pounds: string): Promise<string> {
  await page.goto(`${product.url}/payment-other`);
  await page.getByLabel('Money on account').check();
  await page.getByLabel('Amount in pounds').fill(pounds);
  await page.getByRole('button', { name: 'Check this payment' }).click();
  await page.getByLabel(/^Yes, /).check();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.waitForURL('**/payment');
  await page.getByRole('heading', { name: 'Pay by card' }).waitFor();
  const amount = Math.round(Number(pounds) * 100);
  const intent = simulator.intents.all().findLast((candidate) => candidate.amount === amount);
  if (!intent) throw new Error('the server created no intent');
  return intent.id;
}

/** Goes from the home page to the card form of a search. */
async function startSearchPayment(page: Page, pay: RegExp): Promise<void> {
  await page.goto(product.url);
  await page.getByRole('link', { name: pay }).first().click();
  await confirmDetails(page);
  await page.waitForURL('**/payment');
}

const fieldsOf = (page: Page) => page.frameLocator('iframe[title="Secure payment input frame"]');
const bankOf = (page: Page) => page.frameLocator('iframe[title="The bank"]');

async function payWithCard(page: Page, number: string): Promise<void> {
  await fieldsOf(page).getByLabel('Card number').fill(number);
  await page.getByRole('button', { name: /^Pay £/ }).click();
}

/** Delivers the webhook events that wait at the simulated Stripe. */
async function deliverWebhooks() {
  for (const event of simulator.webhooks.waiting.splice(0)) {
    await simulator.webhooks.deliver(`${product.url}/api/webhooks/stripe`, event, { at: new Date() });
  }
}

/** Waits until our server knows that the payment needs a bank check. */
async function waitForRequiresAction(intentId: string) {
  const database = await connectToProductDatabase(product.dataDirectory);
  const status = async () =>
    (await database.query('select status from payments where provider_intent_id = $1', [intentId])).rows[0]
      ?.status;
  await expect.poll(status, { timeout: 15_000 }).toBe('requires_action');
  await database.end();
}

const isCharged = (intentId: string) => simulator.intents.find(intentId).status === 'succeeded';
const countConfirmations = (stripe: FakeStripe) =>
  stripe.requests.filter((request) => request.endsWith('/confirm')).length;
/** Allows for a lost webhook: the server then finds out at its next periodic check. */
const expectPaid = (page: Page, pounds: string) =>
  page.getByRole('heading', { name: `Payment received: £${pounds}` }).waitFor({ timeout: 75_000 });

const card = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  insufficientFunds: '4000 0000 0000 9995',
  stolen: '4000 0000 0000 9979',
  needsBankCheck: '4000 0027 6000 3184',
  redirectsToBank: '4000 0000 0000 3063',
};

describe('paying by card with Stripe', () => {
  test('charges a search once with Stripe and updates the open page of the joint client', async () => {
    const amelia = await openAs('amelia');
    const tom = await openAs('tom');
    await tom.page.goto(product.url);
    await tom.page
      .getByRole('link', { name: /^Pay £55\.20/ })
      .first()
      .waitFor();
    await startSearchPayment(amelia.page, /^Pay £55\.20/);
    await amelia.page.getByText('On your statement: KEYTURN* KT-2026-00421').waitFor();
    await payWithCard(amelia.page, card.good);
    await expectPaid(amelia.page, '55.20');
    await amelia.page.getByText('KEYTURN* KT-2026-00421').waitFor();
    await amelia.page.reload();
    await expectPaid(amelia.page, '55.20');
    await tom.page.getByText('Paid, due to be ordered').first().waitFor({ timeout: 40_000 });
    expect(countConfirmations(amelia.stripe)).toBe(1);
    expect(simulator.intents.all().filter(({ amount }) => amount === 55_20)).toHaveLength(1);
    expect([...amelia.pageErrors, ...tom.pageErrors]).toEqual([]);
    expect(tom.stripe.requests).toEqual([]);
    await amelia.context.close();
    await tom.context.close();
  });

  const wallets = [
    ['Apple Pay', '23.01'],
    ['Google Pay', '23.02'],
  ] as const;
  test.each(variants(wallets, 1))(
    'pays with %s, and names the wallet on the receipt and in the history',
    async (wallet, pounds) => {
      const { page, context, pageErrors } = await openAs('amelia');
      const intentId = await startOtherPayment(page, pounds);
      await fieldsOf(page).getByRole('radio', { name: wallet }).click();
      await page.getByRole('button', { name: `Pay £${pounds}` }).click();
      await expectPaid(page, pounds);
      expect(isCharged(intentId)).toBe(true);
      await page.getByText(`${wallet}, Visa ending 4242`).waitFor();
      await page.goto(`${product.url}/case-history`);
      await page.getByText(`Amelia paid £${pounds} on account with ${wallet}`).first().waitFor();
      expect(pageErrors).toEqual([]);
      await context.close();
    },
  );

  test('offers no wallet for the card of another person', async () => {
    const { page, context } = await openAs('amelia');
    await page.goto(`${product.url}/payment-other`);
    await page.getByLabel('Money on account').check();
    await page.getByLabel('Amount in pounds').fill('23.03');
    await page.getByRole('button', { name: 'Check this payment' }).click();
    await page.getByLabel('No, someone else is paying').check();
    await page.getByLabel('Whose card is it?').fill('Grace Hall');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await fieldsOf(page).getByLabel('Card number').waitFor();
    await page.getByText('Enter Grace Hall’s card.').waitFor();
    expect(await fieldsOf(page).getByRole('radio', { name: 'Google Pay' }).count()).toBe(0);
    await context.close();
  });

  test('loads Stripe.js only on the payment screen, which has no accessibility violations and does not scroll sideways', async () => {
    const { page, context, pageErrors, stripe } = await openAs('amelia');
    for (const path of ['/', '/payments', '/payment-other', '/milestones', '/case-history']) {
      await page.goto(product.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    await page.getByRole('link', { name: 'Payments' }).first().hover();
    expect(stripe.requests).toEqual([]);
    expect(
      await page.locator('script[src*="stripe"], link[href*="stripe"], link[href*="pure"]').count(),
    ).toBe(0);
    await startOtherPayment(page, '11.01');
    await fieldsOf(page).getByLabel('Card number').waitFor();
    expect(stripe.requests.filter((request) => request.endsWith('.js'))).toEqual([
      'GET https://js.stripe.com/endive/stripe.js',
    ]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of variants([1440, 390, 320], 1)) {
        await page.setViewportSize({ width, height: 800 });
        expect(await findAccessibilityViolations(page)).toEqual([]);
        await expectNoSidewaysScrolling(page, `the payment, ${width} px,`);
      }
    }
    // The console would show violations of the content security policy and of Trusted Types.
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('shows an incomplete card number in the Stripe field and sends nothing', async () => {
    const { page, context, stripe } = await openAs('amelia');
    await startOtherPayment(page, '11.02');
    await payWithCard(page, '4242');
    await fieldsOf(page).getByText('Your card number is incomplete.').waitFor();
    expect(countConfirmations(stripe)).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.close();
  });
});

describe('faults of a payment with Stripe', () => {
  test('fault 20: explains a Stripe decline in safe words, and the next card pays the same intent', async () => {
    const { page, context, pageErrors } = await openAs('amelia');
    const intentId = await startOtherPayment(page, '20.01');
    await payWithCard(page, card.declined);
    const declineAlert = page.getByRole('alert');
    await declineAlert.getByText('Your bank declined this card.').waitFor();
    await declineAlert.getByText(/You have not been charged\./).waitFor();
    expect(await declineAlert.evaluate((alert) => alert === document.activeElement)).toBe(true);
    await payWithCard(page, card.insufficientFunds);
    await declineAlert.getByText(/not enough money on this card/).waitFor();
    await payWithCard(page, card.stolen);
    await declineAlert.getByText('Your bank declined this card.').waitFor();
    expect(await page.getByText(/stolen/i).count()).toBe(0);
    await page.reload();
    await page.getByText('Your bank declined this card.').waitFor();
    await payWithCard(page, card.good);
    await expectPaid(page, '20.01');
    expect(isCharged(intentId)).toBe(true);
    expect(simulator.intents.all().filter(({ amount }) => amount === 20_01)).toHaveLength(1);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('a payment that Stripe stops after too many attempts is started again', async () => {
    const { page, context, pageErrors } = await openAs('amelia');
    simulator.intents.limits.confirmations = 1;
    try {
      await startOtherPayment(page, '20.02');
      await payWithCard(page, card.declined);
      await page.getByRole('alert').getByText('Your bank declined this card.').waitFor();
      await payWithCard(page, card.good);
      await page.getByRole('heading', { name: 'This payment was stopped' }).waitFor();
      await page.getByRole('button', { name: 'Start again' }).click();
      await page.getByLabel(/^Yes, /).check();
      await page.getByRole('button', { name: 'Continue to payment' }).click();
      await payWithCard(page, card.good);
      await expectPaid(page, '20.02');
    } finally {
      simulator.intents.limits.confirmations = Number.POSITIVE_INFINITY;
    }
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('fault 21: handles a bank check that is approved, failed, or abandoned in one tab and resumed in another', async () => {
    const { page, context, pageErrors } = await openAs('amelia');
    const intentId = await startOtherPayment(page, '21.01');
    await payWithCard(page, card.needsBankCheck);
    await bankOf(page).getByRole('button', { name: 'Fail' }).click();
    await page.getByRole('alert').getByText('The payment wasn’t confirmed with your bank.').waitFor();
    expect(isCharged(intentId)).toBe(false);

    await payWithCard(page, card.needsBankCheck);
    await bankOf(page).getByRole('button', { name: 'Complete' }).waitFor();
    const secondTab = await context.newPage();
    // Another tab can only show the bank check once our server knows about it.
    await waitForRequiresAction(intentId);
    await page.close();
    await secondTab.goto(`${product.url}/payment`);
    await secondTab.getByRole('heading', { name: 'You are paying for this on another page' }).waitFor();
    await secondTab.getByRole('button', { name: 'Continue here' }).click();
    await secondTab.getByRole('heading', { name: 'Confirm with your bank' }).waitFor();
    // Instead of continuing, the client can replace the card that the bank is checking.
    await secondTab.getByRole('button', { name: 'Use another card' }).click();
    await payWithCard(secondTab, card.declined);
    await secondTab.getByRole('alert').getByText('Your bank declined this card.').waitFor();
    await payWithCard(secondTab, card.needsBankCheck);
    await bankOf(secondTab).getByRole('button', { name: 'Complete' }).waitFor();
    await waitForRequiresAction(intentId);
    await secondTab.reload();
    await secondTab.getByRole('button', { name: 'Continue to your bank' }).click();
    await bankOf(secondTab).getByRole('button', { name: 'Complete' }).click();
    await expectPaid(secondTab, '21.01');
    expect(isCharged(intentId)).toBe(true);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('fault 22: trusts nothing that a bank redirect adds to the address, and removes it immediately', async () => {
    const { page, context, pageErrors } = await openAs('amelia');
    const intentId = await startOtherPayment(page, '22.01');
    await payWithCard(page, card.redirectsToBank);
    await page.getByRole('button', { name: 'Fail' }).click();
    // The address claimed "succeeded".
    await page.getByText('The payment wasn’t confirmed with your bank.').waitFor();
    const { client_secret } = simulator.intents.find(intentId);
    const traces = () =>
      page.evaluate(() => JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }]));
    expect(await traces()).not.toContain(client_secret);
    expect(page.url()).toBe(`${product.url}/payment`);

    await payWithCard(page, card.redirectsToBank);
    await page.getByRole('button', { name: 'Complete' }).click();
    await expectPaid(page, '22.01');
    expect(page.url()).toBe(`${product.url}/payment`);
    expect(await traces()).not.toContain(client_secret);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('fault 22: shows the receipt on the next visit when the page after the bank never loads', async () => {
    const { page, context } = await openAs('amelia');
    const intentId = await startOtherPayment(page, '22.02');
    await payWithCard(page, card.redirectsToBank);
    await page.getByRole('button', { name: 'Complete' }).waitFor();
    simulator.intents.authenticate(intentId, 'approved');
    const nextTab = await context.newPage();
    await page.close();
    await nextTab.goto(`${product.url}/payment`);
    await expectPaid(nextTab, '22.02');
    await context.close();
  });

  test('fault 23: confirms a Stripe intent once however often Pay is pressed', async () => {
    const { page, context, stripe } = await openAs('amelia');
    const intentId = await startOtherPayment(page, '23.01');
    await fieldsOf(page).getByLabel('Card number').fill(card.good);
    await page.evaluate(() => {
      const button = document.querySelector<HTMLButtonElement>('form button[type="submit"]');
      for (let press = 0; press < 5; press += 1) button?.click();
    });
    await expectPaid(page, '23.01');
    expect(countConfirmations(stripe)).toBe(1);
    expect(isCharged(intentId)).toBe(true);
    await context.close();
  });

  test('fault 24: gives a second tab the same Stripe intent and the joint client none, and both clients the receipt', async () => {
    const { page, context } = await openAs('amelia');
    const tom = await openAs('tom');
    await tom.page.goto(product.url);
    await startSearchPayment(page, /^Pay £276/);
    await fieldsOf(page).getByLabel('Card number').waitFor();
    await tom.page
      .getByRole('link', { name: /^See this payment/ })
      .first()
      .click();
    await tom.page.getByRole('heading', { name: 'Amelia has started to pay for this' }).waitFor();
    const secondTab = await context.newPage();
    await secondTab.goto(`${product.url}/payment`);
    await fieldsOf(secondTab).getByLabel('Card number').fill(card.good);
    await payWithCard(page, card.needsBankCheck);
    await bankOf(page).getByRole('button', { name: 'Complete' }).waitFor();
    await secondTab.getByRole('heading', { name: 'You are paying for this on another page' }).waitFor();
    await tom.page.getByRole('heading', { name: 'Amelia is paying for this now' }).waitFor();
    expect(await bankOf(tom.page).getByRole('button').count()).toBe(0);
    await bankOf(page).getByRole('button', { name: 'Complete' }).click();
    await Promise.all([
      expectPaid(page, '276.00'),
      expectPaid(secondTab, '276.00'),
      tom.page.getByRole('heading', { name: 'Amelia paid £276.00' }).waitFor({ timeout: 75_000 }),
    ]);
    await tom.context.close();
    expect(simulator.intents.all().filter(({ amount }) => amount === 276_00)).toHaveLength(1);
    await context.close();
  });

  test('fault 26: shows the receipt when an outdated page tries to pay again', async () => {
    const { page, context, stripe } = await openAs('amelia');
    const intentId = await startOtherPayment(page, '26.01');
    await fieldsOf(page).getByLabel('Card number').fill(card.good);
    // The payment succeeds elsewhere while this page receives no updates.
    await page.route('**/api/payments/*', (route) => route.abort());
    simulator.intents.confirm(intentId, 'pm_card_visa');
    await page.getByRole('button', { name: /^Pay £/ }).click();
    const pressed = page.locator('form button[aria-disabled]');
    await pressed.waitFor();
    await pressed.waitFor({ state: 'detached' });
    await page.unroute('**/api/payments/*');
    await expectPaid(page, '26.01');
    expect(countConfirmations(stripe)).toBe(0);
    await context.close();
  });

  test('fault 27: loses nothing when the session ends during a bank check', async () => {
    const { page, context } = await openAs('amelia');
    const intentId = await startOtherPayment(page, '27.01');
    await payWithCard(page, card.needsBankCheck);
    await bankOf(page).getByRole('button', { name: 'Complete' }).waitFor();
    const database = await connectToProductDatabase(product.dataDirectory);
    await database.query('delete from sessions');
    await database.end();
    await page.waitForURL('**/login**');
    await expect.poll(() => page.locator('iframe[title="The bank"]').count()).toBe(0);
    simulator.intents.authenticate(intentId, 'approved');
    await deliverWebhooks();
    await page.getByLabel('Email address').fill('amelia@example.test');
    await page.getByLabel('Password', { exact: true }).fill('turn-the-key-2026');
    await page.getByRole('button', { name: 'Sign in' }).click();
    // The browser no longer knows which payment was open, but the server knows its state.
    await page.waitForURL('**/payment');
    await page.getByRole('link', { name: 'See your payments' }).click();
    const row = page.getByRole('listitem').filter({ hasText: '£27.01' });
    await row.getByText(/^Paid/).first().waitFor({ timeout: 60_000 });
    expect(isCharged(intentId)).toBe(true);
    await context.close();
  });

  test('fault 28: clears the screen when the client signs out in another tab during a bank check, and completes the payment', async () => {
    const { page, context } = await openAs('amelia');
    const intentId = await startOtherPayment(page, '28.01');
    await payWithCard(page, card.needsBankCheck);
    await bankOf(page).getByRole('button', { name: 'Complete' }).waitFor();
    const other = await context.newPage();
    await other.goto(product.url);
    await other.getByRole('button', { name: /Amelia/ }).click();
    await other
      .getByRole('button', { name: 'Sign out' })
      .or(other.getByRole('menuitem', { name: 'Sign out' }))
      .click();
    await page.waitForURL('**/login**');
    await expect.poll(() => page.locator('iframe').count()).toBe(0);
    simulator.intents.authenticate(intentId, 'approved');
    await deliverWebhooks();
    await signIn(page, product.url, 'amelia@example.test', '/payments');
    await page.getByRole('listitem').filter({ hasText: '£28.01' }).getByText(/^Paid/).first().waitFor();
    await context.close();
  });

  test('fault 31: completes a payment when maintenance starts during its bank check', async () => {
    const { page, context } = await openAs('amelia');
    await startOtherPayment(page, '31.01');
    await payWithCard(page, card.needsBankCheck);
    await bankOf(page).getByRole('button', { name: 'Complete' }).waitFor();
    try {
      await product.keyturn('maintenance', 'on');
      await page.waitForResponse(
        async (answer) =>
          answer.url().endsWith('/api/maintenance') && (await answer.text()).includes('"general":{'),
      );
      await bankOf(page).getByRole('button', { name: 'Complete' }).click();
      await expectPaid(page, '31.01');
    } finally {
      await endMaintenance(product);
    }
    await context.close();
  });

  test('fault 66: recovers from a lost confirmation response without asking the client to pay again', async () => {
    const { page, context, stripe } = await openAs('amelia');
    await startOtherPayment(page, '66.01');
    stripe.confirmation = 'answer lost';
    stripe.deliversWebhooks = false;
    await payWithCard(page, card.good);
    await page.getByRole('heading', { name: 'We’re checking your payment' }).waitFor();
    expect(await page.getByRole('button', { name: /^Pay £/ }).count()).toBe(0);
    // No webhook arrives, so the page makes the server ask Stripe.
    await expectPaid(page, '66.01');
    expect(countConfirmations(stripe)).toBe(1);
    await context.close();
  });

  test('fault 66: says that a card never reached Stripe, offline or behind a captive portal too, and accepts it again', async () => {
    const { page, context, stripe } = await openAs('amelia');
    const intentId = await startOtherPayment(page, '66.02');
    const noResponse = page.getByText('We did not hear back in time.');
    const confirmation = '**/api/payments/*/confirm';
    for (const answer of ['captive portal', 'offline']) {
      let asked = 0;
      await page.route(confirmation, (route) => {
        asked += 1;
        return answer === 'offline'
          ? route.abort()
          : route.fulfill({ contentType: 'text/html', body: '<h1>Sign in to the Wi-Fi</h1>' });
      });
      await payWithCard(page, card.good);
      await expect.poll(() => asked).toBe(1);
      await noResponse.waitFor();
      expect(countConfirmations(stripe)).toBe(0);
      await page.unroute(confirmation);
    }
    stripe.confirmation = 'never sent';
    await payWithCard(page, card.good);
    await expect.poll(() => countConfirmations(stripe)).toBe(1);
    await noResponse.waitFor();
    expect(isCharged(intentId)).toBe(false);
    stripe.confirmation = 'answered';
    await payWithCard(page, card.good);
    await expectPaid(page, '66.02');
    await context.close();
  });

  test.each(variants(['blocked', 'not Stripe'] as const, 1))(
    'fault 67: shows a message, a phone number and a retry button when Stripe.js is %s',
    async (problem) => {
      const { page, context, stripe } = await openAs('amelia');
      stripe.script = problem;
      const pounds = problem === 'blocked' ? '67.01' : '67.02';
      const intentId = await startOtherPayment(page, pounds);
      await page.getByText('The card form could not be opened.').waitFor();
      await page.getByText(/You have not been charged\./).waitFor();
      await page.getByRole('status').getByRole('link', { name: '0117 496 0100' }).waitFor();
      expect(await page.getByRole('button', { name: /^Pay £/ }).count()).toBe(0);
      await page.getByRole('link', { name: 'Back to check your payment' }).click();
      await page.getByRole('heading', { name: 'Check before you pay' }).waitFor();
      await page.getByRole('button', { name: 'Continue to payment' }).click();
      await page.getByText('The card form could not be opened.').waitFor();
      expect(simulator.intents.find(intentId).status).toBe('requires_payment_method');
      await page.evaluate(() => Object.assign(window, { isTheSamePage: true }));
      stripe.script = 'there';
      await page.getByRole('button', { name: 'Try again' }).click();
      await payWithCard(page, card.good);
      await expectPaid(page, pounds);
      expect(await page.evaluate(() => 'isTheSamePage' in window)).toBe(true);
      await context.close();
    },
  );

  test('fault 67: says after ten seconds that Stripe.js is slow, and uses it when it arrives', async () => {
    const { page, context, stripe } = await openAs('amelia');
    stripe.script = 'silent';
    await startOtherPayment(page, '67.03');
    expect(await page.getByRole('button', { name: /^Pay £/ }).isDisabled()).toBe(true);
    await page.getByText('The card form is taking a long time.').waitFor({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The card form is taking a long time.').waitFor({ state: 'detached' });
    stripe.release();
    await payWithCard(page, card.good);
    await expectPaid(page, '67.03');
    await context.close();
  });

  test('fault 68: refreshes a page that the browser restores from its cache before Pay can be pressed', async () => {
    const { page, context, stripe } = await openAs('amelia');
    const intentId = await startOtherPayment(page, '68.01');
    await fieldsOf(page).getByLabel('Card number').fill(card.good);
    // The server's answers are delayed, to check what can be pressed meanwhile.
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/payments/*', async (route) => {
      await released;
      await route.continue();
    });
    simulator.intents.confirm(intentId, 'pm_card_visa');
    await deliverWebhooks();
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    const pay = page.locator('form button[type="submit"]');
    await expect.poll(() => pay.getAttribute('aria-disabled')).toBe('true');
    await pay.evaluate((button) => (button as HTMLButtonElement).click());
    release();
    await expectPaid(page, '68.01');
    expect(countConfirmations(stripe)).toBe(0);

    // Going back from another screen refreshes the page as well.
    await page.getByRole('link', { name: /^(Back to your case|See what else we need)/ }).click();
    await page.waitForURL(`${product.url}/`);
    await page.goBack();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: /^Pay £68/ }).count()).toBe(0);
    await context.close();
  });
});

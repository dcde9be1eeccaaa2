import { startStripeSimulator } from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import { stripeSettings } from '@keyturn/testkit/stripe-simulator/stripe-settings.ts';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { findAccessibilityViolations } from '../harness/accessibility-violations.ts';
import { collectPageErrors, signIn } from '../harness/browser.ts';
import { type FakeStripe, serveFakeStripe } from '../harness/fake-stripe/serve-fake-stripe.ts';
import { confirmDetails } from '../harness/pay-by-card.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';

const simulator = await startStripeSimulator();
afterAll(() => simulator.stop());
const product = withProduct({
  ...stripeSettings(simulator),
  // One client goes through every fault there is.
  KEYTURN_PAYMENT_STARTS_PER_CLIENT: '1000',
  KEYTURN_PAYMENT_STARTS_PER_ADDRESS: '1000',
  KEYTURN_CARD_DECLINES_PER_CLIENT: '1000',
  KEYTURN_CARD_DECLINES_PER_ADDRESS: '1000',
});

interface Visit {
  page: Page;
  context: BrowserContext;
  noise: string[];
  stripe: FakeStripe;
}

async function openAs(email: string): Promise<Visit> {
  const context = await product.browser.newContext({ locale: 'en-GB' });
  const stripe = await serveFakeStripe(context, simulator, product.url);
  const page = await context.newPage();
  const noise = collectPageErrors(page);
  await signIn(page, product.url, `${email}@example.test`);
  return { page, context, noise, stripe };
}

/** To the card form, with a payment of its own that is for no search. @returns the intent's id */
async function beginOtherPayment(page: Page, pounds: string): Promise<string> {
  await page.goto(`${product.url}/payment-other`);
  await page.getByLabel('Money on account').check();
  await page.getByLabel('Amount in pounds').fill(pounds);
  await page.getByRole('button', { name: 'Check this payment' }).click();
  await page.getByLabel(/Yes, mine/).check();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.waitForURL('**/payment');
  await page.getByRole('heading', { name: 'Pay by card' }).waitFor();
  const amount = Math.round(Number(pounds) * 100);
  const intent = simulator.intents.all().findLast((one) => one.amount === amount);
  if (!intent) throw new Error('no intent was made');
  return intent.id;
}

/** From the home page to the card form of a search. */
async function beginSearch(page: Page, pay: RegExp): Promise<void> {
  await page.goto(product.url);
  await page.getByRole('link', { name: pay }).first().click();
  await confirmDetails(page);
  await page.waitForURL('**/payment');
}

const fieldsOf = (page: Page) => page.frameLocator('iframe[title="Secure payment input frame"]');
const bankOf = (page: Page) => page.frameLocator('iframe[title="The bank"]');

async function giveCard(page: Page, number: string): Promise<void> {
  await fieldsOf(page).getByLabel('Card number').fill(number);
  await page.getByRole('button', { name: /^Pay £/ }).click();
}

/** Stripe tells of what happened behind the browser's back. */
async function tellOfAll() {
  for (const event of simulator.webhooks.waiting.splice(0)) {
    await simulator.webhooks.deliver(`${product.url}/api/webhooks/stripe`, event, { at: new Date() });
  }
}

/** Our server has heard that the bank asks. */
async function knownToAsk(intentId: string) {
  const database = await connectToProductDatabase(product.dataDirectory);
  const status = async () =>
    (await database.query('select status from payments where provider_intent_id = $1', [intentId])).rows[0]
      ?.status;
  await expect.poll(status, { timeout: 15_000 }).toBe('requires_action');
  await database.end();
}

const charged = (intentId: string) => simulator.intents.find(intentId).status === 'succeeded';
const confirmations = (stripe: FakeStripe) =>
  stripe.requests.filter((request) => request.endsWith('/confirm')).length;
/** By the webhook, or where that was lost by what asks for it now and then. */
const paid = (page: Page, pounds: string) =>
  page.getByRole('heading', { name: `Payment received: £${pounds}` }).waitFor({ timeout: 75_000 });

const card = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  poor: '4000 0000 0000 9995',
  stolen: '4000 0000 0000 9979',
  asks: '4000 0027 6000 3184',
  leadsAway: '4000 0000 0000 3063',
};

describe('a card that is given to Stripe', () => {
  test('pays for a search once; Tom, whose page nobody touches, sees it', async () => {
    const amelia = await openAs('amelia');
    const tom = await openAs('tom');
    await tom.page
      .getByRole('link', { name: /^Pay £55\.20/ })
      .first()
      .waitFor();
    await beginSearch(amelia.page, /^Pay £55\.20/);
    await giveCard(amelia.page, card.good);
    await paid(amelia.page, '55.20');
    await amelia.page.reload();
    await paid(amelia.page, '55.20');
    await tom.page.getByText('Paid, being ordered').first().waitFor({ timeout: 40_000 });
    expect(confirmations(amelia.stripe)).toBe(1);
    expect(simulator.intents.all().filter(({ amount }) => amount === 55_20)).toHaveLength(1);
    expect([...amelia.noise, ...tom.noise]).toEqual([]);
    expect(tom.stripe.requests).toEqual([]);
    await amelia.context.close();
    await tom.context.close();
  });

  test('is asked of Stripe on the payment screen alone, which axe finds nothing on and nothing scrolls sideways', async () => {
    const { page, context, noise, stripe } = await openAs('amelia');
    for (const path of ['/', '/payments', '/payment-other', '/milestones', '/case-history']) {
      await page.goto(product.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    await page.getByRole('link', { name: 'Payments' }).first().hover();
    expect(stripe.requests).toEqual([]);
    expect(
      await page.locator('script[src*="stripe"], link[href*="stripe"], link[href*="pure"]').count(),
    ).toBe(0);
    await beginOtherPayment(page, '11.01');
    await fieldsOf(page).getByLabel('Card number').waitFor();
    expect(stripe.requests.filter((request) => request.endsWith('.js'))).toEqual([
      'GET https://js.stripe.com/endive/stripe.js',
    ]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of [1440, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await findAccessibilityViolations(page)).toEqual([]);
        const [scroll, client] = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return [scrollWidth, clientWidth];
        });
        expect(scroll).toBeLessThanOrEqual(client ?? 0);
      }
    }
    // No violation of the policy or of Trusted Types: either would be told in the console.
    expect(noise).toEqual([]);
    await context.close();
  });

  test('that is not typed to its end is said in its own field, and nothing is sent', async () => {
    const { page, context, stripe } = await openAs('amelia');
    await beginOtherPayment(page, '11.02');
    await giveCard(page, '4242');
    await fieldsOf(page).getByText('Your card number is incomplete.').waitFor();
    expect(confirmations(stripe)).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.close();
  });
});

describe('the faults of a payment at Stripe', () => {
  test('fault 20: a declined card is told in our own safe words, and the next one pays the same intent', async () => {
    const { page, context, noise } = await openAs('amelia');
    const intentId = await beginOtherPayment(page, '20.01');
    await giveCard(page, card.declined);
    const refusal = page.getByRole('alert');
    await refusal.getByText('Your bank declined this card.').waitFor();
    await refusal.getByText(/You have not been charged\./).waitFor();
    expect(await refusal.evaluate((alert) => alert === document.activeElement)).toBe(true);
    await giveCard(page, card.poor);
    await refusal.getByText(/not enough money on this card/).waitFor();
    await giveCard(page, card.stolen);
    await refusal.getByText('Your bank declined this card.').waitFor();
    expect(await page.getByText(/stolen/i).count()).toBe(0);
    await page.reload();
    await page.getByText('Your bank declined this card.').waitFor();
    await giveCard(page, card.good);
    await paid(page, '20.01');
    expect(charged(intentId)).toBe(true);
    expect(simulator.intents.all().filter(({ amount }) => amount === 20_01)).toHaveLength(1);
    expect(noise).toEqual([]);
    await context.close();
  });

  test('fault 21: the bank’s check is approved, refused, or left with the tab, and gone on with from another one', async () => {
    const { page, context, noise } = await openAs('amelia');
    const intentId = await beginOtherPayment(page, '21.01');
    await giveCard(page, card.asks);
    await bankOf(page).getByRole('button', { name: 'Fail' }).click();
    await page.getByRole('alert').getByText('Your bank could not confirm that it is you.').waitFor();
    expect(charged(intentId)).toBe(false);

    await giveCard(page, card.asks);
    await bankOf(page).getByRole('button', { name: 'Complete' }).waitFor();
    const second = await context.newPage();
    // What nobody has told of yet is not to be seen from another tab.
    await knownToAsk(intentId);
    await page.close();
    await second.goto(`${product.url}/payment`);
    await second.getByRole('heading', { name: 'You are paying for this on another page' }).waitFor();
    await second.getByRole('button', { name: 'Continue here' }).click();
    await second.getByRole('heading', { name: 'Confirm with your bank' }).waitFor();
    // The other way on is another card, in the place of the one that was asked about.
    await second.getByRole('button', { name: 'Use another card' }).click();
    await giveCard(second, card.declined);
    await second.getByRole('alert').getByText('Your bank declined this card.').waitFor();
    await giveCard(second, card.asks);
    await bankOf(second).getByRole('button', { name: 'Complete' }).waitFor();
    await knownToAsk(intentId);
    await second.reload();
    await second.getByRole('button', { name: 'Continue to your bank' }).click();
    await bankOf(second).getByRole('button', { name: 'Complete' }).click();
    await paid(second, '21.01');
    expect(charged(intentId)).toBe(true);
    expect(noise).toEqual([]);
    await context.close();
  });

  test('fault 22: what a bank adds to the address is believed in nothing, and is gone at once', async () => {
    const { page, context, noise } = await openAs('amelia');
    const intentId = await beginOtherPayment(page, '22.01');
    await giveCard(page, card.leadsAway);
    await page.getByRole('button', { name: 'Fail' }).click();
    // The address said "succeeded".
    await page.getByText('Your bank could not confirm that it is you.').waitFor();
    const { client_secret } = simulator.intents.find(intentId);
    const traces = () =>
      page.evaluate(() => JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }]));
    expect(await traces()).not.toContain(client_secret);
    expect(page.url()).toBe(`${product.url}/payment`);

    await giveCard(page, card.leadsAway);
    await page.getByRole('button', { name: 'Complete' }).click();
    await paid(page, '22.01');
    expect(page.url()).toBe(`${product.url}/payment`);
    expect(await traces()).not.toContain(client_secret);
    expect(noise).toEqual([]);
    await context.close();
  });

  test('fault 22: paid at the bank, and the way back never loads: the next visit shows the receipt', async () => {
    const { page, context } = await openAs('amelia');
    const intentId = await beginOtherPayment(page, '22.02');
    await giveCard(page, card.leadsAway);
    await page.getByRole('button', { name: 'Complete' }).waitFor();
    simulator.intents.authenticate(intentId, 'approved');
    const next = await context.newPage();
    await page.close();
    await next.goto(`${product.url}/payment`);
    await paid(next, '22.02');
    await context.close();
  });

  test('fault 23: many presses are one confirmation', async () => {
    const { page, context, stripe } = await openAs('amelia');
    const intentId = await beginOtherPayment(page, '23.01');
    await fieldsOf(page).getByLabel('Card number').fill(card.good);
    await page.evaluate(() => {
      const button = document.querySelector<HTMLButtonElement>('form button[type="submit"]');
      for (let press = 0; press < 5; press += 1) button?.click();
    });
    await paid(page, '23.01');
    expect(confirmations(stripe)).toBe(1);
    expect(charged(intentId)).toBe(true);
    await context.close();
  });

  test('fault 24: a second tab and the joint owner have the same intent, and the receipt once it is paid', async () => {
    const { page, context } = await openAs('amelia');
    const tom = await openAs('tom');
    await beginSearch(tom.page, /^Pay £276/);
    await fieldsOf(tom.page).getByLabel('Card number').waitFor();
    await beginSearch(page, /^Pay £276/);
    const second = await context.newPage();
    await second.goto(`${product.url}/payment`);
    await fieldsOf(second).getByLabel('Card number').fill(card.good);
    await giveCard(page, card.asks);
    await bankOf(page).getByRole('button', { name: 'Complete' }).waitFor();
    await second.getByRole('heading', { name: 'You are paying for this on another page' }).waitFor();
    await tom.page.getByRole('heading', { name: 'Amelia is paying for this now' }).waitFor();
    expect(await bankOf(tom.page).getByRole('button').count()).toBe(0);
    await bankOf(page).getByRole('button', { name: 'Complete' }).click();
    await Promise.all([paid(page, '276.00'), paid(second, '276.00'), paid(tom.page, '276.00')]);
    await tom.context.close();
    expect(simulator.intents.all().filter(({ amount }) => amount === 276_00)).toHaveLength(1);
    await context.close();
  });

  test('fault 26: an old page that pays again is told that it is paid', async () => {
    const { page, context, stripe } = await openAs('amelia');
    const intentId = await beginOtherPayment(page, '26.01');
    await fieldsOf(page).getByLabel('Card number').fill(card.good);
    // Paid elsewhere while this page hears nothing of it.
    await page.route('**/api/payments/*', (route) => route.abort());
    simulator.intents.confirm(intentId, 'pm_card_visa');
    await page.getByRole('button', { name: /^Pay £/ }).click();
    const pressed = page.locator('form button[aria-disabled]');
    await pressed.waitFor();
    await pressed.waitFor({ state: 'detached' });
    await page.unroute('**/api/payments/*');
    await paid(page, '26.01');
    expect(confirmations(stripe)).toBe(0);
    await context.close();
  });

  test('fault 27: a sign-in that ends while the bank asks loses nothing', async () => {
    const { page, context } = await openAs('amelia');
    const intentId = await beginOtherPayment(page, '27.01');
    await giveCard(page, card.asks);
    await bankOf(page).getByRole('button', { name: 'Complete' }).waitFor();
    const database = await connectToProductDatabase(product.dataDirectory);
    await database.query('delete from sessions');
    await database.end();
    await page.waitForURL('**/login**');
    await expect.poll(() => page.locator('iframe[title="The bank"]').count()).toBe(0);
    simulator.intents.authenticate(intentId, 'approved');
    await tellOfAll();
    await page.getByLabel('Email address').fill('amelia@example.test');
    await page.getByLabel('Password', { exact: true }).fill('turn-the-key-2026');
    await page.getByRole('button', { name: 'Sign in' }).click();
    // What was being paid goes with the sign-in; how it stands does not.
    await page.waitForURL('**/payment');
    await page.getByRole('link', { name: 'See your payments' }).click();
    const row = page.getByRole('listitem').filter({ hasText: '£27.01' });
    await row.getByText(/^Paid/).first().waitFor({ timeout: 60_000 });
    expect(charged(intentId)).toBe(true);
    await context.close();
  });

  test('fault 28: a sign-out in another tab while the bank asks clears the screen; the payment settles', async () => {
    const { page, context } = await openAs('amelia');
    const intentId = await beginOtherPayment(page, '28.01');
    await giveCard(page, card.asks);
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
    await tellOfAll();
    await signIn(page, product.url, 'amelia@example.test');
    await page.goto(`${product.url}/payments`);
    await page.getByRole('listitem').filter({ hasText: '£28.01' }).getByText(/^Paid/).first().waitFor();
    await context.close();
  });

  test('fault 31: maintenance that begins while the bank asks lets the payment finish', async () => {
    const { page, context } = await openAs('amelia');
    await beginOtherPayment(page, '31.01');
    await giveCard(page, card.asks);
    await bankOf(page).getByRole('button', { name: 'Complete' }).waitFor();
    try {
      await product.keyturn('maintenance', 'on');
      await page.waitForResponse(
        async (answer) =>
          answer.url().endsWith('/api/maintenance') && (await answer.text()).includes('"general":{'),
      );
      await bankOf(page).getByRole('button', { name: 'Complete' }).click();
      await paid(page, '31.01');
    } finally {
      await product.keyturn('maintenance', 'off');
    }
    await context.close();
  });

  test('fault 66: an answer that is lost is asked for, and nobody is asked to pay again', async () => {
    const { page, context, stripe } = await openAs('amelia');
    await beginOtherPayment(page, '66.01');
    stripe.confirmation = 'answer lost';
    stripe.deliversWebhooks = false;
    await giveCard(page, card.good);
    await page.getByRole('heading', { name: 'We are checking your payment' }).waitFor();
    expect(await page.getByRole('button', { name: /^Pay £/ }).count()).toBe(0);
    // No webhook ever comes: the page makes the server ask.
    await paid(page, '66.01');
    expect(confirmations(stripe)).toBe(1);
    await context.close();
  });

  test('fault 66: a card that never reached Stripe is told so, and can be given again', async () => {
    const { page, context, stripe } = await openAs('amelia');
    const intentId = await beginOtherPayment(page, '66.02');
    stripe.confirmation = 'never sent';
    await giveCard(page, card.good);
    await page.getByText('We did not hear back in time.').waitFor();
    expect(charged(intentId)).toBe(false);
    stripe.confirmation = 'answered';
    await giveCard(page, card.good);
    await paid(page, '66.02');
    await context.close();
  });

  test.each(['blocked', 'not Stripe'] as const)(
    'fault 67: Stripe.js that is %s leaves a message, a phone number and a way on without a reload',
    async (how) => {
      const { page, context, stripe } = await openAs('amelia');
      stripe.script = how;
      const pounds = how === 'blocked' ? '67.01' : '67.02';
      const intentId = await beginOtherPayment(page, pounds);
      await page.getByText('The card form could not be loaded.').waitFor();
      await page.getByText(/You have not been charged\./).waitFor();
      await page.getByRole('status').getByRole('link', { name: '0117 496 0100' }).waitFor();
      expect(await page.getByRole('button', { name: /^Pay £/ }).count()).toBe(0);
      await page.getByRole('link', { name: 'Back to check your payment' }).click();
      await page.getByRole('heading', { name: 'Check before you pay' }).waitFor();
      await page.getByRole('button', { name: 'Continue to payment' }).click();
      await page.getByText('The card form could not be loaded.').waitFor();
      expect(simulator.intents.find(intentId).status).toBe('requires_payment_method');
      await page.evaluate(() => Object.assign(window, { isTheSamePage: true }));
      stripe.script = 'there';
      await page.getByRole('button', { name: 'Try again' }).click();
      await giveCard(page, card.good);
      await paid(page, pounds);
      expect(await page.evaluate(() => 'isTheSamePage' in window)).toBe(true);
      await context.close();
    },
  );

  test('fault 67: Stripe.js that does not come is told after ten seconds, and is still taken when it does', async () => {
    const { page, context, stripe } = await openAs('amelia');
    stripe.script = 'silent';
    await beginOtherPayment(page, '67.03');
    expect(await page.getByRole('button', { name: /^Pay £/ }).isDisabled()).toBe(true);
    await page.getByText('The card form is taking a long time.').waitFor({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The card form is taking a long time.').waitFor({ state: 'detached' });
    stripe.release();
    await giveCard(page, card.good);
    await paid(page, '67.03');
    await context.close();
  });

  test('fault 68: a page that the browser brings back is read anew before Pay can be pressed', async () => {
    const { page, context, stripe } = await openAs('amelia');
    const intentId = await beginOtherPayment(page, '68.01');
    await fieldsOf(page).getByLabel('Card number').fill(card.good);
    // The server's answers are held back: what can be pressed meanwhile is what matters.
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/payments/*', async (route) => {
      await held;
      await route.continue();
    });
    simulator.intents.confirm(intentId, 'pm_card_visa');
    await tellOfAll();
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    const pay = page.locator('form button[type="submit"]');
    await expect.poll(() => pay.getAttribute('aria-disabled')).toBe('true');
    await pay.evaluate((button) => (button as HTMLButtonElement).click());
    release();
    await paid(page, '68.01');
    expect(confirmations(stripe)).toBe(0);

    // And by the way back, from another screen.
    await page.getByRole('link', { name: /^(Back to your case|See what else we need)/ }).click();
    await page.waitForURL(`${product.url}/`);
    await page.goBack();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: /^Pay £68/ }).count()).toBe(0);
    await context.close();
  });
});

import type { Payment } from '@keyturn/contract';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { demonstrationPassword, sendRequest, signInToApi } from '../harness/api-client.ts';
import { collectPageErrors, newContext, newPage, readSignIn, signIn } from '../harness/browser.ts';
import { answerDetails, confirmDetails, payWith } from '../harness/pay-by-card.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';

const product = withProduct();

async function openAs(email: string): Promise<{ page: Page; context: BrowserContext; pageErrors: string[] }> {
  const context = await newContext(product.browser, { timezoneId: 'America/New_York' });
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  await signIn(page, product.url, email);
  return { page, context, pageErrors };
}

/** Goes from the home page to the card form of the first search to pay that matches the words. */
async function goToCardForm(page: Page, words: RegExp) {
  await page
    .getByRole('button', { name: words })
    .or(page.getByRole('link', { name: words }))
    .first()
    .click();
  await page.waitForURL('**/payment-details');
  await confirmDetails(page);
  await page.waitForURL('**/payment');
}

/** Cancels a payment that an earlier test has left open, so that the search can be paid. */
async function cancelOpenPayments() {
  const amelia = await signInToApi(() => product.url, 'amelia@example.test');
  const answer = await amelia.call('GET', '/payments');
  const { data } = (answer === 'unknown' ? {} : answer.body) as { data: Payment[] };
  for (const { id, status } of data) {
    if (status === 'requires_payment_method' || status === 'requires_action')
      await amelia.call('POST', `/payments/${id}/cancel`);
  }
}

/** Changes the price of the local authority search directly in the database, as the firm's own system would. */
async function changePriceOfLocalSearch(net: number) {
  const database = await connectToProductDatabase(product.dataDirectory);
  await database.query(
    `update case_searches set price_net = $1::int, price_vat = $1::int * price_vat_rate / 100,
       price_gross = $1::int + $1::int * price_vat_rate / 100 where name ilike 'local authority%'`,
    [net],
  );
  await database.end();
}

const payLocal = /^Pay £276\.00.*local authority/i;

describe('paying for a search', () => {
  afterEach(cancelOpenPayments);

  test('fault 20: shows why a card was declined, accepts another card, and shows the paid search to both owners', async () => {
    const amelia = await openAs('amelia@example.test');
    const tom = await openAs('tom@example.test');
    const payDrainage = /^Pay £55\.20.*drainage/i;
    await tom.page
      .getByRole('button', { name: payDrainage })
      .or(tom.page.getByRole('link', { name: payDrainage }))
      .first()
      .waitFor();

    await goToCardForm(amelia.page, payDrainage);
    await payWith(amelia.page, '4000 0000 0000 0002');
    const declineAlert = amelia.page.getByRole('alert').filter({ hasText: 'Your bank declined this card.' });
    await declineAlert.getByText(/You have not been charged\./).waitFor();
    await amelia.page.getByText(/^If you call us about this payment, quote KT-\d{4}-\d{5}\.$/).waitFor();
    expect(await declineAlert.evaluate((alert) => alert === document.activeElement)).toBe(true);
    expect(await declineAlert.getByRole('link', { name: '0117 496 0100' }).getAttribute('href')).toMatch(
      /^tel:/,
    );

    // The bank of this card answers late. Until then, no page may offer the payment again.
    await payWith(amelia.page, '4000 0000 0000 0077');
    await amelia.page.getByRole('heading', { name: 'We’re checking your payment' }).waitFor();
    await amelia.page.getByRole('link', { name: 'Back to your case' }).click();
    await amelia.page.getByText('Your bank is confirming the payment').waitFor();
    expect(await amelia.page.getByRole('link', { name: /^Pay £55\.20/ }).count()).toBe(0);
    await amelia.page.getByText('Paid, due to be ordered').waitFor({ timeout: 20_000 });
    await amelia.page.goto(`${product.url}/payment`);
    await amelia.page.getByRole('heading', { name: 'Payment received: £55.20' }).waitFor();
    expect(await amelia.page.getByText(/Receipt R-\d+/).isVisible()).toBe(true);

    await amelia.page.reload();
    await amelia.page.getByRole('heading', { name: 'Payment received: £55.20' }).waitFor();

    // Tom's page was open throughout and must update without a click.
    await tom.page.getByText('Paid, due to be ordered').first().waitFor({ timeout: 40_000 });
    expect(await tom.page.getByRole('button', { name: payDrainage }).count()).toBe(0);
    expect([...amelia.pageErrors, ...tom.pageErrors]).toEqual([]);
    await amelia.context.close();
    await tom.context.close();
  });

  test('fault 25: lets only the owner who confirmed enter a card; the other one sees who is paying, and can take over', async () => {
    const amelia = await openAs('amelia@example.test');
    const tom = await openAs('tom@example.test');
    await goToCardForm(amelia.page, payLocal);
    // Home and the payments page each name the payer once.
    await tom.page
      .getByText('Amelia has started to pay for this. Nothing has been charged.')
      .first()
      .waitFor();
    await tom.page.goto(`${product.url}/payments`);
    const row = tom.page.getByRole('listitem').filter({ hasText: 'Local authority' });
    await row.getByText('Amelia has started to pay for this. Nothing has been charged.').waitFor();
    await tom.page
      .getByText(/^(Paid in total|None yet)/)
      .first()
      .waitFor();
    expect(await row.count()).toBe(1);
    await row.getByRole('link', { name: /^See this payment/ }).click();
    await tom.page.getByRole('heading', { name: 'Amelia has started to pay for this' }).waitFor();
    expect(await tom.page.getByLabel('Card number').count()).toBe(0);

    await payWith(amelia.page, '4000 0000 0000 3220');
    await amelia.page.getByRole('dialog', { name: 'Test bank' }).waitFor();
    await tom.page.getByRole('heading', { name: 'Amelia is paying for this now' }).waitFor();
    expect(await tom.page.getByRole('dialog').count()).toBe(0);

    await amelia.page.getByRole('button', { name: 'No, refuse it' }).click();
    await amelia.page.getByText('The payment wasn’t confirmed with your bank.').waitFor();
    await tom.page.getByRole('heading', { name: 'Amelia has started to pay for this' }).waitFor();
    expect(await tom.page.getByRole('alert').count()).toBe(0);
    await amelia.page.reload();
    await amelia.page.getByText('The payment wasn’t confirmed with your bank.').waitFor();

    await tom.page.getByRole('button', { name: 'Pay it yourself instead' }).click();
    const dialog = tom.page.getByRole('dialog', { name: 'Stop Amelia’s payment?' });
    await dialog.getByRole('button', { name: 'Cancel Amelia’s payment' }).click();
    await tom.page.waitForURL('**/payment-details');
    await amelia.page.getByText('Tom cancelled the payment that you had started.').waitFor();
    await confirmDetails(tom.page);
    await tom.page.getByText(/^Use your own card\. We’ll email the receipt to tom@example\.test\./).waitFor();
    await amelia.page.getByRole('heading', { name: 'Tom has started to pay for this' }).waitFor();
    expect([...amelia.pageErrors, ...tom.pageErrors]).toEqual([]);
    await amelia.context.close();
    await tom.context.close();
  });

  test('shows how the price has changed and asks for another confirmation, instead of charging a different price', async () => {
    const { page, context } = await openAs('amelia@example.test');
    await page.getByRole('link', { name: payLocal }).first().click();
    await answerDetails(page);
    const submit = page.getByRole('button', { name: 'Continue to payment' });
    const message = 'You have not been charged. Please check the new price before you continue.';
    // The page receives the new price only with the answer to its request.
    const searches = '**/api/case-searches';
    await page.route(searches, (route) => route.abort());
    await page.route(`${searches}/*/payments`, async (route) => {
      await page.unroute(searches);
      await route.continue();
    });
    await changePriceOfLocalSearch(240_00);
    await submit.click();
    await page.getByText('The price has changed from £276.00 to £288.00.').waitFor();
    await page.getByText(message).waitFor();
    await submit.click();

    await page.getByRole('button', { name: 'Pay £288.00' }).waitFor();
    await changePriceOfLocalSearch(230_00);
    await payWith(page);
    await page.getByText('The price has changed from £288.00 to £276.00.').waitFor();
    await page.getByText(message).waitFor();
    await submit.click();
    await page.getByRole('button', { name: 'Pay £276.00' }).waitFor();
    await context.close();
  });

  test('shows the card form first on a phone, fills in the client’s name, and keeps earlier answers when going back', async () => {
    const { page, context, pageErrors } = await openAs('tom@example.test');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('link', { name: payLocal }).first().click();
    await page.getByLabel(/someone else/).check();
    await page.getByLabel('Whose card is it?').fill('Grace Okafor');
    await page.getByLabel(/Please order/).check();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    const number = page.getByLabel('Card number');
    await number.waitFor();
    const box = await number.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(844 - 68);
    expect(await page.getByLabel('Name on card').inputValue()).toBe('Grace Okafor');

    await page.getByRole('link', { name: 'Back to check your payment' }).click();
    expect(await page.getByLabel(/someone else/).isChecked()).toBe(true);
    expect(await page.getByLabel('Whose card is it?').inputValue()).toBe('Grace Okafor');
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('shows each card error next to its field and clears it on the next attempt', async () => {
    const { page, context, pageErrors } = await openAs('amelia@example.test');
    await goToCardForm(page, payLocal);
    await payWith(page, '4000 0000 0000 0127');
    await page.getByText(/The security code is incorrect\./).waitFor();
    const code = page.getByLabel('Security code');
    expect(await code.getAttribute('aria-invalid')).toBe('true');
    expect(await code.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await page.getByLabel('Card number').getAttribute('aria-invalid')).toBeNull();

    await payWith(page, '4242 4242 4242 4241');
    await page.getByText('Check the card number. At least one digit is wrong.').first().waitFor();
    expect(await page.getByText(/The security code is incorrect/).count()).toBe(0);
    expect(await code.getAttribute('aria-invalid')).toBeNull();

    await payWith(page, '4000 0000 0000 3220');
    await page.getByRole('dialog', { name: 'Test bank' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Use another card' }).click();
    await page.getByLabel('Card number').waitFor();
    expect(await page.getByText(/You have not been charged/).count()).toBe(0);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('does not repeat an earlier decline reason for an attempt that never reached the bank', async () => {
    const { page, context } = await openAs('amelia@example.test');
    await goToCardForm(page, payLocal);
    await payWith(page, '4000 0000 0000 0002');
    await page.getByText('Your bank declined this card.').waitFor();
    await page.route('**/sandbox/**/confirm', (route) => route.abort());
    await payWith(page, '4242 4242 4242 4242');
    await page.getByText('We did not hear back in time.').waitFor();
    await page.getByText(/You have not been charged\./).waitFor();
    expect(await page.getByText(/declined/).count()).toBe(0);
    expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
    expect(await page.getByLabel('Security code').inputValue()).toBe('');
    await page.reload();
    await page.getByText('We did not hear back in time.').waitFor();
    await context.close();
  });

  test('fault 21: completes a card payment after approval at the bank, even if the page is reloaded during the bank check', async () => {
    const { page, context, pageErrors } = await openAs('tom@example.test');
    await goToCardForm(page, payLocal);
    await payWith(page, '4000 0000 0000 3220');
    await page.getByRole('dialog', { name: 'Test bank' }).waitFor();

    // A reload returns to the bank check instead of starting a new payment.
    await page.reload();
    await page.getByRole('dialog', { name: 'Test bank' }).waitFor();
    await page.getByRole('button', { name: 'No, refuse it' }).click();
    await page
      .getByText(/You have not been charged/)
      .first()
      .waitFor();

    await payWith(page, '4000 0000 0000 3220');
    await page.getByRole('button', { name: /Yes, approve £276\.00/ }).click();
    await page.getByRole('heading', { name: 'Payment received: £276.00' }).waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('shows that there is nothing to pay when no payment has been started', async () => {
    const { page, context } = await openAs('amelia@example.test');
    await page.goto(`${product.url}/payment-details`);
    await page.getByRole('heading', { name: /There is nothing to pay/ }).waitFor();
    await context.close();
  });
});

describe('sign-in and navigation', () => {
  test('rejects a wrong password with the exact agreed message and keeps the email address', async () => {
    const page = await newPage(product.browser);
    await page.goto(`${product.url}/login`);
    await page.getByLabel('Email address').fill('priya@example.test');
    await page.getByLabel('Password', { exact: true }).fill('not-her-password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('These credentials do not match our records.').first().waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('priya@example.test');
    await page.close();
  });

  test('returns a client to the requested page after sign-in, and never to another site', async () => {
    const context = await newContext(product.browser);
    const page = await context.newPage();
    await page.goto(`${product.url}/payment-details`);
    await page.waitForURL('**/login?**');
    await page.getByLabel('Email address').fill('priya@example.test');
    await page.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/payment-details');
    await page.getByRole('heading', { level: 1 }).waitFor();

    await page.goto(`${product.url}/login`);
    await page.waitForURL(`${product.url}/`);
    await context.close();

    const freshContext = await newContext(product.browser);
    const luredPage = await freshContext.newPage();
    await luredPage.goto(`${product.url}/login?next=//example.com/`);
    await luredPage.getByLabel('Email address').fill('priya@example.test');
    await luredPage.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
    await luredPage.getByRole('button', { name: 'Sign in' }).click();
    await luredPage.waitForURL(`${product.url}/`);
    await freshContext.close();
  });

  test('signs out every tab and revokes the token when a client signs out in one tab', async () => {
    const { page, context } = await openAs('priya@example.test');
    const secondTab = await context.newPage();
    await secondTab.goto(product.url);
    await secondTab.getByRole('heading', { level: 1 }).waitFor();
    const headers = await readSignIn(page);
    const { authorization, cookie } = headers;
    const readable = await page.evaluate(() => JSON.stringify([{ ...localStorage }, document.cookie]));
    expect(readable).toContain(authorization.slice('Bearer '.length));
    expect(readable).not.toContain(cookie.split('=')[1]);
    const statusWith = async (sent: Record<string, string>) =>
      (await sendRequest(product.url, '/client', { headers: sent })).status;
    expect(await statusWith(headers)).toBe(200);
    expect(await statusWith({ authorization })).toBe(401);
    expect(await statusWith({ cookie })).toBe(401);
    await page.getByRole('button', { name: /Priya/ }).click();
    await page
      .getByRole('button', { name: 'Sign out' })
      .or(page.getByRole('menuitem', { name: 'Sign out' }))
      .click();
    await page.waitForURL('**/login');
    await secondTab.waitForURL('**/login**');
    await expect.poll(() => readSignIn(page).catch(() => null)).toBeNull();
    await expect.poll(() => statusWith(headers)).toBe(401);
    await context.close();
  });

  test('switches between the two cases of a client and remembers the choice after a reload', async () => {
    const { page, context, pageErrors } = await openAs('george@example.test');
    await expect.poll(() => page.title()).toBe('Your case – Keyturn Client Dashboard');
    // Until the case has loaded, the heading says "Your case".
    const heading = page.getByRole('heading', { level: 1 }).filter({ hasNotText: /^Your case$/ });
    const first = await heading.textContent();
    await page.getByRole('button', { name: 'Switch case' }).click();
    await page.getByRole('list', { name: 'Your cases' }).locator('button:not([aria-current])').click();
    await expect.poll(() => heading.textContent()).not.toBe(first);
    await page.reload();
    await expect.poll(() => heading.textContent()).not.toBe(first);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('shows an error page with a way back for an unknown address', async () => {
    const { page, context } = await openAs('priya@example.test');
    await page.goto(`${product.url}/no/such/page?with=query`);
    await page.getByText('Page not found: /no/such/page').waitFor();
    await page.getByText('404').waitFor();
    await page
      .getByRole('button', { name: 'Go Back' })
      .or(page.getByRole('link', { name: 'Go Back' }))
      .click();
    await page.waitForURL(`${product.url}/`);
    await context.close();
  });
});

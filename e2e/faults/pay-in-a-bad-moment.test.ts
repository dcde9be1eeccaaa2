import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { demonstrationPassword } from '../harness/api-client.ts';
import { newContext, signIn, storeSignIn } from '../harness/browser.ts';
import { answerDetails, confirmDetails, fillCard, payWith } from '../harness/pay-by-card.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';

const product = withProduct();
const queryDatabase = async (sql: string, values: unknown[] = []) => {
  const database = await connectToProductDatabase(product.dataDirectory);
  try {
    return (await database.query(sql, values)).rows;
  } finally {
    await database.end();
  }
};

// Each test pays for its own search: copies of one search of Amelia and Tom under different names.
beforeAll(async () => {
  await queryDatabase(
    `insert into case_searches
     select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'reference', s.reference || '-' || n,
       'name', 'Search ' || n, 'feed_hash', null))).*
     from case_searches s, generate_series(101, 120) n
     where s.id = (select id from case_searches where status = 'awaiting_payment' order by reference limit 1)`,
  );
});
let used = 100;
const nextSearch = () => {
  used += 1;
  return `Search ${used}`;
};

const openTab = async (email = 'amelia@example.test') => {
  const context = await newContext(product.browser);
  const page = await context.newPage();
  await storeSignIn(page, product.url, email);
  return { page, context };
};

/** Goes from the payments page to the questions before the payment for a search. */
async function goToDetails(page: Page, search: string) {
  await page.goto(`${product.url}/payments`);
  await page.getByRole('link', { name: new RegExp(`^Pay £.*for ${search}$`) }).click();
  await page.waitForURL('**/payment-details');
}

/** Goes from the payments page to the card form of a search, for a payment that was started too. */
async function goToCardForm(page: Page, search: string) {
  await page.goto(`${product.url}/payments`);
  await page.getByRole('link', { name: new RegExp(`^(Pay £.*|Continue ?)for ${search}$`) }).click();
  const form = page.getByLabel('Card number');
  const questions = page.getByRole('button', { name: 'Continue to payment' });
  await form.or(questions).first().waitFor();
  if (await questions.isVisible()) await confirmDetails(page);
  await form.waitFor();
}

/** Signs a client in and opens the card form of an unpaid search. */
async function openCardForm(email?: string) {
  const search = nextSearch();
  const tab = await openTab(email);
  await goToCardForm(tab.page, search);
  return { ...tab, search };
}

/** Pays with a card that requires a bank check, and stops there. */
async function payUntilBankCheck(page: Page) {
  await payWith(page, '4000 0000 0000 3220');
  await bankDialog(page).waitFor();
}

const pay = (page: Page) => page.getByRole('button', { name: /^Pay £/ });
const bankDialog = (page: Page) => page.getByRole('dialog', { name: 'Test bank' });
const approve = (page: Page) => page.getByRole('button', { name: /Yes, approve/ });
const receiptHeading = (page: Page) => page.getByRole('heading', { name: /^Payment received: £[\d.,]+$/ });

/** Expects one payment with one charge, and the receipt on every page before and after a reload. */
async function expectPaidOnce(search: string, ...pages: Page[]) {
  await expect
    .poll(() => paymentsOf(search), { timeout: 20_000 })
    .toEqual([
      { status: 'succeeded', search: 'paid', charges: 1, isFullyCaptured: true, receipt: expect.any(String) },
    ]);
  for (const page of pages) {
    await receiptHeading(page).waitFor();
    await page.reload();
    await receiptHeading(page).waitFor();
    await page.getByText(/^Receipt R-\d{4}-\d{6}$/).waitFor();
  }
}

const paymentsOf = (search: string) =>
  queryDatabase(
    `select p.status, s.status as search, p.receipt_number as receipt,
       (select count(*)::int from sandbox_charges c join sandbox_intents i on i.id = c.intent_id
        where i.metadata->>'payment_id' = p.id::text) as charges,
       p.amount = (select sum(money) from payment_changes where payment_id = p.id) as "isFullyCaptured"
     from payments p join case_searches s on s.id = p.case_search_id where s.name = $1`,
    [search],
  );
const statusOf = async (search: string) => (await paymentsOf(search))[0]?.status;

/** Counts a page's requests that start a payment, check it before its card is sent, or send the card. */
function countRequests(page: Page) {
  const requests = { starts: 0, checks: 0, cards: 0 };
  page.on('request', (request) => {
    if (request.method() !== 'POST') return;
    if (/\/case-searches\/[^/]+\/payments$/.test(request.url())) requests.starts += 1;
    if (/\/payments\/[^/]+\/confirm$/.test(request.url())) requests.checks += 1;
    if (/\/sandbox\/.+\/confirm$/.test(request.url())) requests.cards += 1;
  });
  return requests;
}

describe('a webhook that arrives early', () => {
  test('fault 10: shows a payment as paid once when the webhook arrives before the response to the browser', async () => {
    const { page, context, search } = await openCardForm();
    await page.route('**/sandbox/**/confirm', async (route) => {
      const response = await route.fetch();
      await expect.poll(() => statusOf(search), { timeout: 10_000 }).toBe('succeeded');
      await route.fulfill({ response });
    });
    await payWith(page);
    await receiptHeading(page).waitFor();
    await expectPaidOnce(search, page);
    await context.close();
  });
});

describe('an interrupted bank check', () => {
  test('fault 21: offers to continue or cancel in a new tab after the client closed the tab during the bank check', async () => {
    const { page, context, search } = await openCardForm();
    await payUntilBankCheck(page);
    await expect.poll(() => statusOf(search)).toBe('requires_action');
    await page.close();

    const newTab = await context.newPage();
    await newTab.goto(`${product.url}/payment`);
    await newTab.getByRole('heading', { name: 'You are paying for this on another page' }).waitFor();
    await newTab.getByRole('button', { name: /Cancel this payment/ }).waitFor();
    expect(await statusOf(search)).toBe('requires_action');
    await newTab.getByRole('button', { name: 'Continue here' }).click();
    await bankDialog(newTab).waitFor();
    await newTab.keyboard.press('Escape');
    await newTab.getByRole('button', { name: 'Use another card' }).click();
    await payWith(newTab);
    await expectPaidOnce(search, newTab);
    await context.close();
  });

  test('fault 21: keeps the bank check open when the client goes back and forward or waits ten minutes', async () => {
    const search = nextSearch();
    const context = await newContext(product.browser);
    const page = await context.newPage();
    await page.clock.install();
    await signIn(page, product.url, 'amelia@example.test');
    await goToCardForm(page, search);
    await payUntilBankCheck(page);
    await page.goBack();
    await page.waitForURL('**/payment-details');
    await page.goForward();
    await bankDialog(page).waitFor();
    await page.clock.fastForward('10:00');
    await bankDialog(page).waitFor();
    await approve(page).click();
    await expectPaidOnce(search, page);
    await context.close();
  });

  test('fault 22: shows a payment as paid on the next visit when the browser closed after bank approval', async () => {
    const { page, context, search } = await openCardForm();
    await payUntilBankCheck(page);
    const approved = new Promise<void>((done) => {
      void page.route('**/sandbox/**/authenticate', async (route) => {
        await route.fetch();
        await route.abort();
        done();
      });
    });
    await approve(page).click();
    await approved;
    await page.close();

    await expect.poll(() => statusOf(search), { timeout: 10_000 }).toBe('succeeded');
    const laterTab = await context.newPage();
    await laterTab.goto(`${product.url}/payment`);
    await expectPaidOnce(search, laterTab);
    await context.close();
  });
});

describe('repeated presses', () => {
  test.each([
    ['a double click', (page: Page) => pay(page).dblclick()],
    [
      'holding down Enter',
      async (page: Page) => {
        await page.getByLabel('Security code').focus();
        for (let time = 0; time < 30; time += 1) await page.keyboard.down('Enter');
        await page.keyboard.up('Enter');
      },
    ],
    [
      'a screen reader that presses several times at once',
      (page: Page) =>
        pay(page).evaluate((button: HTMLButtonElement) => {
          for (let time = 0; time < 5; time += 1) {
            button.click();
            button.form?.requestSubmit();
          }
        }),
    ],
  ])('fault 23: %s sends one card and pays once', async (_action, press) => {
    const { page, context, search } = await openCardForm();
    const requests = countRequests(page);
    await fillCard(page);
    await press(page);
    await receiptHeading(page).waitFor();
    expect(requests.cards).toBe(1);
    expect(requests.checks).toBe(1);
    expect(requests.starts).toBe(0);
    await expectPaidOnce(search, page);
    await context.close();
  });

  test('fault 23: a double click on "Continue to payment" starts one payment', async () => {
    const search = nextSearch();
    const { page, context } = await openTab();
    await page.goto(`${product.url}/payments`);
    await page.getByRole('link', { name: new RegExp(`^Pay £.*for ${search}$`) }).click();
    await page.getByLabel(/^Yes, /).check();
    await page.getByLabel(/Please order/).check();
    const requests = countRequests(page);
    await page.getByRole('button', { name: 'Continue to payment' }).dblclick();
    await page.getByLabel('Card number').waitFor();
    expect(requests.starts).toBe(1);
    expect(await paymentsOf(search)).toHaveLength(1);
    await context.close();
  });
});

describe('several pages for one search', () => {
  test('fault 24: opens the same payment in a second tab and shows it as paid there when the first tab pays', async () => {
    const search = nextSearch();
    const { page, context } = await openTab();
    const secondTab = await context.newPage();
    await goToCardForm(page, search);
    await goToCardForm(secondTab, search);
    expect(await paymentsOf(search)).toHaveLength(1);
    await fillCard(secondTab);
    await payWith(page);
    await receiptHeading(page).waitFor();
    await receiptHeading(secondTab).waitFor({ timeout: 40_000 });
    await expectPaidOnce(search, page, secondTab);
    await context.close();
  });

  test('fault 25: charges once when joint clients continue to the payment at the same moment, and shows the receipt to both', async () => {
    const search = nextSearch();
    const amelia = await openTab();
    const tom = await openTab('tom@example.test');
    const owners = [amelia, tom];
    await Promise.all(owners.map(({ page }) => goToDetails(page, search)));
    await Promise.all(owners.map(({ page }) => answerDetails(page)));
    const buttons = await Promise.all(
      owners.map(({ page }) => page.getByRole('button', { name: 'Continue to payment' }).elementHandle()),
    );
    // Pressed on both pages at the same time, before a live update can replace the form on one of them.
    await Promise.all(
      buttons.map((button) => button?.evaluate((element) => (element as HTMLElement).click())),
    );
    const shown = ({ page }: typeof amelia) => page.getByLabel('Card number').isVisible();
    const elsewhere = /^(Amelia|Tom) has started to pay for this$/;
    await expect
      .poll(async () => (await Promise.all(owners.map(shown))).filter(Boolean).length, { timeout: 40_000 })
      .toBe(1);
    const [payer, other] = (await shown(amelia)) ? [amelia, tom] : [tom, amelia];
    await other.page.getByRole('heading', { name: elsewhere }).waitFor();
    await payWith(payer.page);
    await receiptHeading(payer.page).waitFor({ timeout: 40_000 });
    await other.page.getByRole('heading', { name: /^(Amelia|Tom) paid £/ }).waitFor({ timeout: 40_000 });
    await expectPaidOnce(search, payer.page);
    await amelia.context.close();
    await tom.context.close();
  });

  test('fault 26: shows the receipt and charges nothing when a stale tab presses Pay again', async () => {
    const search = nextSearch();
    const { page, context } = await openTab();
    const oldTab = await context.newPage();
    await goToCardForm(page, search);
    await goToCardForm(oldTab, search);
    await fillCard(oldTab);
    // The tab is cut off from the server, so it cannot find out that the other tab paid.
    await oldTab.route('**/api/**', (route) => route.abort());
    await payWith(page);
    await receiptHeading(page).waitFor();
    expect(await oldTab.getByLabel('Card number').isVisible()).toBe(true);
    await oldTab.unroute('**/api/**');
    const requests = countRequests(oldTab);
    await pay(oldTab).click();
    await receiptHeading(oldTab).waitFor();
    expect(requests.cards).toBe(0);
    await expectPaidOnce(search, page, oldTab);
    await context.close();
  });
});

describe('a session that ends during a payment', () => {
  test('fault 27: shows a payment as paid after signing in again when the session expired during the bank check', async () => {
    const { page, context, search } = await openCardForm('tom@example.test');
    await payUntilBankCheck(page);
    await page.route('**/sandbox/**/authenticate', async (route) => {
      await queryDatabase(
        `update sessions set expires_at = now() - interval '1 second'
         where client_id = (select id from clients where email = 'tom@example.test')`,
      );
      await route.continue();
    });
    await approve(page).click();
    await page.waitForURL('**/login?next=%2Fpayment', { timeout: 40_000 });
    await page.getByText('Your session has ended. Sign in to continue where you left off.').waitFor();
    await page.getByLabel('Email address').fill('tom@example.test');
    await page.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${product.url}/payment`);
    await expectPaidOnce(search, page);
    await context.close();
  });

  test('fault 28: clears the payment screen when the client signs out in another tab, and completes the payment', async () => {
    const search = nextSearch();
    const { page, context } = await openTab();
    const secret = page
      .waitForResponse((response) => /\/case-searches\/[^/]+\/payments$/.test(response.url()))
      .then(async (response) => (await response.json()).data.client_secret as string);
    await goToCardForm(page, search);
    await payUntilBankCheck(page);
    const other = await context.newPage();
    await other.goto(product.url);
    await other.getByRole('button', { name: /Amelia Okafor/ }).click();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.waitForURL('**/login**');
    await page.waitForURL('**/login**');
    expect(await bankDialog(page).count()).toBe(0);
    expect(await page.getByText(search).count()).toBe(0);
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
    ).not.toMatch(/kt_|_secret_|Amelia/);

    // The client approves the payment in the bank's app.
    const clientSecret = await secret;
    const intent = clientSecret.split('_secret')[0];
    const answer = await fetch(`${product.url}/api/sandbox/payment-intents/${intent}/authenticate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_secret: clientSecret, outcome: 'approved' }),
    });
    expect(answer.status).toBe(200);
    await expectPaidOnce(search);
    await signIn(page, product.url, 'amelia@example.test', '/payments');
    await page.getByText(search).first().waitFor();
    expect(await page.getByRole('link', { name: new RegExp(`^Pay £.*for ${search}$`) }).count()).toBe(0);
    await context.close();
  });
});

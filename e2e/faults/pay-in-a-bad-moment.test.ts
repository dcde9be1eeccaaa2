import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { demonstrationPassword, signIn } from '../harness/browser.ts';
import { confirmDetails, fillCard, payWith } from '../harness/pay-by-card.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';

const product = withProduct();

const inDatabase = async (sql: string, values: unknown[] = []) => {
  const database = await connectToProductDatabase(product.dataDirectory);
  try {
    return (await database.query(sql, values)).rows;
  } finally {
    await database.end();
  }
};

// A search for each test: copies of one of Amelia's and Tom's, under names of their own.
beforeAll(async () => {
  await inDatabase(
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
  const context = await product.browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await signIn(page, product.url, email);
  return { page, context };
};

/** From the list of what is due to the card form of a search. */
async function goToCardForm(page: Page, search: string) {
  await page.goto(`${product.url}/payments`);
  await page.getByRole('link', { name: new RegExp(`^Pay £.*for ${search}$`) }).click();
  await page.waitForURL('**/payment-details');
  await confirmDetails(page);
  await page.getByLabel('Card number').waitFor();
}

/** A client at the card form of a search that is yet to be paid. */
async function openCardForm(email?: string) {
  const search = nextSearch();
  const tab = await openTab(email);
  await goToCardForm(tab.page, search);
  return { ...tab, search };
}

/** Gives a card whose bank asks a question first. */
async function payUpToBank(page: Page) {
  await payWith(page, '4000 0000 0000 3220');
  await bank(page).waitFor();
}

const pay = (page: Page) => page.getByRole('button', { name: /^Pay £/ });
const bank = (page: Page) => page.getByRole('dialog', { name: 'Test bank' });
const approve = (page: Page) => page.getByRole('button', { name: /Yes, approve/ });
const thanks = (page: Page) => page.getByRole('heading', { name: /^Payment received: £[\d.,]+$/ });

/** One payment, one intent, one charge; and every look at it says the same, now and after a reload. */
async function expectPaidOnce(search: string, ...pages: Page[]) {
  await expect
    .poll(() => booksOf(search), { timeout: 20_000 })
    .toEqual([
      { status: 'succeeded', search: 'paid', charges: 1, wasTaken: true, receipt: expect.any(String) },
    ]);
  for (const page of pages) {
    await thanks(page).waitFor();
    await page.reload();
    await thanks(page).waitFor();
    await page.getByText(/^Receipt R-\d{4}-\d{6}$/).waitFor();
  }
}

const booksOf = (search: string) =>
  inDatabase(
    `select p.status, s.status as search, p.receipt_number as receipt,
       (select count(*)::int from sandbox_charges c join sandbox_intents i on i.id = c.intent_id
        where i.metadata->>'payment_id' = p.id::text) as charges,
       p.amount = (select sum(money) from payment_changes where payment_id = p.id) as "wasTaken"
     from payments p join case_searches s on s.id = p.case_search_id where s.name = $1`,
    [search],
  );
const statusOf = async (search: string) => (await booksOf(search))[0]?.status;

/** Counts a page's requests that start a payment, check it before its card is sent, or send the card. */
function countRequests(page: Page) {
  const made = { starts: 0, checks: 0, cards: 0 };
  page.on('request', (request) => {
    if (request.method() !== 'POST') return;
    if (/\/case-searches\/[^/]+\/payments$/.test(request.url())) made.starts += 1;
    if (/\/payments\/[^/]+\/confirm$/.test(request.url())) made.checks += 1;
    if (/\/sandbox\/.+\/confirm$/.test(request.url())) made.cards += 1;
  });
  return made;
}

describe('an answer that is overtaken', () => {
  test('fault 10: a payment of which the webhook has told before the browser is answered shows as paid, once', async () => {
    const { page, context, search } = await openCardForm();
    await page.route('**/sandbox/**/confirm', async (route) => {
      const response = await route.fetch();
      await expect.poll(() => statusOf(search), { timeout: 10_000 }).toBe('succeeded');
      await route.fulfill({ response });
    });
    await payWith(page);
    await thanks(page).waitFor();
    await expectPaidOnce(search, page);
    await context.close();
  });
});

describe("the bank's question", () => {
  test('fault 21: a client who closes the tab at the bank is asked in the next one whether to go on or to start again', async () => {
    const { page, context, search } = await openCardForm();
    await payUpToBank(page);
    await expect.poll(() => statusOf(search)).toBe('requires_action');
    await page.close();

    const again = await context.newPage();
    await again.goto(`${product.url}/payment`);
    await again.getByRole('heading', { name: 'You are paying for this on another page' }).waitFor();
    await again.getByRole('button', { name: /Cancel this payment/ }).waitFor();
    expect(await statusOf(search)).toBe('requires_action');
    await again.getByRole('button', { name: 'Continue here' }).click();
    await bank(again).waitFor();
    await again.keyboard.press('Escape');
    await again.getByRole('button', { name: 'Use another card' }).click();
    await payWith(again);
    await expectPaidOnce(search, again);
    await context.close();
  });

  test('fault 21: who goes back and forward at the bank, and comes back after ten minutes, is still asked there', async () => {
    const search = nextSearch();
    const context = await product.browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.clock.install();
    await signIn(page, product.url, 'amelia@example.test');
    await goToCardForm(page, search);
    await payUpToBank(page);
    await page.goBack();
    await page.waitForURL('**/payment-details');
    await page.goForward();
    await bank(page).waitFor();
    await page.clock.fastForward('10:00');
    await bank(page).waitFor();
    await approve(page).click();
    await expectPaidOnce(search, page);
    await context.close();
  });

  test('fault 22: a client who says yes to the bank and never gets back sees it paid at the next visit', async () => {
    const { page, context, search } = await openCardForm();
    await payUpToBank(page);
    const said = new Promise<void>((done) => {
      void page.route('**/sandbox/**/authenticate', async (route) => {
        await route.fetch();
        await route.abort();
        done();
      });
    });
    await approve(page).click();
    await said;
    await page.close();

    await expect.poll(() => statusOf(search), { timeout: 10_000 }).toBe('succeeded');
    const later = await context.newPage();
    await later.goto(`${product.url}/payment`);
    await expectPaidOnce(search, later);
    await context.close();
  });
});

describe('pressing more than once', () => {
  test.each([
    ['a double click', (page: Page) => pay(page).dblclick()],
    [
      'Enter that is held down',
      async (page: Page) => {
        await page.getByLabel('Security code').focus();
        for (let time = 0; time < 30; time += 1) await page.keyboard.down('Enter');
        await page.keyboard.up('Enter');
      },
    ],
    [
      'a screen reader that presses twice at once',
      (page: Page) =>
        pay(page).evaluate((button: HTMLButtonElement) => {
          for (let time = 0; time < 5; time += 1) {
            button.click();
            button.form?.requestSubmit();
          }
        }),
    ],
  ])('fault 23: %s sends one card and pays once', async (_what, press) => {
    const { page, context, search } = await openCardForm();
    const made = countRequests(page);
    await fillCard(page);
    await press(page);
    await thanks(page).waitFor();
    expect(made.cards).toBe(1);
    expect(made.checks).toBe(1);
    expect(made.starts).toBe(0);
    await expectPaidOnce(search, page);
    await context.close();
  });

  test('fault 23: a double click on "Continue to payment" begins one payment', async () => {
    const search = nextSearch();
    const { page, context } = await openTab();
    await page.goto(`${product.url}/payments`);
    await page.getByRole('link', { name: new RegExp(`^Pay £.*for ${search}$`) }).click();
    await page.getByLabel(/Yes, mine/).check();
    await page.getByLabel(/Please order now/).check();
    const made = countRequests(page);
    await page.getByRole('button', { name: 'Continue to payment' }).dblclick();
    await page.getByLabel('Card number').waitFor();
    expect(made.starts).toBe(1);
    expect(await booksOf(search)).toHaveLength(1);
    await context.close();
  });
});

describe('two pages for one search', () => {
  test('fault 24: of two tabs the second has the same payment, and shows it paid once the first has paid', async () => {
    const search = nextSearch();
    const { page, context } = await openTab();
    const second = await context.newPage();
    await goToCardForm(page, search);
    await goToCardForm(second, search);
    expect(await booksOf(search)).toHaveLength(1);
    await fillCard(second);
    await payWith(page);
    await thanks(page).waitFor();
    await thanks(second).waitFor({ timeout: 40_000 });
    await expectPaidOnce(search, page, second);
    await context.close();
  });

  test('fault 25: joint owners on two devices who press at the same moment pay once, and both see it paid', async () => {
    const search = nextSearch();
    const amelia = await openTab();
    const tom = await openTab('tom@example.test');
    for (const { page } of [amelia, tom]) {
      await goToCardForm(page, search);
      await fillCard(page);
    }
    await Promise.all([pay(amelia.page).click(), pay(tom.page).click()]);
    await Promise.all([amelia, tom].map(({ page }) => thanks(page).waitFor({ timeout: 40_000 })));
    await expectPaidOnce(search, amelia.page, tom.page);
    await amelia.context.close();
    await tom.context.close();
  });

  test('fault 26: an old tab that knows nothing of it and presses Pay again is shown the receipt, and pays nothing', async () => {
    const search = nextSearch();
    const { page, context } = await openTab();
    const old = await context.newPage();
    await goToCardForm(page, search);
    await goToCardForm(old, search);
    await fillCard(old);
    // It sleeps: it hears of nothing, from the server or from the other tab.
    await old.route('**/api/**', (route) => route.abort());
    await payWith(page);
    await thanks(page).waitFor();
    expect(await old.getByLabel('Card number').isVisible()).toBe(true);
    await old.unroute('**/api/**');
    const made = countRequests(old);
    await pay(old).click();
    await thanks(old).waitFor();
    expect(made.cards).toBe(0);
    await expectPaidOnce(search, page, old);
    await context.close();
  });
});

describe('a sign-in that ends', () => {
  test('fault 27: a token that expires while the bank asks harms nothing: after signing in the payment stands paid', async () => {
    const { page, context, search } = await openCardForm('tom@example.test');
    await payUpToBank(page);
    await page.route('**/sandbox/**/authenticate', async (route) => {
      await inDatabase(
        `update sessions set expires_at = now() - interval '1 second'
         where client_id = (select id from clients where email = 'tom@example.test')`,
      );
      await route.continue();
    });
    await approve(page).click();
    await page.waitForURL('**/login?next=%2Fpayment', { timeout: 40_000 });
    await page.getByText('Your session has expired. Sign in to continue where you left off.').waitFor();
    await page.getByLabel('Email address').fill('tom@example.test');
    await page.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${product.url}/payment`);
    await expectPaidOnce(search, page);
    await context.close();
  });

  test('fault 28: who signs out in another tab while the bank asks has no screen of it left, and the payment settles', async () => {
    const search = nextSearch();
    const { page, context } = await openTab();
    const secret = page
      .waitForResponse((response) => /\/case-searches\/[^/]+\/payments$/.test(response.url()))
      .then(async (response) => (await response.json()).data.client_secret as string);
    await goToCardForm(page, search);
    await payUpToBank(page);
    const other = await context.newPage();
    await other.goto(product.url);
    await other.getByRole('button', { name: /Amelia Okafor/ }).click();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.waitForURL('**/login**');
    await page.waitForURL('**/login**');
    expect(await bank(page).count()).toBe(0);
    expect(await page.getByText(search).count()).toBe(0);
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
    ).not.toMatch(/kt_|_secret_|Amelia/);

    // The client says yes in the bank's own app.
    const clientSecret = await secret;
    const intent = clientSecret.split('_secret')[0];
    const answer = await fetch(`${product.url}/api/sandbox/payment-intents/${intent}/authenticate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_secret: clientSecret, outcome: 'approved' }),
    });
    expect(answer.status).toBe(200);
    await expectPaidOnce(search);
    await signIn(page, product.url, 'amelia@example.test');
    await page.goto(`${product.url}/payments`);
    await page.getByText(search).first().waitFor();
    expect(await page.getByRole('link', { name: new RegExp(`^Pay £.*for ${search}$`) }).count()).toBe(0);
    await context.close();
  });
});

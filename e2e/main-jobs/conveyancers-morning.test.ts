import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { signInToDesk } from '../harness/desk-screens.ts';
import { answeredAt, type Change, watchFor } from '../harness/measure-shown.ts';
import { confirmDetails, payWith } from '../harness/pay-by-card.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { recordChannel } from '../harness/record-channel.ts';
import { addVirtualAuthenticator } from '../harness/virtual-authenticator.ts';
import { hasPromisedDayCome } from './demonstration-day.ts';

const product = withProduct();

/**
 * Milliseconds from a response to the change on the other pages. It takes less than a second on an idle machine, and
 * up to 30 seconds on pages without live updates.
 */
const maxDelay = 10_000;

const delays: string[] = [];

/**
 * Does something on a page, and measures the time from the response to its request until other pages show the change.
 * An edit that is based on an outdated version is sent again by the desk.
 */
async function measure(
  name: string,
  { by, call, changes }: { by: Page; call: RegExp; changes: readonly Change[] },
  act: () => Promise<unknown>,
): Promise<void> {
  const shown = await Promise.all(changes.map(watchFor));
  const [response] = await Promise.all([
    by.waitForResponse((sent) => sent.request().method() !== 'GET' && call.test(sent.url()) && sent.ok()),
    act(),
  ]);
  const answered = await answeredAt(response);
  for (const [index, whenShown] of shown.entries()) {
    // Another page can show the change before the response arrives, because the request still prepares a file.
    const delay = Math.max(0, Math.round((await whenShown()) - answered));
    delays.push(`${name}${shown.length > 1 ? ` ${index + 1}` : ''}: ${delay} ms`);
    expect(delay, name).toBeLessThan(maxDelay);
  }
}

test('a handler works through a morning, and within moments the desk and the client’s page show each other’s changes', async ({
  annotate,
}) => {
  const desk = await openDesk();
  const amelia = await openAmelia();
  await workThroughToday(desk.page);
  await runCase(desk.page, amelia.page);
  await payAndSign(desk, amelia.page);
  await annotate(delays.join(', '));
  expect([...desk.errors.filter((error) => !outdatedEdit.test(error)), ...amelia.errors]).toEqual([]);
});

/** The desk sends such an edit again. On a busy machine, the next edit can be quicker than the case’s newest version. */
const outdatedEdit = /^console error: .*status of 409 .*\/api\/staff\/milestones\//;

/** Enrols a passkey for Rhian, and signs in with it. */
async function openDesk() {
  const context = await newContext(product.browser, { viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const errors = collectPageErrors(page);
  await addVirtualAuthenticator(context, page);
  const url = `${product.url}/desk`;
  await signInToDesk(page, url.replace(/\/desk$/, ''), 'rhian.morgan@example.test');
  await page.goto(`${url}/account`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Create the passkey' }).click();
  await page.getByLabel('I’ve kept my recovery codes').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: /^Rhian Morgan.*your account/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  return {
    page,
    errors,
    /** Opens another tab of the same member, with live updates. */
    openTab: async (path: string, heading: string) => {
      const tab = await context.newPage();
      errors.push(...collectPageErrors(tab));
      const channel = recordChannel(tab);
      await tab.goto(url + path);
      await tab.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await expect.poll(() => channel.subscriptions().length).toBe(1);
      return tab;
    },
  };
}

async function openAmelia() {
  const context = await newContext(product.browser);
  const page = await context.newPage();
  const errors = collectPageErrors(page);
  const channel = recordChannel(page);
  await signIn(page, product.url, 'amelia@example.test');
  await page.getByText(/^Last updated/).waitFor();
  await expect.poll(() => channel.subscriptions().length).toBe(4);
  return { page, errors };
}

/**
 * Deals with everything on Rhian’s list, until it is empty. The list has the promise for the next working day only on a
 * working day; a day later, or after midnight, that promise is missed.
 */
async function workThroughToday(page: Page): Promise<void> {
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  const backToToday = async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('t');
  };
  await row('Search paid, not ordered').getByRole('link', { name: 'Order the search' }).click();
  await chooseForSearch(page, 'Drainage and water search', 'Record the order');
  await page.getByRole('button', { name: 'Ordered', exact: true }).click();
  await page.getByText('Drainage and water search is ordered.').waitFor();
  await backToToday();

  const promises = [
    [
      'Promised update missed.*9 Weavers Mews',
      'We’re sorry that this is late. The seller’s lawyer has answered three of five questions.',
    ],
    [
      '(Update promised for today|Promised update missed).*5 Mill Lane',
      'The bank has valued your home. It promises its offer by Friday.',
    ],
  ] as const;
  for (const [name, text] of hasPromisedDayCome() ? promises : promises.slice(0, 1)) {
    await row(name).getByRole('link', { name: 'Write an update' }).click();
    await sendUpdate(page, text);
    await backToToday();
    await row(name).waitFor({ state: 'detached' });
  }

  await row('Client’s task overdue').getByRole('link', { name: 'Chase the client' }).click();
  await page.getByRole('button', { name: 'Done: Call us about your buildings insurance' }).click();
  await page.getByText('“Call us about your buildings insurance” is done.').waitFor();
  await backToToday();
  await page.getByText(/^Nothing (of yours )?needs attention/).waitFor();
}

/**
 * Sends an update, completes a milestone, adds a search and requests a signature: each appears on the client’s page.
 */
async function runCase(page: Page, client: Page): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await page.getByRole('link', { name: 'Amelia Okafor and Tom Okafor' }).click();
  await page.getByRole('heading', { name: /^Sale of 14 Alder Row/ }).waitFor();
  const seen = (call: RegExp, change: Omit<Change, 'on'>) => ({
    by: page,
    call,
    changes: [{ on: client, ...change }],
  });

  const update = 'The seller’s lawyer has promised the replies to our questions for Thursday.';
  await measure('update', seen(/\/updates$/, { appears: update }), () => sendUpdate(page, update));

  await page.keyboard.press('2');
  await measure('milestone', seen(/\/milestones\//, { disappears: 'Mortgage offer, waiting for' }), () =>
    page.getByRole('button', { name: 'Mark as reached: Mortgage offer' }).click(),
  );

  await page.keyboard.press('3');
  await page.getByRole('button', { name: 'Add a search to the purchase' }).click();
  await page.getByLabel('Search', { exact: true }).selectOption('CON29M');
  await measure('search', seen(/\/searches$/, { appears: 'Coal mining search' }), () =>
    page.getByRole('button', { name: 'Add the search' }).click(),
  );

  await page.keyboard.press('4');
  await page.getByRole('button', { name: 'Edit The title to 14 Alder Row' }).click();
  await page.getByLabel('Signature', { exact: true }).selectOption('simple');
  await measure(
    'request to sign',
    seen(/\/documents\//, { appears: 'Sign: The title to 14 Alder Row' }),
    () => page.getByRole('button', { name: 'Save' }).click(),
  );
}

/** The client pays and signs, and open pages of the desk show it. In between, the paid search gets its result. */
async function payAndSign(
  { page, openTab }: Awaited<ReturnType<typeof openDesk>>,
  client: Page,
): Promise<void> {
  const today = await openTab('/', 'Today');
  const payments = await openTab('/payments', 'Payments');
  const search = 'Drainage and water search';
  await page.keyboard.press('3');
  await client
    .getByRole('link', { name: /^Pay £55\.20/ })
    .first()
    .click();
  await confirmDetails(client);
  await payments.getByRole('row', { name: search }).getByText('No receipt').waitFor();
  await measure(
    'payment',
    {
      by: client,
      call: /\/payments\/[^/]+\/confirm$/,
      changes: [
        { on: page, appears: 'Paid, ready to order' },
        { on: today, appears: 'Search paid, not ordered' },
        { on: payments, disappears: 'No receipt' },
      ],
    },
    () => payWith(client),
  );

  await client.getByRole('link', { name: /See what else we need|Back to your case/ }).click();
  await client.getByText('Property searches').waitFor();
  await chooseForSearch(page, search, 'Record the order');
  await measure('order', { by: page, call: /\/order$/, changes: [{ on: client, appears: 'Ordered' }] }, () =>
    page.getByRole('button', { name: 'Ordered', exact: true }).click(),
  );
  await chooseForSearch(page, search, 'Record the result');
  await page.getByLabel('File of the result').setInputFiles({
    name: 'drainage.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7 The drains run under the lane.'),
  });
  await measure(
    'result',
    { by: page, call: /\/result$/, changes: [{ on: client, appears: 'Result received' }] },
    () => page.getByRole('button', { name: 'Record the result' }).click(),
  );

  await page.keyboard.press('4');
  await client.goto(`${product.url}/documents/purchase/to-sign`);
  await client.getByRole('link', { name: 'Declaration of trust for The Old Chapel' }).click();
  await client.getByLabel('Your full name').fill('Amelia Okafor');
  await client.getByLabel(/I’ve read this document/).check();
  await measure(
    'signature',
    {
      by: client,
      call: /\/signature$/,
      changes: [
        // The other document still needs both signatures.
        { on: page, appears: 'Waiting for Tom' },
        { on: today, appears: 'Document signed' },
      ],
    },
    () => client.getByRole('button', { name: /^Sign the declaration of trust/ }).click(),
  );
}

/** Writes an update on the open case and sends it. */
async function sendUpdate(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Send an update' }).click();
  await page.getByLabel(/^Update for /).fill(text);
  await page.keyboard.press('Control+Enter');
  await page
    .getByText(/^Sent to /)
    .last()
    .waitFor();
}

/** Opens the menu of a search on the open case, and chooses a command. */
async function chooseForSearch(page: Page, search: string, command: string): Promise<void> {
  const row: Locator = page.getByRole('row', { name: search });
  await row.getByRole('button', { name: 'Change' }).click();
  await row.getByRole('menuitem', { name: command }).click();
}

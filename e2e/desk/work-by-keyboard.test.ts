import { buildCase } from '@keyturn/testkit/builders/builders.ts';
import { runLength, variants } from '@keyturn/testkit/run-length.ts';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase } from '../../apps/server/src/adapters/postgres/connect.ts';
import {
  colourRules,
  expectNoSidewaysScrolling,
  findAccessibilityViolations,
} from '../harness/accessibility-violations.ts';
import { collectPageErrors, newContext } from '../harness/browser.ts';
import { storeDeskSignIn } from '../harness/desk-screens.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { connectToProductDatabase, productDatabaseUrl } from '../harness/product-database.ts';

const product = withProduct();

const wide = { width: 1440, height: 900 };

async function openDesk(email: string): Promise<{ context: BrowserContext; page: Page; errors: string[] }> {
  const context = await newContext(product.browser, { viewport: wide });
  const page = await context.newPage();
  const errors = collectPageErrors(page);
  await storeDeskSignIn(page, product.url, email);
  await page.goto(`${product.url}/desk`);
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor({ state: 'attached' });
  return { context, page, errors };
}

describe('updates by keyboard alone', () => {
  // The demonstration has five open cases.
  const count = runLength({ short: 4, long: 20 });

  beforeAll(() => copyCases(count - 5));

  test(`sends an update to ${count} cases with four keystrokes each besides the text, and loses no key that is pressed early`, async ({
    annotate,
  }) => {
    const { context, page, errors } = await openDesk('rhian.morgan@example.test');
    let keystrokes = 0;
    const press = async (...keys: string[]) => {
      for (const key of keys) {
        keystrokes += key.split('+').length;
        await page.keyboard.press(key);
      }
    };
    const startedAt = Date.now();
    await press('g', 'c');
    await page.getByRole('rowheader').first().waitFor();
    await press('j', 'Enter');
    const written: string[] = [];
    for (let number = 0; number < count; number += 1) {
      // Does not wait between the last key for one case and the first key for the next.
      if (number > 0) await press('n');
      await press('u');
      await page.waitForFunction(() => document.activeElement?.matches('textarea'));
      const text = texts[number % texts.length] ?? '';
      await page.keyboard.type(text);
      written.push(text);
      await press('Control+Enter');
    }
    await page.getByRole('heading', { name: 'Send an update' }).waitFor({ state: 'detached' });
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    const typed = written.join('').length;
    await annotate(
      `${count} updates: ${keystrokes} keystrokes and ${typed} characters of text, in ${seconds} s by a machine`,
    );
    expect(keystrokes).toBe(3 + 4 * count);
    await expect.poll(() => countUpdates(written)).toEqual({ updates: count, cases: count });
    expect(errors).toEqual([]);
    await context.close();
  });

  test('moves to the next case after sending, and returns to the row that the member came from', async () => {
    const { context, page } = await openDesk('rhian.morgan@example.test');
    await page.goto(`${product.url}/desk/cases`);
    await page.getByRole('rowheader').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const [, second] = await page.getByRole('rowheader').allTextContents();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Send an update' }).waitFor();
    await page.keyboard.press('u');
    await page.keyboard.type('The managing agent sends the pack on Tuesday.');
    await page.keyboard.press('Control+Enter');
    expect(await focusedText(page)).toBe('Next case');
    await page.getByText(/^Sent to /).waitFor();
    expect(await focusedText(page)).toBe('Next case');
    await page.goBack();
    await expect.poll(() => focusedRow(page)).toBe(second);
    await context.close();
  });

  test('keeps an update that could not be sent, and shows a message on the next case', async () => {
    const { context, page } = await openDesk('rhian.morgan@example.test');
    await page.goto(`${product.url}/desk/cases`);
    await page.getByRole('rowheader').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Send an update' }).waitFor();
    const first = await page.getByRole('heading', { level: 1 }).textContent();
    let reject = () => {};
    await page.route('**/updates', async (route) => {
      await new Promise<void>((resolve) => {
        reject = resolve;
      });
      await route.abort();
    });
    await page.keyboard.press('u');
    await page.keyboard.type('The lender has asked for two payslips.');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('n');
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).not.toBe(first);
    await page.getByRole('button', { name: 'Send an update' }).waitFor();
    await page.keyboard.press('u');
    await page.keyboard.type('The buyers');
    reject();
    await page.getByText(/^The update for KT-.* was not sent, and is kept there\./).waitFor();
    await page.keyboard.type(' have agreed.');
    expect(await page.getByLabel(/^Update for/).inputValue()).toBe('The buyers have agreed.');
    await page.goBack();
    await expect
      .poll(() => page.getByLabel(/^Update for/).inputValue())
      .toBe('The lender has asked for two payslips.');
    await context.close();
  });
});

test('moves the focus to the next row when another tab deals with the focused one, and announces it', async () => {
  const { context, page, errors } = await openDesk('rhian.morgan@example.test');
  const rows = page.getByRole('rowheader');
  await rows.first().waitFor();
  const before = await rows.allTextContents();
  await page.keyboard.press('j');
  const other = await context.newPage();
  await other.goto(`${product.url}/desk`);
  await other.getByRole('rowheader').first().waitFor();
  await other.keyboard.press('j');
  await other.keyboard.press('s');
  await other.getByRole('dialog').waitFor();
  await other.keyboard.press('Control+Enter');
  await other.getByText(/^Snoozed until/).waitFor();
  await expect.poll(() => rows.allTextContents()).toEqual(before.slice(1));
  await expect.poll(() => focusedRow(page)).toBe(before[1]);
  // Closing the dialog must not lose the text either.
  await expect.poll(() => focusedRow(other)).toBe(before[1]);
  await page.getByRole('status').getByText('1 row removed.').waitFor({ state: 'attached' });
  expect(errors).toEqual([]);
  await context.close();
});

test('marks a step as reached on a page that does not show yet that its promised day has changed', async () => {
  const { context, page } = await openDesk('rhian.morgan@example.test');
  await page.goto(`${product.url}/desk/cases`);
  await page.getByRole('link', { name: 'Amelia Okafor and Tom Okafor' }).click();
  await page.getByRole('heading', { name: /^Sale of 14 Alder Row/ }).waitFor();
  await page.keyboard.press('2');
  const button = page.getByRole('button', { name: 'Mark as reached: Mortgage offer' });
  await button.waitFor();
  const answers: number[] = [];
  page.on('response', (response) => {
    if (/\/milestones\//.test(response.url())) answers.push(response.status());
  });
  let showNewest = () => {};
  const isEdited = new Promise<void>((resolve) => {
    showNewest = resolve;
  });
  await page.route(/\/api\/staff\/cases\/[^/]+$/, async (route) => {
    await isEdited;
    await route.continue();
  });
  const database = await connectToProductDatabase(product.dataDirectory);
  await database.query(
    "update milestones set next_update_by = '2027-01-04' where title = 'Mortgage offer' and status = 'current'",
  );
  await database.end();
  await Promise.all([page.waitForRequest(/\/milestones\//).then(showNewest), button.click()]);
  await page.getByText('Mortgage offer marked as reached.').waitFor();
  expect(answers).toEqual([409, 200]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Change to Mortgage offer undone.').waitFor();
  await context.close();
});

test('shows documents together with the names of their folders, so that no button moves as it is clicked', async () => {
  const { context, page } = await openDesk('rhian.morgan@example.test');
  let sendGroups = () => {};
  const mayBeSent = new Promise<void>((resolve) => {
    sendGroups = resolve;
  });
  await page.route('**/api/staff/document-groups', async (route) => {
    await mayBeSent;
    await route.continue();
  });
  await page.goto(`${product.url}/desk/cases`);
  const [asked] = await Promise.all([
    // The folders are fetched with the case, before its documents are opened.
    page.waitForRequest('**/api/staff/document-groups'),
    page.getByRole('link', { name: 'Amelia Okafor and Tom Okafor' }).click(),
  ]);
  await page.getByRole('heading', { name: /^Sale of 14 Alder Row/ }).waitFor();
  await page.keyboard.press('4');
  await page.getByText(/^Documents of .*: loading$/).waitFor({ state: 'attached' });
  expect(await page.getByRole('button', { name: /^Edit / }).count()).toBe(0);
  sendGroups();
  await asked.response();
  await page.getByRole('button', { name: 'Edit The title to 14 Alder Row' }).waitFor();
  const folders = page.getByRole('table', { name: /^Documents of/ }).locator('[data-heading="Folder"]');
  expect(await folders.allTextContents()).not.toContain('');
  await context.close();
});

test('moves the focus to the neighbour of what is removed from a list, or to what is around the list', async () => {
  const { context, page, errors } = await openDesk('dana.price@example.test');
  const removeButtons = page.getByRole('button', { name: /^Remove/ });
  const press = async (button: Locator) => {
    await button.focus();
    await page.keyboard.press('Enter');
  };
  await page.goto(`${product.url}/desk/settings/bank-holidays`);
  await removeButtons.first().waitFor();
  const days = await removeButtons.count();
  await press(removeButtons.last());
  await expect.poll(() => focusedMember(page)).toBe(days - 2);

  await page.goto(`${product.url}/desk/settings/search-catalogue`);
  await press(removeButtons.nth(2));
  await expect.poll(() => focusedMember(page)).toBe(2);

  await page.goto(`${product.url}/desk/settings/milestone-paths`);
  const stages = page.getByRole('button', { name: /^Move down the stage/ });
  await stages.first().waitFor();
  const before = await stages.count();
  await press(page.getByRole('button', { name: 'Add a stage' }));
  await expect.poll(() => focusedMember(page)).toBe(before);
  await press(removeButtons.last());
  await expect.poll(() => focusedMember(page)).toBe(before - 1);

  await page.goto(`${product.url}/desk/cases`);
  await page.getByRole('rowheader').first().getByRole('link').click();
  await page.getByRole('link', { name: 'Documents' }).click();
  const file = { mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };
  const files = page.getByLabel('Drop files here, or choose them');
  await files.setInputFiles([
    { name: 'first.pdf', ...file },
    { name: 'second.pdf', ...file },
  ]);
  await press(removeButtons.first());
  await expect.poll(() => focusedMember(page)).toBe(0);
  await press(removeButtons.first());
  await expect.poll(() => files.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(errors).toEqual([]);
  await context.close();
});

test('an admin places and releases a legal hold, downloads a client’s data, and erases the client', async () => {
  const caseId = await buildOldCase();
  const { context, page, errors } = await openDesk('dana.price@example.test');
  const send = async (field: string | RegExp, text: string) => {
    await page.getByRole('dialog').getByLabel(field).fill(text);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  const search = page.getByRole('searchbox', { name: 'Search clients' });
  await page.goto(`${product.url}/desk/settings/clients`);
  await page.getByText('Every client has a case.').waitFor();
  await search.fill('nora c-field');
  await page.getByRole('link', { name: 'Nora Field' }).press('Enter');
  await page.getByRole('heading', { name: 'Data of Nora Field' }).waitFor();
  await page.goto(`${product.url}/desk/cases/${caseId}/people`);
  await page.getByRole('link', { name: 'Data and holds of Nora Field' }).press('Enter');
  await page.getByRole('button', { name: 'Place a legal hold' }).press('Enter');
  await send('Why', 'Claim of March 2026');
  await page.getByText('The client is under a legal hold: Claim of March 2026').waitFor();
  expect(await page.getByRole('button', { name: 'Erase this client…' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Release the hold on Nora Field' }).press('Enter');
  await send('Why it no longer applies', 'Claim settled');
  await page.getByText('Nothing that Keyturn knows of prevents the erasure.').waitFor();

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the export' }).press('Enter');
  expect((await downloading).suggestedFilename()).toBe('Client C-FIELD.zip');
  await page.getByText('The export was downloaded.').waitFor();

  await page.getByRole('button', { name: 'Erase this client…' }).press('Enter');
  await send(/^Enter the client’s reference/, 'C-FIELD');
  await page.getByText(/^The client was erased on .*, by Dana Price\.$/).waitFor();
  await page.reload();
  await page.getByText('What remains to be done').waitFor();
  await page.goto(`${product.url}/desk/settings/clients`);
  await search.fill('nora c-field');
  await page.getByText('No client matches this search.').waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

/** Stores a case that was completed so long ago that its retention period has ended. @returns its id */
async function buildOldCase(): Promise<string> {
  const { database, pool, close } = connectDatabase({
    url: productDatabaseUrl(product.dataDirectory),
    size: 1,
  });
  const { id } = await buildCase(database, {
    status: 'completed',
    clients: [{ reference: 'C-FIELD', firstName: 'Nora', lastName: 'Field' }],
  });
  await pool.query("update conveyancing_cases set closed_at = '2006-06-01T09:00:00Z' where id = $1", [id]);
  await close();
  return id;
}

describe('screens of the desk for everyone', () => {
  const parts = [
    '',
    '/milestones',
    '/searches',
    '/documents',
    '/people',
    '/payments',
    '/history',
    '/preview',
  ];
  const settings =
    'staff firm brand milestone-paths search-catalogue document-groups waiting-texts bank-holidays import clients?q=okafor api-keys webhooks audit';
  const payments = ['', '/refunds', '/disputes', '/discrepancies', '/ledger'];
  const paths = [
    '/desk',
    '/desk/cases',
    '/desk/account',
    ...parts.map((part) => `/desk/cases/{id}${part}`),
    ...payments.map((page) => `/desk/payments${page}`),
    ...settings.split(' ').map((page) => `/desk/settings/${page}`),
    '/desk/clients/{client}',
    '/docs/api',
  ];
  let desk: Awaited<ReturnType<typeof openDesk>>;
  const ids = { case: '', client: '' };
  beforeAll(async () => {
    desk = await openDesk('dana.price@example.test');
    const found = await desk.page.evaluate(async () => {
      const read = async (path: string) => (await (await fetch(`/api/staff/cases${path}`)).json()).data;
      const [{ id }] = (await read('?q=okafor')).cases;
      return { case: id, client: (await read(`/${id}`)).clients[0].id };
    });
    Object.assign(ids, found);
  });

  test.each(variants(paths, 4))(
    'finds no accessibility violations, unreadable tables or errors on %s in both colour schemes, wide and narrow',
    async (path) => {
      const page = await desk.context.newPage();
      const errors = collectPageErrors(page);
      await page.goto(product.url + path.replace('{id}', ids.case).replace('{client}', ids.client));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
      expect(await findTableFaults(page)).toEqual([]);
      expect(await measureLayoutShift(page)).toBeLessThan(0.1);
      for (const [colorScheme, rules] of [
        ['light', {}],
        ['dark', colourRules],
      ] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const size of [wide, { width: 390, height: 844 }]) {
          await page.setViewportSize(size);
          const at = `${colorScheme}, ${size.width} px`;
          expect.soft(await findAccessibilityViolations(page, rules), at).toEqual([]);
          await expectNoSidewaysScrolling(page, at);
        }
      }
      expect(errors).toEqual([]);
      await page.close();
    },
  );
});

test('shows texts with markup, or without a place to break, as text within the width of the page', async () => {
  const database = await connectToProductDatabase(product.dataDirectory);
  const hostile = `<img src=x onerror="document.title='run'">${'W'.repeat(150)}`;
  await database.query("update clients set last_name = $1 where email = 'amelia@example.test'", [hostile]);
  await database.query("update milestones set waiting_for = $1 where status = 'current'", [hostile]);
  await database.end();
  const { context, page, errors } = await openDesk('dana.price@example.test');
  const id = await page.evaluate(async () => {
    const { data } = await (await fetch('/api/staff/cases?q=421')).json();
    return data.cases[0].id;
  });
  const parts = ['', '/milestones', '/people', '/history'];
  for (const path of ['/cases?q=421', ...parts.map((part) => `/cases/${id}${part}`)]) {
    await page.goto(`${product.url}/desk${path}`);
    await page.getByText(hostile).first().waitFor();
    for (const size of [{ width: 390, height: 844 }, wide]) {
      await page.setViewportSize(size);
      await expectNoSidewaysScrolling(page, `${path}, ${size.width} px,`);
    }
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  }
  expect(errors).toEqual([]);
  await context.close();
});

/** Returns how far the content has moved since the page was opened, by the measure of Web Vitals. */
const measureLayoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const shifts = list.getEntries() as (PerformanceEntry & { value: number })[];
          resolve(shifts.reduce((sum, { value }) => sum + value, 0));
        }).observe({ type: 'layout-shift', buffered: true });
        // Without any shift, the observer is not called.
        setTimeout(() => resolve(0), 100);
      }),
  );

/**
 * Lists what a screen reader needs in a table and axe does not check: a name, a header for each row, one tab stop.
 */
const findTableFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('table')].flatMap((table) => {
      const name = table.caption?.textContent ?? table.getAttribute('aria-label') ?? '';
      const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
      const roving = rows.filter((row) => row.hasAttribute('tabindex'));
      const headings = [...(table.tHead?.rows[0]?.cells ?? [])];
      return [
        name.trim() === '' && 'a table has no name',
        headings.some((cell) => cell.textContent?.trim() === '') && `${name}: a heading is empty`,
        rows.some((row) => row.querySelectorAll('th[scope="row"]').length !== 1) &&
          `${name}: a row has no header, or several`,
        roving.length > 0 &&
          roving.filter((row) => row.tabIndex === 0).length !== 1 &&
          `${name}: not one tab stop`,
        headings.some((cell) => cell.querySelector('button') && !cell.hasAttribute('aria-sort')) &&
          `${name}: a sortable heading does not say how it is sorted`,
      ].filter((fault) => fault !== false);
    }),
  );

/** Returns the header of the row that has the focus. */
const focusedRow = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('tr')?.querySelector('th')?.textContent);

/** Returns the place, in its list, of the member that the focus is in. */
const focusedMember = (page: Page) =>
  page.evaluate(() => {
    const member = document.activeElement?.closest('li, fieldset');
    return member ? [...(member.parentElement?.children ?? [])].indexOf(member) : null;
  });

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

/** Updates that a conveyancer writes on an ordinary day. */
const texts = [
  'The council has confirmed that your search will be ready on Friday.',
  'The seller’s lawyer has answered our questions. We’re checking them now.',
  'Your lender has valued the house. We expect its offer next week.',
  'We’ve sent your signed contract to the other side.',
  'The managing agent has promised the leasehold pack by Tuesday.',
  'Your buyer’s lender has issued its offer. Nothing is needed from you.',
  'The drainage search is back, and we found nothing to worry about.',
  'We’ve asked the seller for the guarantee of the new boiler.',
  'The buyers would like to complete on 29 January. Does that suit you?',
  'HM Land Registry has sent the title. We’re reading it this week.',
  'Your deposit has arrived. We’re ready to exchange.',
  'The other side is waiting for its own sale. We’ll chase it on Monday.',
  'The seller has agreed to repair the gutter before completion.',
  'We’ve applied for the redemption figure from your lender.',
  'Your identity check is complete. Thank you.',
  'The building regulations certificate has arrived from the council.',
  'We’ve agreed the wording of the contract with the other lawyer.',
  'The chain is complete again: a new buyer was found for the flat.',
  'The survey mentions damp. Please call us before you decide.',
  'We’ve ordered the local search again, because the first one has expired.',
];

/** Returns the number of these updates that were sent, and the number of cases they were sent to. */
async function countUpdates(written: readonly string[]): Promise<{ updates: number; cases: number }> {
  const database = await connectToProductDatabase(product.dataDirectory);
  const { rows } = await database.query(
    `select count(*)::int as updates, count(distinct case_id)::int as cases from history_entries
     where category = 'message' and summary = any ($1)`,
    [written],
  );
  await database.end();
  return rows[0];
}

/** Copies the remortgage of the demonstration, so that the firm has this many more cases. */
async function copyCases(copies: number): Promise<void> {
  if (copies <= 0) return;
  const database = await connectToProductDatabase(product.dataDirectory);
  await database.query('begin');
  // Foreign keys are off, so the order does not matter.
  await database.query(`set local session_replication_role = replica`);
  const ofCase = `(select id from conveyancing_cases where reference = 'KT-2026-00449')`;
  const copied = {
    conveyancing_cases: `id = ${ofCase}`,
    case_clients: `case_id = ${ofCase}`,
    clients: `id in (select client_id from case_clients where case_id = ${ofCase})`,
    matters: `case_id = ${ofCase}`,
    milestones: `matter_id in (select id from matters where case_id = ${ofCase})`,
  };
  for (const [table, condition] of Object.entries(copied)) {
    const { rows } = await database.query<{ name: string; type: string }>(
      'select column_name as name, data_type as type from information_schema.columns where table_name = $1',
      [table],
    );
    const values = rows.map(({ name, type }) =>
      type === 'uuid'
        ? // A version 4 UUID, as all ids are.
          `overlay(overlay(md5("${name}"::text || n) placing '4' from 13) placing 'a' from 17)::uuid`
        : name === 'reference'
          ? `"reference" || '-' || n`
          : name === 'email'
            ? `n || '-' || "email"`
            : `"${name}"`,
    );
    await database.query(
      `insert into ${table} (${rows.map(({ name }) => `"${name}"`)}) overriding system value
       select ${values} from ${table}, generate_series(1, ${copies}) n where ${condition}`,
    );
  }
  await database.query('select summarise_cases(array_agg(id)) from conveyancing_cases');
  await database.query('commit');
  await database.end();
}

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { variants } from '@keyturn/testkit/run-length.ts';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectNoSidewaysScrolling } from '../harness/accessibility-violations.ts';
import { demonstrationPassword } from '../harness/api-client.ts';
import { collectPageErrors, newContext } from '../harness/browser.ts';
import { enterFirm } from '../harness/enter-firm.ts';
import { exampleFeed } from '../harness/example-feed.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { projectDirectory } from '../harness/start-product.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const product = withProduct({ KEYTURN_DEMONSTRATION: 'off' });
const folder = temporaryFolder();

const firstName = 'Zoë 李小龍';
const lastName = "O'Brien-Łukasiewicz";
const emoji = 'Drainage 🏠👩‍👩‍👧 search';
const arabic = 'بيت في شارع النخيل';
const hebrew = 'מכתב על הבית';
/** 120 characters with no place to break the line. */
const longAddress = `Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch${'x'.repeat(62)}`;
const formula = '=HYPERLINK("https://evil.example","Click")';

const injection = `<img src=x onerror=alert(1)> {{7*7}} ' or 1=1; --`;

/** The example feed of docs/case-feed.md with names in several scripts, very long names and hostile names. */
function feed() {
  const example = exampleFeed();
  const [matter] = example.matters;
  return {
    ...example,
    clients: [
      {
        ...example.clients[0],
        first_name: firstName,
        last_name: lastName,
        email: 'zoe@example.test',
      },
    ],
    matters: [
      {
        ...matter,
        property: { ...matter.property, address_lines: [longAddress, arabic] },
        milestones: [
          {
            key: 'enquiries_raised',
            status: 'current',
            waiting_for: longAddress,
            waiting_since: '2026-11-18',
          },
        ],
      },
    ],
    searches: [{ ...example.searches[0], name: emoji, supplier: arabic, explanation: formula }],
    documents: [
      {
        reference: 'D-1',
        matter: matter.reference,
        group: 'contract',
        title: `${hebrew} ${longAddress}`,
        file: 'letter.pdf',
        uploaded_by: `${firstName} ${lastName}`,
        shared_at: '2026-11-19T09:00:00Z',
      },
    ],
    history: [
      {
        reference: 'H-1',
        case: example.cases[0].reference,
        occurred_at: '2026-11-19T09:00:00Z',
        category: 'message',
        actor: `${firstName} ${lastName}`,
        summary: `${formula} ${longAddress} ${hebrew} 🔑`,
      },
      {
        reference: 'H-2',
        case: example.cases[0].reference,
        occurred_at: '2026-11-19T10:00:00Z',
        category: 'message',
        actor: injection,
        summary: `Message: ${injection}`,
      },
    ],
  };
}

beforeAll(async () => {
  copyFileSync(join(projectDirectory, 'packages/testkit/fixtures/contract.pdf'), join(folder, 'letter.pdf'));
  writeFileSync(join(folder, 'feed.json'), JSON.stringify(feed()));
  await enterFirm(product.dataDirectory);
  const imported = await product.keyturn('import', join(folder, 'feed.json'));
  expect(imported.output).toMatch(/ 0 rejected/);
});

const screens: [string, (string | RegExp)[]][] = [
  ['/', [longAddress, emoji, formula]],
  ['/milestones', [longAddress]],
  ['/case-history', [formula, longAddress, hebrew, lastName, firstName]],
  ['/documents/purchase/contract', [hebrew, longAddress]],
  ['/payments', [emoji, longAddress]],
  ['/payment-details', [emoji]],
];

async function expectShownInFull(page: Page, words: string | RegExp, where: string) {
  const place = page.locator('main').getByText(words).first();
  await place.waitFor();
  const hidden = await place.evaluate((element) => {
    const cut: string[] = [];
    for (let box: HTMLElement | null = element as HTMLElement; box; box = box.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(box);
      if (overflowX !== 'visible' && box.scrollWidth > box.clientWidth + 1) cut.push(box.className);
      if (textOverflow === 'ellipsis' && box.scrollWidth > box.clientWidth) cut.push(box.className);
    }
    return cut;
  });
  expect(hidden, `${words} on ${where}`).toEqual([]);
}

async function openSignedIn(width: number) {
  const context = await newContext(product.browser, { viewport: { width, height: 800 } });
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Email address').fill('zoe@example.test');
  await page.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${product.url}/`);
  return { context, page, pageErrors };
}

test('fault 60: shows HTML, SQL and templates as text, and the browser reports no violation of the content security policy', async () => {
  const { context, page, pageErrors } = await openSignedIn(1440);
  const reports: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/policy-reports')) reports.push(request.postData() ?? '');
  });
  await page.goto(`${product.url}/case-history`);
  await page.locator('main').getByText(`Message: ${injection}`).waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  expect({ reports, pageErrors }).toEqual({ reports: [], pageErrors: [] });
  await context.close();
});

describe.each(variants([320, 390, 1440], 1))('at a width of %i px', (width) => {
  test('fault 59: shows long, hostile and non-Latin names in full on every screen, without sideways scrolling', async () => {
    const { context, page, pageErrors } = await openSignedIn(width);
    for (const [path, names] of screens) {
      await page.goto(product.url + path);
      for (const words of names) await expectShownInFull(page, words, path);
      await expectNoSidewaysScrolling(page, path);
    }
    await page.goto(`${product.url}/documents/purchase/contract`);
    await page.getByRole('link', { name: hebrew }).click();
    await page.getByRole('listitem', { name: 'Page 1 of' }).locator('canvas').waitFor();
    await expectShownInFull(page, longAddress, 'the document');
    await page.getByRole('button', { name: new RegExp(firstName) }).click();
    await page.getByText('zoe@example.test').waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

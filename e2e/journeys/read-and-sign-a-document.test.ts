import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { confirmIdentity, newContext, signIn } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

const openContract = async (page: Page) => {
  await page.goto(`${product.url}/documents/sale/to-sign`);
  await page.getByRole('link', { name: 'Contract for the sale of 14 Alder Row' }).click();
  await page.getByRole('listitem', { name: 'Page 1 of' }).locator('canvas').waitFor();
};

test('the functions of JSON stay the browser’s own when a document is opened, also in a browser without JSON.rawJSON', async () => {
  const context = await newContext(product.browser);
  await context.addInitScript(() => Reflect.deleteProperty(JSON, 'rawJSON'));
  const page = await context.newPage();
  await signIn(page, product.url, 'amelia@example.test');
  await openContract(page);
  const sources = await page.evaluate(() => [JSON.stringify, JSON.parse].map(String));
  for (const source of sources) expect(source).toContain('[native code]');
  await context.close();
});

test('fits a document to the width of a phone, zooms by touch without cutting lines, and shows it as text', async () => {
  const context = await newContext(product.browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await signIn(page, product.url, 'priya@example.test', '/documents/purchase/client-care');
  await page.getByRole('main').getByRole('link', { name: /terms/i }).first().click();
  const sheet = page.getByRole('listitem', { name: 'Page 1 of' });
  await sheet.locator('canvas').waitFor();
  const scroller = page.getByRole('region', { name: /^Document: / });
  const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? expect.fail('it is not visible');

  // The whole width is visible, and the controls leave more than half of the screen to the document.
  expect((await boxOf(sheet)).width).toBeCloseTo(390, 0);
  expect((await boxOf(scroller)).y).toBeLessThan(380);

  // A double tap fills the width with the lines.
  const { y } = await boxOf(scroller);
  const doubleTap = async () => {
    await page.touchscreen.tap(200, y + 200);
    await page.touchscreen.tap(200, y + 200);
  };
  const line = sheet.getByText('Thank you for asking us to act');
  await doubleTap();
  await expect.poll(async () => (await boxOf(sheet)).width).toBeGreaterThan(430);
  const { x, width } = await boxOf(line);
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(390);
  await doubleTap();
  await expect.poll(async () => (await boxOf(sheet)).width).toBeCloseTo(390, 0);

  // A pinch zooms where the fingers are.
  const touches = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', distance?: number) =>
    touches.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        distance === undefined
          ? []
          : [
              { x: 195 - distance, y: y + 200, id: 1 },
              { x: 195 + distance, y: y + 200, id: 2 },
            ],
    });
  await touch('touchStart', 40);
  for (const distance of [60, 80, 100]) await touch('touchMove', distance);
  await touch('touchEnd');
  await expect.poll(async () => (await boxOf(sheet)).width).toBeGreaterThan(900);
  const pinched = await boxOf(sheet);
  expect((195 - pinched.x) / pinched.width).toBeCloseTo(0.5, 1);

  // The text has the same words as the pages, with headings, and the search scrolls to a match in it.
  await page.getByRole('button', { name: 'Read as text' }).click();
  await page.getByRole('heading', { name: 'What it will cost' }).waitFor();
  await page.getByRole('cell', { name: '£1,150.00' }).waitFor();
  await page.getByRole('button', { name: 'Find in this document' }).click();
  await page.getByRole('searchbox', { name: 'Find' }).fill('legal ombudsman');
  // A match that continues on the next line has two marks.
  const match = page.locator('mark[data-current]').first();
  await expect.poll(async () => (await boxOf(match)).y).toBeLessThan(700);
  expect((await boxOf(match)).y).toBeGreaterThan(100);
  expect(await match.evaluate((mark) => mark.closest('[lang]')?.getAttribute('lang'))).toBe('en-GB');

  // The same match is in view on the pages.
  await page.getByRole('button', { name: 'Read as text' }).click();
  const highlight = page.locator('li [data-current]').first();
  await expect.poll(async () => (await boxOf(highlight)).y).toBeLessThan(776);
  expect((await boxOf(highlight)).y).toBeGreaterThan(100);
  await context.close();
});

test('explains how to sign a deed on paper, without a form', async () => {
  const context = await newContext(product.browser, { viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await signIn(page, product.url, 'amelia@example.test');
  const task = page.getByRole('listitem').filter({ hasText: 'Sign the transfer of 14 Alder Row' });
  await task.getByText('You sign it on paper in front of a witness').waitFor();
  await task.getByRole('link', { name: 'See how to sign it' }).click();
  await page.getByText('Your witness must be in the room and watch you sign').waitFor();
  await page.getByText('Alder & Finch Conveyancing, 2 Tollgate House').first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download to print' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('okafor-transfer.pdf');
  await page.getByText('We haven’t received it yet.').waitFor();
  expect(await page.getByLabel('Your full name').count()).toBe(0);
  await context.close();
});

test('asks before a drawn signature is lost on leaving the page, but not on signing out', async () => {
  const context = await newContext(product.browser);
  const page = await context.newPage();
  await signIn(page, product.url, 'tom@example.test');
  await openContract(page);
  await page.getByRole('button', { name: 'Draw your signature as well' }).click();
  const pad = page.getByRole('img', { name: 'Empty space for your signature' });
  await pad.scrollIntoViewIfNeeded();
  const box = (await pad.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(box.x + 40, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 140, box.y + 90, { steps: 5 });
  await page.mouse.up();
  await page.getByRole('img', { name: 'Your drawn signature' }).waitFor();
  const address = page.url();
  await page.getByRole('link', { name: 'Milestones' }).first().click();
  await page.getByRole('button', { name: 'Stay and sign' }).click();
  expect(page.url()).toBe(address);
  await page.getByRole('button', { name: /Tom/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login**');
  await context.close();
});

test('asks a client who was shown another file to read the latest version, which they can then sign', async () => {
  const context = await newContext(product.browser);
  const page = await context.newPage();
  await signIn(page, product.url, 'amelia@example.test');
  // A stale copy between the server and the client: a comment at the end of a PDF is not shown.
  await page.route('**/content', async (route) => {
    const response = await route.fetch();
    const body = Buffer.concat([await response.body(), Buffer.from('\n% another file\n')]);
    await route.fulfill({ response, headers: { 'content-type': 'application/pdf' }, body });
  });
  await openContract(page);
  const sign = page.getByRole('button', { name: 'Sign the contract for the sale of 14 Alder Row' });
  const fillIn = async () => {
    await page.getByLabel('Your full name').fill('Amelia Okafor');
    await page.getByLabel(/I’ve read this document/).check();
    await sign.click();
  };
  await fillIn();
  await confirmIdentity(page);
  await page.getByRole('alert').getByText('This document has changed since you opened it').waitFor();
  await page.unroute('**/content');
  const loaded = page.waitForResponse((response) => response.url().endsWith('/content'));
  await page.getByRole('button', { name: 'Show the latest version' }).click();
  await loaded;
  await page.getByText('This document has changed since you opened it').waitFor({ state: 'detached' });
  await fillIn();
  await page.getByText('You’ve signed this document').first().waitFor();
  await context.close();
});

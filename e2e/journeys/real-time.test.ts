import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { startCuttableNetwork } from '../harness/cuttable-network.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';
import { type RecordedChannel, recordChannel } from '../harness/record-channel.ts';

const product = withProduct();
const contexts: BrowserContext[] = [];
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});

/** Opens a page in a new context, signs in and records the real-time channel. */
async function openAs(
  email: string,
  url = product.url,
): Promise<{ page: Page; context: BrowserContext; channel: RecordedChannel; pageErrors: string[] }> {
  const context = await newContext(product.browser);
  contexts.push(context);
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  const channel = recordChannel(page);
  await signIn(page, url, email);
  await expect.poll(() => channel.subscriptions().length, { timeout: 20_000 }).toBe(4);
  return { page, context, channel, pageErrors };
}

/** Changes case titles directly in the database, as the firm's own system would. */
async function changeTitles(title: string) {
  const database = await connectToProductDatabase(product.dataDirectory);
  await database.query(
    `update conveyancing_cases set title = $1 where id in (select case_id from case_clients
     join clients on clients.id = client_id where email = 'george@example.test')`,
    [title],
  );
  await database.end();
}

describe('live updates', () => {
  test('fault 40: warns on a page that loses its connection for half a minute, and catches up when it returns', async () => {
    const network = await startCuttableNetwork(product.url);
    const { page, channel } = await openAs('george@example.test', network.url);
    await page.getByText(/^Last updated/).waitFor();
    network.cut();
    await changeTitles('A title from the time in between');
    await page
      .getByText(/This page may be out of date|Live updates are paused/)
      .first()
      .waitFor({ timeout: 25_000 });
    await page.waitForTimeout(15_000);
    expect(await page.getByText('A title from the time in between').count()).toBe(0);
    network.restore();
    await page.getByRole('button', { name: 'Switch case' }).first().click();
    await page.getByText('A title from the time in between').first().waitFor({ timeout: 35_000 });
    await expect.poll(() => channel.subscriptions().length, { timeout: 60_000 }).toBe(4);
    await page
      .getByText(/Live updates are paused/)
      .first()
      .waitFor({ state: 'detached' });
    await network.close();
  });

  test('unsubscribes from the old case on switching, and from every channel on sign-out', async () => {
    const { page, channel } = await openAs('george@example.test');
    const before = channel.subscriptions();
    expect(new Set(before).size).toBe(4);
    await page.getByRole('button', { name: 'Switch case' }).first().click();
    await page
      .getByRole('list', { name: 'Your cases' })
      .locator('button:not([aria-current])')
      .first()
      .click();
    await expect
      .poll(() => channel.subscriptions().length === 4 && channel.subscriptions().join() !== before.join(), {
        timeout: 10_000,
      })
      .toBe(true);
    const after = channel.subscriptions();
    expect(after.filter((name) => before.includes(name)).map((name) => name.split('.')[0])).toEqual([
      'private-client',
      'status',
    ]);
    await page.getByRole('button', { name: /your account/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${product.url}/login`);
    await expect.poll(() => channel.subscriptions()).toEqual([]);
  });
});

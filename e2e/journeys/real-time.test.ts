import type { CaseDocument } from '@keyturn/contract';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { type Outcome, signInToApi } from '../harness/api-client.ts';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { startCuttableNetwork } from '../harness/cuttable-network.ts';
import { confirmDetails, payWith } from '../harness/pay-by-card.ts';
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

async function payWithCard(page: Page, name: RegExp) {
  await page.getByRole('link', { name }).first().click();
  await confirmDetails(page);
  await payWith(page);
  await page.getByRole('heading', { name: /^Payment received/ }).waitFor();
}

/** Signs on another device, by the API. */
async function signSaleContract(email: string, name: string) {
  const api = await signInToApi(() => product.url, email);
  const documents = dataOf<CaseDocument[]>(await api.call('GET', '/documents'));
  const contract = documents.find(({ title }) => title.startsWith('Contract for the sale'));
  const { id, sha256, signature } = contract ?? expect.fail('no contract');
  const signed = await api.call('POST', `/documents/${id}/signature`, {
    name,
    sha256,
    consent: signature?.consent,
  });
  expect(signed).toMatchObject({ status: 200 });
}

function dataOf<Data>(outcome: Outcome): Data {
  if (outcome === 'unknown' || outcome.status !== 200) throw new Error(JSON.stringify(outcome));
  return (outcome.body as { data: Data }).data;
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
  test('shows and announces a payment by the joint client on an open page, and shows who else is online', async () => {
    const tom = await openAs('tom@example.test');
    await tom.page.getByText('Property searches').waitFor();
    const amelia = await openAs('amelia@example.test');
    await tom.page.getByText('Amelia is here too').first().waitFor();
    await amelia.page.getByText('Tom is here too').first().waitFor();

    await payWithCard(amelia.page, /^Pay £55\.20/);
    const pay = tom.page.getByRole('link', { name: /^Pay £55\.20/ });
    // Long before the next poll of a page with live updates.
    await pay.first().waitFor({ state: 'detached' });
    await tom.page
      .getByRole('status')
      .filter({ hasText: /Amelia .*£55\.20/ })
      .waitFor({ timeout: 10_000 });
    await expect.poll(() => tom.channel.events).toContain('PaymentUpdated');
    await tom.page.getByText('You, then Somerset Council', { exact: true }).waitFor();

    // Both open pages immediately name the owner whose signature is missing.
    await amelia.page.getByRole('link', { name: /See what else we need|Back to your case/ }).click();
    await amelia.page.getByText('Signatures from you and Tom, and your signed papers').waitFor();
    await tom.page.getByText('Signatures from you and Amelia, and your signed papers').waitFor();
    await signSaleContract('amelia@example.test', 'Amelia Okafor');
    await amelia.page.getByText('Tom’s signature and your signed papers', { exact: true }).waitFor();
    await tom.page.getByText('Your signature and your signed papers', { exact: true }).waitFor();

    await amelia.context.close();
    await tom.page.getByText('Amelia is here too').first().waitFor({ state: 'hidden', timeout: 60_000 });
    expect(tom.pageErrors).toEqual([]);
  });

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

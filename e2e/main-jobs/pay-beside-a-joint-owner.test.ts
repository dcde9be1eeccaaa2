import type { CaseDocument } from '@keyturn/contract';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demonstrationPassword, type Outcome, signInToApi } from '../harness/api-client.ts';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { confirmDetails, payWith } from '../harness/pay-by-card.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { recordChannel } from '../harness/record-channel.ts';

const product = withProduct();

/** Opens the home page of a client, with live updates. */
async function openHome(email: string) {
  const context = await newContext(product.browser);
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  const channel = recordChannel(page);
  await signIn(page, product.url, email);
  await expect.poll(() => channel.subscriptions().length).toBe(4);
  return { page, context, channel, pageErrors };
}

async function payWithCard(page: Page, name: RegExp) {
  await page.getByRole('link', { name }).first().click();
  await confirmDetails(page);
  await payWith(page);
  await page.getByRole('heading', { name: /^Payment received/ }).waitFor();
}

test('shows and announces a payment by the joint client on an open page, and shows who else is online', async () => {
  const tom = await openHome('tom@example.test');
  await tom.page.getByText('Property searches').waitFor();
  const amelia = await openHome('amelia@example.test');
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

/** Signs on another device, by the API. */
async function signSaleContract(email: string, name: string) {
  const api = await signInToApi(() => product.url, email);
  const documents = dataOf<CaseDocument[]>(await api.call('GET', '/documents'));
  const contract = documents.find(({ title }) => title.startsWith('Contract for the sale'));
  const { id, sha256, signature } = contract ?? expect.fail('no contract');
  const confirmed = await api.call('POST', '/account/confirm', { password: demonstrationPassword });
  expect(confirmed).toMatchObject({ status: 204 });
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

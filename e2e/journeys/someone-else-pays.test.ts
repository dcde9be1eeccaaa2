import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { signInToDesk } from '../harness/desk-screens.ts';
import { payWith } from '../harness/pay-by-card.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

/** Opens a page that is read at the end for what it logged. */
async function openPage(signInTo: (page: Page) => Promise<void>) {
  const page = await (await newContext(product.browser)).newPage();
  const errors = collectPageErrors(page);
  await signInTo(page);
  return { page, errors };
}

const openDesk = (email: string) => openPage((page) => signInToDesk(page, product.url, email));

test('a search that a client’s mother pays for is ordered only after finance has recorded who she is', async () => {
  const tom = await openPage((page) => signIn(page, product.url, 'tom@example.test'));
  await tom.page
    .getByRole('link', { name: /^Pay £276/ })
    .first()
    .click();
  await tom.page.getByLabel(/someone else/).check();
  await tom.page.getByLabel('Whose card is it?').fill('Grace Okafor');
  await tom.page.getByLabel(/Please order/).check();
  await tom.page.getByRole('button', { name: 'Continue to payment' }).click();
  await payWith(tom.page);
  await tom.page.getByText('so we check who paid before we use the money. Then we’ll order').waitFor();
  await tom.page.getByText('Grace Okafor').first().waitFor();
  await tom.page.getByRole('link', { name: 'Home' }).first().click();
  await tom.page.getByText('Paid by someone else, which we check first').waitFor();

  const rhian = await openDesk('rhian.morgan@example.test');
  await rhian.page.getByRole('rowheader').first().waitFor();
  expect(await rhian.page.getByRole('link', { name: /Local authority search/ }).count()).toBe(0);

  const joel = await openDesk('joel.adeyemi@example.test');
  const row = joel.page.getByRole('row', { name: /Someone else paid/ });
  await row.getByText('paid by Grace Okafor').waitFor();
  await row.getByRole('link').first().click();
  await joel.page.getByRole('heading', { name: 'Paid by Grace Okafor for Tom Okafor' }).waitFor();
  await joel.page.getByRole('button', { name: 'Record the check' }).click();
  const dialog = joel.page.getByRole('dialog');
  await dialog.getByLabel('Relationship to the client').fill('Mother');
  await dialog.getByLabel('Source of the money').fill('Savings, seen on a statement of October');
  const record = dialog.getByRole('button', { name: 'Record, and allow use of the money' });
  await record.click();
  await dialog.getByText('Say how their identity was checked.').waitFor();
  await dialog.getByText('Name the person who approved it.').waitFor();
  await dialog.getByLabel('Identity of the payer').fill('Passport, electronic identity check passed');
  await dialog.getByLabel('Approved by').fill('Dana Price');
  await record.click();
  await joel.page.getByText('The check is recorded. The money may be used.').waitFor();
  await joel.page.getByText('Savings, seen on a statement of October').waitFor();

  await tom.page.getByText(/^Paid, due to be ordered/).waitFor();
  await rhian.page.reload();
  await rhian.page.getByRole('row', { name: /Search paid, not ordered.*Local authority/ }).waitFor();
  for (const { page, errors } of [tom, rhian, joel]) {
    // Forms with missing answers are refused by the server.
    expect(errors.filter((line) => !/status of 4(03|22)/.test(line))).toEqual([]);
    await page.context().close();
  }
});

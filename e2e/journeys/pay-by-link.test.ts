import { expect, test } from 'vitest';
import { findAccessibilityViolations } from '../harness/accessibility-violations.ts';
import { demonstrationPassword } from '../harness/api-client.ts';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { readOutbox } from '../harness/outbox.ts';
import { confirmDetails, payWith } from '../harness/pay-by-card.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';
import { runKeyturn } from '../harness/run-keyturn.ts';

const product = withProduct();

/** Expects that the email about a payment to this client has one link, to the front door. */
async function expectFrontDoorIn(email: string): Promise<void> {
  const find = () => readOutbox(product.dataDirectory).findLast((text) => text.includes(email)) ?? '';
  await expect.poll(find, { timeout: 20_000 }).toContain('Please pay online');
  const addresses = find()
    .replaceAll('=\r\n', '')
    .match(/href=(?:3D)?"[^"]*"/g);
  expect(addresses).toEqual([expect.stringMatching(new RegExp(`"${product.url}/"$`))]);
}

test('a client who is emailed about a payment signs in, finds it first on the home page and pays, and no other client sees it', async () => {
  const database = await connectToProductDatabase(product.dataDirectory);
  const { rows } = await database.query(
    "select reference from case_searches where price_gross = 5520 and status = 'awaiting_payment'",
  );
  await database.end();
  const args = ['payments', 'link', '--search', rows[0].reference];
  const sent = await runKeyturn(product.dataDirectory, args);
  expect(sent.output).toContain('<amelia@example.test>: the email is on its way.');
  expect((await runKeyturn(product.dataDirectory, args)).output).toContain(
    'has already been emailed this request',
  );
  await expectFrontDoorIn('amelia@example.test');

  const context = await newContext(product.browser);
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  await page.goto(`${product.url}/`);
  await page.getByLabel('Email address').fill('amelia@example.test');
  await page.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Please pay: Drainage and water search').waitFor();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'See the amount of Drainage and water search' }).click();
  const link = page.url();
  await page.getByRole('heading', { name: 'Pay for: Drainage and water search' }).waitFor();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Check and pay £55.20' }).click();
  await page.getByRole('heading', { name: 'Check before you pay' }).waitFor();
  await confirmDetails(page);
  await page.waitForURL('**/payment');
  await payWith(page);
  await page.getByRole('heading', { name: 'Payment received: £55.20' }).waitFor();
  await page.goto(link);
  await page.getByRole('heading', { name: 'This has already been paid' }).waitFor();
  await page.goto(`${product.url}/`);
  await page.getByRole('heading', { name: 'What we need from you' }).waitFor();
  expect(await page.getByText('Please pay: Drainage').count()).toBe(0);
  expect(pageErrors).toEqual([]);
  await context.close();

  const other = await newContext(product.browser);
  const priya = await other.newPage();
  await signIn(priya, product.url, 'priya@example.test');
  await priya.goto(link);
  await priya.getByRole('heading', { name: 'This link isn’t for your account' }).waitFor();
  await other.close();
});

test('a payment requested for another case opens that case, with the amount that the firm requested, unless it is withdrawn', async () => {
  const database = await connectToProductDatabase(product.dataDirectory);
  const { rows } = await database.query(
    `select c.reference as client, k.reference as "caseReference" from clients c
     join case_clients m on m.client_id = c.id join conveyancing_cases k on k.id = m.case_id
     where c.email = 'george@example.test' and k.status = 'active'`,
  );
  const { client, caseReference } = rows[0];
  // Another case of this client is open.
  await database.query(
    `update clients set active_case_id = (select m.case_id from case_clients m join conveyancing_cases k on k.id = m.case_id
       where m.client_id = clients.id and k.reference <> $1) where email = 'george@example.test'`,
    [caseReference],
  );
  const money = ['--category', 'money_on_account', '--amount', '250.00'];
  const args = ['payments', 'link', '--case', caseReference, '--client', client, ...money];
  expect((await runKeyturn(product.dataDirectory, args)).code).toBe(0);
  await expectFrontDoorIn('george@example.test');
  const context = await newContext(product.browser);
  const page = await context.newPage();
  await signIn(page, product.url, 'george@example.test');
  await page.getByRole('link', { name: 'See the amount of' }).click();
  await page.getByText(`Case ${caseReference}.`).waitFor();
  const setWithdrawn = (to: string) =>
    database.query(`update payment_links set withdrawn_at = ${to} where id = $1`, [
      page.url().split('=').at(-1),
    ]);
  // Withdrawn while its page is open.
  await setWithdrawn('now()');
  await page.getByRole('button', { name: 'Check and pay £250.00' }).click();
  await page.getByRole('heading', { name: 'We’ve withdrawn this request' }).waitFor();
  await setWithdrawn('null');
  await database.end();
  await page.reload();
  await page.getByRole('button', { name: 'Check and pay £250.00' }).click();
  await page.getByRole('heading', { name: 'Check before you pay' }).waitFor();
  await page.getByText('Money on account').first().waitFor();
  await page.getByText(`If you call us about this payment, quote ${caseReference}.`).waitFor();
  await context.close();
});

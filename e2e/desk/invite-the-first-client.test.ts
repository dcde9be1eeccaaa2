import { expect, test } from 'vitest';
import { findAccessibilityViolations } from '../harness/accessibility-violations.ts';
import { collectPageErrors, newContext } from '../harness/browser.ts';
import { signInToDesk } from '../harness/desk-screens.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';

const product = withProduct();

async function openPeopleAtDesk(email: string) {
  const page = await (await newContext(product.browser)).newPage();
  const errors = collectPageErrors(page);
  await signInToDesk(page, product.url, email);
  return { page, errors };
}

test('the desk says what the firm must enter before it invites its first client, and invites once an admin has', async () => {
  const database = await connectToProductDatabase(product.dataDirectory);
  await database.query(
    `insert into firm_data (kind, version, value) select kind, version + 1, value || '{"insurer_name": null}'
     from firm_data where kind = 'regulation' order by version desc limit 1`,
  );
  await database.query('update clients set password_hash = null');
  const { rows } = await database.query(
    `select case_id as id from case_clients where client_id = (select id from clients where email = 'tom@example.test')`,
  );
  await database.end();
  const people = `${product.url}/desk/cases/${rows[0].id}/people`;

  const handler = await openPeopleAtDesk('rhian.morgan@example.test');
  await handler.page.goto(people);
  await handler.page.getByText('You can invite clients once your firm has entered').waitFor();
  await handler.page.getByText('Ask an admin to enter these in Settings → Firm:').waitFor();
  await handler.page.getByText('Professional indemnity insurer').waitFor();
  const access = handler.page.getByRole('button', { name: 'Access for Tom' });
  await access.click();
  await handler.page.getByRole('menuitem', { name: 'Disable access' }).waitFor();
  expect(await handler.page.getByRole('menuitem', { name: 'Send an invitation' }).count()).toBe(0);
  expect(await findAccessibilityViolations(handler.page)).toEqual([]);

  const admin = await openPeopleAtDesk('dana.price@example.test');
  await admin.page.getByRole('main').getByText('Professional indemnity insurer').waitFor();
  await admin.page.goto(people);
  await admin.page.getByRole('link', { name: 'Settings → Firm' }).click();
  await admin.page.getByLabel('Professional indemnity insurer').fill('Example Indemnity');
  await admin.page.getByRole('button', { name: 'Save changes' }).last().click();
  await admin.page.getByText('Regulation saved.').waitFor();

  await handler.page.reload();
  await access.click();
  await handler.page.getByRole('menuitem', { name: 'Send an invitation' }).click();
  await handler.page.getByRole('button', { name: 'Send the invitation' }).click();
  await handler.page.getByText('The invitation is on its way to tom@example.test.').waitFor();
  expect([...handler.errors, ...admin.errors]).toEqual([]);
});

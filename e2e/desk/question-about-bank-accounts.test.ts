import { expect, test } from 'vitest';
import { collectPageErrors, newContext } from '../harness/browser.ts';
import { signInToDesk } from '../harness/desk-screens.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

test('an update with numbers that may be a bank account is sent once the member says that they are none', async () => {
  const page = await (await newContext(product.browser)).newPage();
  const errors = collectPageErrors(page);
  await signInToDesk(page, product.url, 'rhian.morgan@example.test');
  await page.goto(`${product.url}/desk/cases?q=Amelia`);
  await page.getByRole('link', { name: /Amelia Okafor/ }).click();
  await page.getByRole('button', { name: 'Send an update' }).click();
  const text = page.getByLabel(/^Update for /);
  const update = 'Their file is 27.11.26 / 12345678.';
  await text.fill(update);
  await page.keyboard.press('Control+Enter');

  const question = page.getByRole('dialog', { name: 'Is this a bank account?' });
  await question.getByRole('button', { name: 'Yes, don’t send it' }).click();
  await page.getByText('Nothing was sent. Give bank details by telephone, or in a document.').waitFor();
  expect(await text.inputValue()).toBe(update);

  await text.focus();
  await page.keyboard.press('Control+Enter');
  await question.getByRole('button', { name: 'No, send it' }).click();
  await page.getByText(/^Sent to Amelia/).waitFor();
  await page.getByText(update).waitFor();
  expect(errors.filter((error) => !/status of 422/.test(error))).toEqual([]);
});

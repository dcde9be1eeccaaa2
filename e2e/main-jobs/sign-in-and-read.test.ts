import { expect, test } from 'vitest';
import { collectPageErrors, newPage, signInByForm } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

test('a client signs in and reads where their case is, its milestones, documents and payments', async () => {
  const page = await newPage(product.browser);
  const errors = collectPageErrors(page);
  await signInByForm(page, product.url, 'amelia@example.test');
  await page.getByText(/^Last updated/).waitFor();
  for (const name of ['Milestones', 'Documents', 'Payments']) {
    await page.getByRole('navigation').getByRole('link', { name }).first().click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  }
  expect(errors).toEqual([]);
  await page.close();
});

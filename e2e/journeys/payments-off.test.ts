import { expect, test } from 'vitest';
import { collectPageErrors, signIn } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct({ KEYTURN_PAYMENT_PROVIDER: 'off' });

test('a client of a firm without card payments sees what is due and is asked to call', async () => {
  const page = await (await product.browser.newContext({ locale: 'en-GB' })).newPage();
  const errors = collectPageErrors(page);
  await signIn(page, product.url, 'amelia@example.test');
  await page.getByRole('heading', { name: 'Pay for the local authority search' }).waitFor();
  await page.getByRole('link', { name: 'Call 0117 496 0101' }).first().waitFor();
  const ways = page.getByRole('link', { name: /^(Pay|Make another payment|Continue to payment)\b/ });
  expect(await ways.count()).toBe(0);

  for (const [path, shown] of [
    ['/payments', 'Due now: £331.20'],
    ['/payment-other', 'Make another payment'],
    ['/payment', 'You can’t pay by card here'],
  ] as const) {
    await page.goto(product.url + path);
    await page.getByRole('heading', { name: shown, exact: true }).waitFor();
    await page.getByText(/^You can’t pay by card here at the moment\. Call us on 0117 496 0100/).waitFor();
    expect([path, await ways.count(), await page.getByLabel('Amount').count()]).toEqual([path, 0, 0]);
  }
  expect(errors).toEqual([]);
});

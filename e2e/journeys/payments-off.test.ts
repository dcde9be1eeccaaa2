import { expect, test } from 'vitest';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct({ KEYTURN_PAYMENT_PROVIDER: 'off' });

test('a client of a firm without card payments sees what is due and is asked to call', async () => {
  const page = await (await newContext(product.browser)).newPage();
  const errors = collectPageErrors(page);
  await signIn(page, product.url, 'amelia@example.test');
  await page.getByRole('heading', { name: 'Pay for the local authority search' }).waitFor();
  await page.getByRole('link', { name: 'Call 0117 496 0101' }).first().waitFor();
  const ways = page.getByRole('link', { name: /^(Pay|Make another payment|Continue to payment)\b/ });
  expect(await ways.count()).toBe(0);

  const notHere = /^You can’t pay by card here at the moment\. Call us on 0117 496 0100/;
  const notForThis =
    /to pay\. We don’t accept cards for this\. Call us, and we’ll tell you how to pay by bank transfer\. 0117 496 0100/;
  for (const [path, heading, explanation] of [
    ['/payments', 'Due now: £331.20', notForThis],
    ['/payment-other', 'Make another payment', notHere],
    ['/payment', 'You can’t pay by card here', notHere],
  ] as const) {
    await page.goto(product.url + path);
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await page.getByText(explanation).first().waitFor();
    expect([path, await ways.count(), await page.getByLabel('Amount').count()]).toEqual([path, 0, 0]);
  }
  expect(errors).toEqual([]);
});

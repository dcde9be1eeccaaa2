import { expect, test } from 'vitest';
import { shareSignIns } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();
const openSignedIn = shareSignIns(product);

test.each([
  ['/', /^Last updated/],
  ['/milestones', 'Exchange'],
  ['/documents/purchase/contract', 'Search all your documents'],
  ['/payments', 'Your payments'],
  ['/case-history', 'Everything that has happened'],
  ['/account', 'Where you’re signed in'],
])('the printed page %s has no buttons and no fields', async (path, text) => {
  const page = await openSignedIn('amelia@example.test');
  await page.goto(product.url + path);
  await page.getByText(text).filter({ visible: true }).first().waitFor();
  await page.emulateMedia({ media: 'print' });
  const left = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, input, select, textarea')]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 1)
      .map((element) => element.textContent?.trim() || element.id || element.outerHTML.slice(0, 80)),
  );
  expect(left).toEqual([]);
  await page.close();
});

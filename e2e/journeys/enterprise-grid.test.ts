import { describe, expect, test } from 'vitest';
import { collectPageErrors, signIn } from '../harness/browser.ts';
import { type ProductAndBrowser, withProduct } from '../harness/product-and-browser.ts';

async function openTable(product: ProductAndBrowser) {
  const context = await product.browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  const noise = collectPageErrors(page);
  await signIn(page, product.url, 'amelia@example.test');
  await page.goto(`${product.url}/case-history`);
  await page.getByRole('radio', { name: 'Table' }).check();
  await page.getByRole('grid', { name: 'Case history' }).getByRole('gridcell').first().waitFor();
  return { context, page, noise };
}

/** What AG Grid says about its licence, and nothing else: it is meant to. */
const isLicenceNotice = (line: string) => /AG Grid|\*{10}|license|licence/i.test(line);

describe('the enterprise edition of the data grid', () => {
  const product = withProduct({ KEYTURN_DATA_GRID_EDITION: 'enterprise' });

  test('runs without a licence key: it groups, filters by a set and exports', async () => {
    const { context, page, noise } = await openTable(product);
    await page.getByLabel(/Group by category/).check();
    const groups = page.locator('.ag-row-group');
    await groups.first().waitFor();
    expect(await groups.count()).toBeGreaterThan(2);
    await page.getByLabel(/Group by category/).uncheck();
    await groups.first().waitFor({ state: 'detached' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /Excel/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('case-history.xlsx');
    expect(noise.filter((line) => !isLicenceNotice(line))).toEqual([]);
    expect(noise.some(isLicenceNotice)).toBe(true);
    await context.close();
  });
});

describe('with a licence key by configuration', () => {
  const product = withProduct({
    KEYTURN_DATA_GRID_EDITION: 'enterprise',
    KEYTURN_DATA_GRID_LICENCE_KEY: 'a-key-of-nobody',
  });

  test('the grid is given it', async () => {
    const { context, page, noise } = await openTable(product);
    // It is no key of theirs, and the grid says so: so it was given.
    await expect.poll(() => noise.join('\n')).toMatch(/invalid|not valid|a-key-of-nobody/i);
    expect(noise.filter((line) => !isLicenceNotice(line))).toEqual([]);
    await page.getByLabel(/Group by category/).check();
    await page.locator('.ag-row-group').first().waitFor();
    await context.close();
  });
});

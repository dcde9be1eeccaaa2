import { describe, expect, test } from 'vitest';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { type ProductAndBrowser, withProduct } from '../harness/product-and-browser.ts';

async function openTable(product: ProductAndBrowser) {
  const context = await newContext(product.browser);
  const page = await context.newPage();
  const pageErrors = collectPageErrors(page);
  const consoleLines: string[] = [];
  page.on('console', (message) => consoleLines.push(message.text()));
  await signIn(page, product.url, 'amelia@example.test', '/case-history');
  await page.getByRole('radio', { name: 'Table' }).check();
  await page.getByRole('grid', { name: 'Case history' }).getByRole('gridcell').first().waitFor();
  return { context, page, pageErrors, consoleLines };
}

describe('the data grid without any setting', () => {
  const product = withProduct();

  test('groups rows and exports to Excel with the enterprise grid and no licence key', async () => {
    const { context, page, pageErrors, consoleLines } = await openTable(product);
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
    expect(pageErrors).toEqual([]);
    expect(consoleLines.join('\n')).toContain('License Key Not Found');
    await context.close();
  });
});

describe('a configured licence key for the data grid', () => {
  const product = withProduct({ KEYTURN_DATA_GRID_LICENCE_KEY: 'an-unknown-key' });

  test('passes the configured licence key to the enterprise grid', async () => {
    const { context, page, pageErrors, consoleLines } = await openTable(product);
    // The grid can only complain about this invalid key if it received it.
    await expect.poll(() => consoleLines.join('\n')).toMatch(/invalid|not valid|an-unknown-key/i);
    expect(pageErrors).toEqual([]);
    await page.getByLabel(/Group by category/).check();
    await page.locator('.ag-row-group').first().waitFor();
    await context.close();
  });
});

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { shareSignIns, slowDown } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();
const openSignedIn = shareSignIns(product);

const readPosition = (page: Page) => page.evaluate(() => window.scrollY);

/** Milliseconds that each answer takes. */
const latency = 300;

test.each(['/', '/milestones', '/payments', '/account'])(
  'a reload of %s and Back to it on a slow network show the place that the client was at',
  async (path) => {
    const page = await openSignedIn('amelia@example.test');
    await page.setViewportSize({ width: 390, height: 844 });
    await slowDown(page, latency);
    await page.goto(product.url + path);
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => window.scrollTo(0, 640));
    const position = await readPosition(page);
    expect(position).toBeGreaterThan(300);
    await expect.poll(() => page.evaluate(() => history.state.scroll)).toBe(position);

    await page.reload();
    await expect.poll(() => readPosition(page)).toBe(position);

    // A page of the browser’s own, so that the dashboard starts again.
    await page.goto('about:blank');
    await page.goBack();
    await expect.poll(() => readPosition(page)).toBe(position);
    await page.close();
  },
);

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from './start-product.ts';

/** For a test file: a product of its own with the demonstration firm, and a browser, from its first test to its last. */
export function withProduct(): { readonly url: string; readonly browser: Browser } {
  let product: RunningProduct | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    [product, browser] = await Promise.all([startProduct(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    if (product) removeDataDirectory(product.dataDirectory);
  });
  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the product has not started');
    return part;
  };
  return {
    get url() {
      return started(product).url;
    },
    get browser() {
      return started(browser);
    },
  };
}

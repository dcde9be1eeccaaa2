import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchBrowser } from './browser.ts';
import { runKeyturn } from './run-keyturn.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from './start-product.ts';

export interface ProductAndBrowser {
  readonly url: string;
  readonly browser: Browser;
  readonly dataDirectory: string;
  /** Runs `keyturn …` beside the running server. @returns what it printed, and its exit code */
  keyturn(...args: string[]): Promise<{ code: number; output: string }>;
}

/** For a test file: a product of its own with the demonstration firm, and a browser, from its first test to its last. */
export function withProduct(env: NodeJS.ProcessEnv = {}): ProductAndBrowser {
  let product: RunningProduct | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    [product, browser] = await Promise.all([startProduct({ env }), launchBrowser()]);
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
    get dataDirectory() {
      return started(product).dataDirectory;
    },
    keyturn: (...args) => runKeyturn(started(product).dataDirectory, args),
  };
}

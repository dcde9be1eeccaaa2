import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { closeContexts, openSharedBrowser } from './browser.ts';
import { runKeyturn } from './run-keyturn.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from './start-product.ts';

export interface Server {
  readonly url: string;
  readonly dataDirectory: string;
  /** Everything that the server has printed so far. */
  output(): string;
  /** Runs `keyturn …` while the server runs. @returns its output and exit code */
  keyturn(...args: string[]): Promise<{ code: number; output: string }>;
}

export interface ProductAndBrowser extends Server {
  readonly browser: Browser;
}

/** Starts a product with the demonstration firm, and a browser, for the tests of a file. */
export function withProduct(env: NodeJS.ProcessEnv = {}): ProductAndBrowser {
  const server = withServer(env);
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await openSharedBrowser();
  });
  afterAll(() => closeContexts(browser));
  return {
    get url() {
      return server.url;
    },
    get dataDirectory() {
      return server.dataDirectory;
    },
    get browser() {
      return started(browser);
    },
    output: server.output,
    keyturn: server.keyturn,
  };
}

/** Starts a product with the demonstration firm, without a browser, for the tests of a file. */
export function withServer(env: NodeJS.ProcessEnv = {}): Server {
  let product: RunningProduct | undefined;
  beforeAll(async () => {
    product = await startProduct({ env });
  });
  afterAll(async () => {
    await product?.stop();
    if (product) removeDataDirectory(product.dataDirectory);
  });
  return {
    get url() {
      return started(product).url;
    },
    get dataDirectory() {
      return started(product).dataDirectory;
    },
    output: () => started(product).output(),
    keyturn: (...args) => runKeyturn(started(product).dataDirectory, args),
  };
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the product has not started');
  return part;
}

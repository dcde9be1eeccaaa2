import { build } from '../../scripts/set-up.mjs';
import { unpackBrowser } from './browser.ts';
import { demonstrationVariable, removeDataDirectory, startProduct } from './start-product.ts';

/**
 * Vitest's global set-up for browser tests: they run against the built product, never against sources; no two of them
 * unpack the browser at once; and the demonstration firm is loaded once for all of them.
 * @returns what is to be done at the end
 */
export default async function setUpBrowserTests(): Promise<() => void> {
  build();
  await unpackBrowser();
  // Windows has no `cp`; there each product loads its own.
  if (process.platform === 'win32') return () => undefined;
  const { dataDirectory, stop } = await startProduct();
  await stop();
  process.env[demonstrationVariable] = dataDirectory;
  return () => removeDataDirectory(dataDirectory);
}

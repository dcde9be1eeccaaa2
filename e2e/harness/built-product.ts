import { build } from '../../scripts/set-up.mjs';
import { unpackBrowser } from './browser.ts';

/**
 * Vitest's global set-up for browser tests: they run against the built product, never against sources; and no two of
 * them unpack the browser at once.
 */
export default async function prepare(): Promise<void> {
  build();
  await unpackBrowser();
}

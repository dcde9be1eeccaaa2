import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { londonDay } from '@keyturn/format/london-time';
import { build } from '../../scripts/set-up.mjs';
import { unpackBrowser } from './browser.ts';
import {
  demonstrationDayVariable,
  demonstrationVariable,
  projectDirectory,
  removeDataDirectory,
  startProduct,
} from './start-product.ts';

/**
 * Vitest's global set-up for browser tests. They run against the built product, never against sources. The browser is
 * unpacked and the demonstration firm loaded once for all of them.
 * @returns the tear-down
 */
export default async function setUpBrowserTests(): Promise<() => void> {
  rmSync(join(projectDirectory, 'test-results'), { recursive: true, force: true });
  build();
  await unpackBrowser();
  // Windows has no `cp`, so each product loads the demonstration firm itself.
  if (process.platform === 'win32') return () => undefined;
  const { dataDirectory, stop } = await startProduct();
  await stop();
  process.env[demonstrationDayVariable] = londonDay(new Date());
  process.env[demonstrationVariable] = dataDirectory;
  return () => removeDataDirectory(dataDirectory);
}

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, signIn } from './browser.ts';
import { runKeyturn } from './run-keyturn.ts';
import { type Screen, screens } from './screens.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from './start-product.ts';

const looks = [
  { name: 'wide-light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { name: 'phone-light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { name: 'wide-dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
] as const;

/** Those that stand in the documentation, and its size. */
const published = 2;

export interface Photographs {
  folder: string;
  /** Every look, and whole pages instead of what is seen at first. */
  everything: boolean;
  /** Only the screens whose name has this in it. */
  only?: string | undefined;
}

/** Photographs every screen of the demonstration into a folder, and writes the page that shows them beside it. */
export async function takeScreens({ folder, everything, only = '' }: Photographs): Promise<void> {
  await mkdir(folder, { recursive: true });
  const product = await startProduct();
  const browser = await launchBrowser();
  try {
    for (const screen of screens.filter(({ name }) => name.includes(only))) {
      const page = await openScreen(screen, browser, product);
      for (const { name, viewport, colorScheme } of everything ? looks : looks.slice(0, published)) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.evaluate(() => window.scrollTo(0, 0));
        // What is drawn when it comes into view has a moment to come.
        await page.waitForTimeout(300);
        await writeFile(join(folder, `${screen.name}-${name}.webp`), await captureWebp(page, everything));
      }
      await page.context().close();
      await runKeyturn(product.dataDirectory, ['maintenance', 'off']);
    }
    if (!everything && only === '') await writeFile(join(dirname(folder), 'screens.md'), pageOf(screens));
  } finally {
    await browser.close();
    await product.stop();
    removeDataDirectory(product.dataDirectory);
  }
}

/** Playwright itself writes PNG and JPEG only. */
async function captureWebp(page: Page, wholePage: boolean): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 72,
    ...(wholePage ? { captureBeyondViewport: true, clip: { ...cssContentSize, scale: 1 } } : {}),
  });
  await session.detach();
  return Buffer.from(data, 'base64');
}

async function openScreen(screen: Screen, browser: Browser, product: RunningProduct): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  if (screen.as) await signIn(page, product.url, `${screen.as}@example.test`);
  await screen.open(page, {
    url: product.url,
    dataDirectory: product.dataDirectory,
    keyturn: (...args) => runKeyturn(product.dataDirectory, args),
  });
  return page;
}

function pageOf(all: readonly Screen[]): string {
  const [wide, phone] = looks;
  const sections = all.map(
    ({ name, title, says }) => `## ${title}

${says}

<img src="screens/${name}-${wide.name}.webp" alt="${title}, on a wide screen, light" width="640"> <img src="screens/${name}-${phone.name}.webp" alt="${title}, on a phone, dark" width="190">
`,
  );
  return `# The screens

Every screen of the demonstration, photographed from the built product by \`npm run docs:screens\`: on a wide screen in
light, and on a phone in dark.

${sections.join('\n')}`;
}

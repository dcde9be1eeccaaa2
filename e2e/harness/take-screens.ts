import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, newContext, signIn } from './browser.ts';
import { type DeskScreen, deskScreens, signInToDesk } from './desk-screens.ts';
import { runKeyturn } from './run-keyturn.ts';
import { type Screen, screens } from './screens.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from './start-product.ts';

const variants = [
  { name: 'wide-light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { name: 'phone-light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { name: 'wide-dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
] as const;

/** The documentation shows only the first variants. */
const publishedVariants = 2;

export interface ScreenshotOptions {
  folder: string;
  /** Whether to take every variant, of whole pages instead of the visible part. */
  everything: boolean;
  /** Limits the run to screens with this text in their name. */
  only?: string | undefined;
}

/**
 * Takes screenshots of every demonstration screen into a folder, and writes the documentation page that shows them next
 * to it.
 */
export async function takeScreens({ folder, everything, only = '' }: ScreenshotOptions): Promise<void> {
  const selectedVariants = everything ? variants : variants.slice(0, publishedVariants);
  await mkdir(folder, { recursive: true });
  const product = await startProduct();
  const bankProduct = await startProduct({ env: { KEYTURN_BANK_PURPOSES: 'search' } });
  const browser = await launchBrowser();
  try {
    for (const screen of [...screens, ...deskScreens].filter(({ name }) => name.includes(only))) {
      const page = await openScreen(screen, browser, 'acceptsBank' in screen ? bankProduct : product);
      for (const { name, viewport, colorScheme } of selectedVariants) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.evaluate(() => window.scrollTo(0, 0));
        if ('scrollTo' in screen && screen.scrollTo && viewport.width < 640)
          await page.getByText(screen.scrollTo).evaluate((element) => element.scrollIntoView());
        // Parts that render when they scroll into view need a moment.
        await page.waitForTimeout(300);
        await writeFile(join(folder, `${screen.name}-${name}.webp`), await captureWebp(page, everything));
      }
      await page.context().close();
      await runKeyturn(product.dataDirectory, ['maintenance', 'off']);
    }
    if (!everything && only === '')
      await writeFile(join(dirname(folder), 'screens.md'), renderScreensPage([...screens, ...deskScreens]));
  } finally {
    await browser.close();
    for (const { stop, dataDirectory } of [product, bankProduct]) {
      await stop();
      removeDataDirectory(dataDirectory);
    }
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

async function openScreen(
  screen: Screen | DeskScreen,
  browser: Browser,
  product: RunningProduct,
): Promise<Page> {
  const context = await newContext(browser, { viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  if ('staff' in screen) await signInToDesk(page, product.url, `${screen.staff}@example.test`);
  else if (screen.as) await signIn(page, product.url, `${screen.as}@example.test`);
  await screen.open(page, {
    url: product.url,
    dataDirectory: product.dataDirectory,
    keyturn: (...args) => runKeyturn(product.dataDirectory, args),
  });
  return page;
}

function renderScreensPage(allScreens: readonly Pick<Screen, 'name' | 'title' | 'caption'>[]): string {
  const [wide, phone] = variants;
  const sections = allScreens.map(
    ({ name, title, caption }) => `## ${title}

${caption}

<img src="screens/${name}-${wide.name}.webp" alt="${title}, on a wide screen, light" width="640"> <img src="screens/${name}-${phone.name}.webp" alt="${title}, on a phone, dark" width="190">
`,
  );
  return `# The screens

The main screens of the demonstration firm, taken from the built product by \`npm run docs:screens\`: on a wide screen in
the light colour scheme, and on a phone in the dark one.

${sections.join('\n')}`;
}

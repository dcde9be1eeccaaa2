import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser, signIn } from './browser.ts';
import { removeDataDirectory, startProduct } from './start-product.ts';

const sizes = [
  { name: 'wide', width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
];

/** Photographs each screen of the demonstration, wide and narrow, light and dark, into a folder. */
export async function takeScreens(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const product = await startProduct();
  const browser = await launchBrowser();
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  const take = async (name: string) => {
    for (const { name: size, ...viewport } of sizes) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true });
      }
    }
  };
  try {
    await page.goto(`${product.url}/login`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await take('sign-in');
    for (const person of ['priya', 'george', 'amelia']) {
      await signIn(page, product.url, `${person}@example.test`);
      await page.getByRole('heading', { name: 'Who to call' }).waitFor();
      await take(`home-${person}`);
      if (person !== 'amelia') await signOut(page);
    }
    await page
      .getByText(/^Pay £276/)
      .first()
      .click();
    await page.getByRole('button', { name: 'Continue to payment' }).waitFor();
    await take('payment-details');
    await page.getByLabel(/Yes, mine/).check();
    await page.getByLabel(/Order my search now/).check();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByLabel('Card number').waitFor();
    await take('payment');
    await payWith(page, '4000 0000 0000 0002');
    await page
      .getByText(/declined this card/)
      .first()
      .waitFor();
    await take('payment-declined');
    await payWith(page, '4000 0000 0000 3220');
    await page.getByRole('dialog').waitFor();
    await take('payment-bank');
    await page.getByRole('button', { name: /Yes, approve/ }).click();
    await page.getByRole('heading', { name: /is paid/ }).waitFor();
    await take('receipt');
    await page.goto(`${product.url}/nowhere`);
    await page.getByText('Page not found').waitFor();
    await take('not-found');
  } finally {
    await browser.close();
    await product.stop();
    removeDataDirectory(product.dataDirectory);
  }
}

async function payWith(page: Page, number: string) {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry date').fill('12 30');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: /^Pay £/ }).click();
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: /Priya|George/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
}

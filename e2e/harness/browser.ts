import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { projectDirectory } from './start-product.ts';

/**
 * A Chromium: the one that CHROMIUM_PATH names, else the one inside the npm package (Linux), else an installed
 * Chrome.
 */
export const launchBrowser = async (): Promise<Browser> => chromium.launch(await browserOptions());

let sharedBrowser: Promise<Browser> | undefined;

/** The browser of this test worker. The files that it runs share it, and each closes its own contexts. */
export async function openSharedBrowser(): Promise<Browser> {
  if (!(await sharedBrowser)?.isConnected()) sharedBrowser = launchBrowser();
  return sharedBrowser as Promise<Browser>;
}

/** The same with a profile in a folder, where programs beside this one can join it by a port. */
export const launchPersistentBrowser = async (folder: string, port: number): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, await browserOptions([`--remote-debugging-port=${port}`]));

async function browserOptions(more: string[] = []) {
  const args = ['--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', ...more];
  if (process.platform === 'linux') args.push('--no-sandbox');
  const executablePath = process.env.CHROMIUM_PATH || (await unpackBrowser());
  return executablePath ? { executablePath, args } : { channel: 'chrome', args };
}

/**
 * The package unpacks its Chromium into the system's temporary folder, where another user's may lie. It gets a
 * folder of this clone instead. Not for two at the same time.
 * @returns where it is; nothing where another one is to be used
 */
export async function unpackBrowser(): Promise<string | undefined> {
  if (process.env.CHROMIUM_PATH || process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const folder = join(projectDirectory, 'node_modules', '.cache', 'keyturn-chromium');
  mkdirSync(folder, { recursive: true });
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return await sparticuz.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** Collects what a page says that nobody wants to hear: console messages, uncaught errors, failed requests. */
export function collectPageErrors(page: Page): string[] {
  const noise: string[] = [];
  page.on('console', (message) => {
    // Where people develop, the real-time channel tells what it does.
    if (message.type() === 'log' && message.text().startsWith('Pusher : ')) return;
    noise.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => noise.push(`uncaught: ${error.message}`));
  return noise;
}

export const demonstrationPassword = 'turn-the-key-2026';

/** Signs in through the screen, as a client does. */
export async function signIn(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/`);
}

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Page,
} from 'playwright-core';
import { demonstrationPassword, startCookieSession } from './api-client.ts';
import { projectDirectory } from './start-product.ts';

/** Launches the Chromium at CHROMIUM_PATH, or the one in the npm package (Linux), or an installed Chrome. */
export const launchBrowser = async (): Promise<Browser> => chromium.launch(await browserOptions());

let sharedBrowser: Promise<Browser> | undefined;

/** The browser of this test worker. The files that it runs share it, and each closes its own contexts. */
export async function openSharedBrowser(): Promise<Browser> {
  if (!(await sharedBrowser)?.isConnected()) sharedBrowser = launchBrowser();
  return sharedBrowser as Promise<Browser>;
}

/** Closes what a file has opened in the browser that it shares, even after a failed test. */
export async function closeContexts(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

/** Launches a browser with a profile in a folder. Other programs can attach to it by the debugging port. */
export const launchPersistentBrowser = async (folder: string, port: number): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, await browserOptions([`--remote-debugging-port=${port}`]));

async function browserOptions(more: string[] = []) {
  const args = ['--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', ...more];
  if (process.platform === 'linux') args.push('--no-sandbox');
  const executablePath = process.env.CHROMIUM_PATH || (await unpackBrowser());
  // Chromium hangs with libfaketime: `moveClock` moves the clock of its pages instead.
  const env = clockAhead ? { env: { ...process.env, LD_PRELOAD: '' } } : {};
  return executablePath ? { executablePath, args, ...env } : { channel: 'chrome', args, ...env };
}

/**
 * Unpacks the package's Chromium into a folder of this clone, because another user's may be in the system's temporary
 * folder. It must not run twice at the same time.
 * @returns its path, or undefined where another browser is used
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

/**
 * Chromium's warning about a WebSocket that the page closed while it was connecting. The dashboard closes its real-time
 * connection when it changes the case or leaves, established or not, and a page has no quieter way to do so.
 */
const closedWhileConnecting =
  /^WebSocket connection to '[^']+' failed: WebSocket is closed before the connection is established\.$/;

/** Chromium's note that it has cleared its cache, as the server asks it to at sign-out. */
const cacheCleared = /^Clear-Site-Data header on '[^']+': Cleared data types: "cache"\.$/;

const failedToLoad = 'console error: Failed to load resource:';

/** What the enterprise data grid, which is the default outside production, logs without a valid licence key. */
const gridLicenceNotice = /^\*.*\*$|^AG Grid: .*licen[cs]e/is;

/** Chromium's message about a failed request names its status, but not its address. */
const failedPathOf = (message: ConsoleMessage): string =>
  message.text().startsWith('Failed to load resource:') && URL.canParse(message.location().url)
    ? ` (${new URL(message.location().url).pathname})`
    : '';

/**
 * Collects console messages and uncaught errors of a page. A refusal of a busy server (503 with `Retry-After`) no longer counts
 * once the page has repeated the request and succeeded.
 */
export function collectPageErrors(page: Page): string[] {
  const noise: string[] = [];
  const refused = new Set<string>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const request = `${response.request().method()} ${pathname}`;
    if (response.status() === 503 && response.headers()['retry-after']) refused.add(request);
    if (!response.ok() || !refused.delete(request)) return;
    const ending = `status of 503 (Service Unavailable) (${pathname})`;
    const index = noise.findIndex((line) => line.startsWith(failedToLoad) && line.endsWith(ending));
    if (index >= 0) noise.splice(index, 1);
  });
  page.on('console', (message) => {
    // In the development environment the real-time client logs what it does.
    if (message.type() === 'log' && message.text().startsWith('Pusher : ')) return;
    if ([closedWhileConnecting, cacheCleared, gridLicenceNotice].some((noise) => noise.test(message.text())))
      return;
    noise.push(`console ${message.type()}: ${message.text()}${failedPathOf(message)}`);
  });
  page.on('pageerror', (error) => noise.push(`uncaught: ${error.message}`));
  return noise;
}

/** Without animations, whose frames cost more processor time than the rest of a screen. */
const defaultOptions: BrowserContextOptions = { locale: 'en-GB', reducedMotion: 'reduce' };

let watch: (context: BrowserContext) => Promise<void> = async () => {};

/** Sets what is done with each context that is opened from now on. */
export function watchContexts(next: typeof watch): void {
  watch = next;
}

/** Opens a browser context as most tests need it. */
export async function newContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ ...defaultOptions, ...options });
  if (clockAhead) await context.addInitScript(moveClock, clockAhead);
  await watch(context);
  return context;
}

/** Opens a page in a new context, which closes with it. */
export async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ ...defaultOptions, ...options });
  if (clockAhead) await page.addInitScript(moveClock, clockAhead);
  await watch(page.context());
  return page;
}

/** Milliseconds by which libfaketime moves the clock of the tests, the server and PostgreSQL. */
export const clockAhead: number = process.env.LD_PRELOAD?.includes('libfaketime')
  ? Date.now() - Number(execFileSync('date', ['+%s000'], { env: { PATH: process.env.PATH } }))
  : 0;

/** Moves the clock of a page, before its scripts run. */
function moveClock(ahead: number): void {
  const Original = Date;
  globalThis.Date = class extends Original {
    constructor(...parts: []) {
      super(...((parts.length > 0 ? parts : [Original.now() + ahead]) as []));
    }
    static override now = () => Original.now() + ahead;
  } as DateConstructor;
}

/** Signs in on the sign-in screen, as a client does, and waits for the home screen. */
export async function signInByForm(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/`);
}

/**
 * Opens a screen with a new sign-in, for tests that are not about signing in. It takes less than half as long as the
 * form.
 */
export async function signIn(page: Page, url: string, email: string, path = '/'): Promise<void> {
  await storeSignIn(page, url, email);
  await page.goto(url + path);
}

/**
 * Signs in without opening a screen, for tests that open one themselves. Puts the halves of a new sign-in into a cookie and
 * into local storage, where the dashboard of a product with default settings looks for it.
 */
export async function storeSignIn(page: Page, url: string, email: string): Promise<void> {
  const { token, cookie } = await startCookieSession(url, email);
  const value = { ...token, obtained_at: Date.now(), client: null };
  await page.context().addCookies([{ ...cookie, url, httpOnly: true, sameSite: 'Strict' }]);
  // Any answer of the dashboard's origin gives access to its storage.
  await page.goto(`${url}/api/maintenance`);
  await page.evaluate(
    (text) => localStorage.setItem('keyturn.auth', text),
    JSON.stringify({ version: 1, value }),
  );
}

/**
 * Reads both halves of the newest sign-in, as no page can.
 * @returns the headers that prove it
 * @throws Error when signed out
 */
export async function readSignIn(page: Page): Promise<{ authorization: string; cookie: string }> {
  const cookies = await page.context().cookies();
  const cookie = cookies.findLast(({ name }) => name.includes('keyturn-session-'));
  if (!cookie) throw new Error('no cookie has a sign-in');
  const stored = await page.evaluate(() => localStorage.getItem('keyturn.auth') ?? '');
  const { token_type, access_token } = JSON.parse(stored).value;
  return { authorization: `${token_type} ${access_token}`, cookie: `${cookie.name}=${cookie.value}` };
}

/**
 * Shares one signed-in context per client between the tests of a file.
 * A test that signs out, or that is about signing in, opens its own context.
 * @returns a function that opens an empty page in the context of a client
 */
export function shareSignIns(product: { readonly browser: Browser; readonly url: string }) {
  const contexts = new Map<string, Promise<BrowserContext>>();
  const openContext = async (email: string) => {
    const context = await newContext(product.browser);
    const page = await context.newPage();
    await storeSignIn(page, product.url, email);
    await page.close();
    return context;
  };
  return async (email: string): Promise<Page> => {
    const context = contexts.get(email) ?? openContext(email);
    contexts.set(email, context);
    return (await context).newPage();
  };
}

/** Confirms who the client is with their password, in the dialog that asks for it. */
export async function confirmIdentity(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' });
  await dialog.getByLabel('Your password').fill(demonstrationPassword);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

/** Delays each answer that a page gets. @param latency milliseconds */
export async function slowDown(page: Page, latency: number): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
}

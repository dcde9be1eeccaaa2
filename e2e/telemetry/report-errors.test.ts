import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { variants } from '@keyturn/testkit/run-length.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  closeContexts,
  collectPageErrors,
  newPage,
  openSharedBrowser,
  storeSignIn,
} from '../harness/browser.ts';
import { type ErrorCollector, startErrorCollector } from '../harness/error-collector.ts';
import {
  projectDirectory,
  type RunningProduct,
  removeDataDirectory,
  startProduct,
} from '../harness/start-product.ts';

let collector: ErrorCollector;
let product: RunningProduct;
let browser: Awaited<ReturnType<typeof openSharedBrowser>>;
beforeAll(async () => {
  collector = await startErrorCollector();
  browser = await openSharedBrowser();
  product = await startProduct({
    env: {
      KEYTURN_ENVIRONMENT: 'staging',
      KEYTURN_SENTRY_DSN: collector.dsn,
      KEYTURN_SENTRY_TRACES_SAMPLE_RATE: '0.75',
      KEYTURN_SENTRY_REPLAYS_SESSION_SAMPLE_RATE: '0.125',
      KEYTURN_SENTRY_REPLAYS_ON_ERROR_SAMPLE_RATE: '0.25',
      KEYTURN_SENTRY_REPLAYS_CONSENT: 'assumed',
    },
  });
});
afterAll(async () => {
  await closeContexts(browser);
  await product?.stop();
  if (product) removeDataDirectory(product.dataDirectory);
  await collector?.close();
});

interface Reported {
  environment: string;
  release: string;
  message?: string;
  exception?: { values: { type: string; value: string }[] };
  user?: object;
  breadcrumbs?: object[];
  tags?: Record<string, string>;
}

interface Recording {
  replay_id: string;
  /** `session`: recorded from the start; `buffer`: recorded because of an error. */
  replay_type: string;
}

const reported = () => collector.items('event').map(({ payload }) => payload as Reported);
const messages = () =>
  reported().flatMap(({ exception }) => exception?.values.map(({ value }) => value) ?? []);

/** @param chance the value of every `Math.random()`: the page is sampled at rates above it */
async function openLogin(
  prepare?: (page: Page) => Promise<void>,
  { chance = 0.5, path = '/login?next=%2Fpayments' } = {},
) {
  const page = await newPage(browser);
  const pageErrors = collectPageErrors(page);
  await page.addInitScript((drawn) => {
    Math.random = () => drawn;
  }, chance);
  await prepare?.(page);
  await page.goto(product.url + path);
  return { page, pageErrors };
}

/** Throws an uncaught error in the page. */
const throwIn = (page: Page, message: string, status?: number) =>
  page.evaluate(
    ([text, code]) => {
      setTimeout(() => {
        throw Object.assign(new Error(String(text)), code === undefined ? {} : { status: code });
      }, 0);
    },
    [message, status] as const,
  );

const waitForErrorReporting = (page: Page) =>
  page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/start-error-reporting-/.test(name)),
  );

const waitForRecorder = (page: Page) =>
  page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/record-session-/.test(name)),
  );

describe('unexpected errors', () => {
  test('reports unexpected errors with their environment and without secrets, but no 401s or licence notices', async () => {
    const { page } = await openLogin();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await waitForErrorReporting(page);
    await expect.poll(() => collector.items('transaction').length, { timeout: 30_000 }).toBeGreaterThan(0);
    await throwIn(page, 'your sign-in is over', 401);
    await throwIn(page, '*** AG Grid Enterprise License *** License Key Not Found ***');
    await throwIn(
      page,
      `failed for amelia@example.test with Bearer kt_${'a1B2'.repeat(11)} and pi_3Nx_secret_Zz9 and 4539 1488 0343 6467`,
    );
    await expect
      .poll(messages, { timeout: 20_000 })
      .toContain('failed for [email] with Bearer [hidden] and pi_3Nx_secret_[hidden] and [card number]');
    expect(messages().join()).not.toMatch(/sign-in is over|Licen[cs]e/);
    const [event] = reported();
    const build = await page.evaluate(() => document.getElementById('keyturn-build')?.textContent ?? '');
    const release = `keyturn@${version}+${JSON.parse(build).id}`;
    expect(event).toMatchObject({ environment: 'staging', release });
    const [transaction] = collector.items('transaction');
    expect(transaction?.payload).toMatchObject({ environment: 'staging', release });
    expect(event?.user).toBeUndefined();
    expect(collector.text()).not.toMatch(/amelia@|kt_a1B2|_secret_Zz9|4539 ?1488/);
    await page.close();
  });

  test('reports errors from a page that had loaded before the dashboard started', async () => {
    const { page } = await openLogin(async (page) => {
      await page.addInitScript(() => {
        Object.defineProperty(document, 'readyState', { get: () => 'complete' });
        window.addEventListener('load', (event) => event.stopImmediatePropagation(), true);
      });
    });
    await waitForErrorReporting(page);
    await throwIn(page, 'on a page that was there');
    await expect.poll(messages, { timeout: 20_000 }).toContain('on a page that was there');
    await page.close();
  });

  test('removes secrets from the breadcrumbs of an error and from traces', async () => {
    const before = collector.items('transaction').length;
    const page = await newPage(browser);
    await page.addInitScript(() => {
      Math.random = () => 0.5;
    });
    await page.goto(`${product.url}/reset-password#${'q9Zw'.repeat(11)}`);
    await waitForErrorReporting(page);
    await page.evaluate(async () => {
      // The trace of the page load is still open.
      for (let times = 0; times < 10; times += 1) {
        await fetch('/api/pi_3Nx_secret_canary/amelia@example.test?access_token=canary');
        await new Promise((done) => setTimeout(done, 100));
      }
    });
    await throwIn(page, 'after all that');
    await expect.poll(messages, { timeout: 20_000 }).toContain('after all that');
    await expect
      .poll(() => collector.items('transaction').length, { timeout: 30_000 })
      .toBeGreaterThan(before);
    const [event] = reported().filter((report) => JSON.stringify(report).includes('after all that'));
    const breadcrumbs = JSON.stringify(event?.breadcrumbs);
    const hiddenPath = '/api/pi_3Nx_secret_[hidden]/[email]';
    expect(breadcrumbs).toContain(hiddenPath);
    const traces = JSON.stringify(collector.items('transaction').slice(before));
    expect(traces).toContain(hiddenPath);
    expect(traces).toContain('/reset-password');
    expect(collector.text().match(/.{0,60}(canary|amelia@|q9Zwq9Zw).{0,20}/g)).toBeNull();
    await page.close();
  });

  test('traces and records sessions at the configured sample rates', async () => {
    const visits = [
      { chance: 0.05, isTraced: true, recorded: ['session'] },
      { chance: 0.2, isTraced: true, recorded: ['buffer'] },
      { chance: 0.6, isTraced: true, recorded: [] },
      { chance: 0.8, isTraced: false, recorded: [] },
    ];
    const signedIn = (page: Page) => storeSignIn(page, product.url, 'amelia@example.test');
    const pages = await Promise.all(visits.map(({ chance }) => openLogin(signedIn, { chance, path: '/' })));
    await Promise.all(pages.map(({ page }) => waitForErrorReporting(page)));
    await Promise.all(pages.map(({ page }) => waitForRecorder(page)));
    await Promise.all(pages.map(({ page }, index) => throwIn(page, `drawn ${visits[index]?.chance}`)));
    for (const { chance } of visits)
      await expect.poll(messages, { timeout: 20_000 }).toContain(`drawn ${chance}`);
    // Longer than the interval between recording segments and the delay before a trace is sent.
    await pages[0]?.page.waitForTimeout(8_000);
    const recordings = collector.items('replay_event').map(({ payload }) => payload as Recording);
    for (const { chance, isTraced, recorded } of visits) {
      const traces = collector
        .items('transaction')
        .filter(({ trace }) => trace?.sample_rand === String(chance))
        .map(({ trace }) => trace?.sample_rate);
      expect([...new Set(traces)], `traces at ${chance}`).toEqual(isTraced ? ['0.75'] : []);
      const event = reported().find((report) => JSON.stringify(report).includes(`drawn ${chance}`));
      const ownRecordings = recordings.filter(({ replay_id }) => replay_id === event?.tags?.replayId);
      expect(
        [...new Set(ownRecordings.map(({ replay_type }) => replay_type))],
        `recordings at ${chance}`,
      ).toEqual(recorded);
      for (const recording of ownRecordings) {
        expect(recording).toMatchObject({ environment: 'staging', release: event?.release });
      }
    }
    await Promise.all(pages.map(({ page }) => page.close()));
  });

  test('reports an error once even if it happens before error reporting has loaded', async () => {
    const { page } = await openLogin(async (page) => {
      await page.addInitScript(() => {
        document.addEventListener('DOMContentLoaded', () => {
          void Promise.reject(new Error('an early failure'));
        });
      });
    });
    await expect.poll(messages, { timeout: 20_000 }).toContain('an early failure');
    await throwIn(page, 'a late failure');
    await expect.poll(messages, { timeout: 20_000 }).toContain('a late failure');
    expect(messages().filter((message) => message === 'an early failure')).toHaveLength(1);
    await page.close();
  });

  test('reports unexpected API errors, but not errors that the contract defines', async () => {
    const { page } = await openLogin(async (page) => {
      await page.route('**/api/login', (route) =>
        route.fulfill({
          status: 500,
          json: { message: 'An unexpected error has occurred.', code: 'unexpected' },
        }),
      );
    });
    await waitForErrorReporting(page);
    await page.getByLabel('Email address').fill('amelia@example.test');
    await page.getByLabel('Password', { exact: true }).fill('turn-the-key-2026');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(messages, { timeout: 20_000 }).toContain('An unexpected error has occurred.');
    await page.unroute('**/api/login');
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('These credentials do not match our records.').waitFor();
    await throwIn(page, 'after the refusal');
    await expect.poll(messages, { timeout: 20_000 }).toContain('after the refusal');
    expect(messages().join()).not.toContain('credentials');
    expect(collector.text()).not.toMatch(/turn-the-key|not the password|amelia@/);
    await page.close();
  });

  const faults: [string, (response: ServerResponse) => void][] = [
    ['hangs', () => {}],
    ['answers 500', (response) => void response.writeHead(500).end('no')],
    [
      'answers with HTML',
      (response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('<script>alert(1)</script>'),
    ],
    ['redirects', (response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()],
  ];
  test.each(variants(faults, 2))(
    'does not delay sign-in when the error collector %s',
    async (_problem, answer) => {
      collector.behave(answer);
      const { page, pageErrors } = await openLogin();
      await waitForErrorReporting(page);
      const before = collector.requests();
      for (let index = 0; index < 5; index += 1) await throwIn(page, `failure ${index}`);
      await expect.poll(collector.requests, { timeout: 20_000 }).toBeGreaterThan(before);
      await page.getByLabel('Email address').fill('amelia@example.test');
      await page.getByLabel('Password', { exact: true }).fill('turn-the-key-2026');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(`${product.url}/payments`);
      // Only the browser's own network errors may appear, at most once for each pending request.
      const others = pageErrors.filter((line) => !/^uncaught: failure \d$/.test(line));
      expect(others.filter((line) => !/Failed to load resource|net::ERR|CORS/.test(line))).toEqual([]);
      expect(others.length).toBeLessThan(8);
      await page.close();
    },
  );
});

const { version } = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8'));

test('loads no error reporting and sends no requests without a DSN', async () => {
  const plain = await startProduct({});
  try {
    const page = await newPage(browser);
    const pageErrors = collectPageErrors(page);
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.goto(`${plain.url}/login`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    // Longer than the delay before error reporting loads with a DSN.
    await page.waitForTimeout(4_000);
    expect(
      requestedUrls.filter(
        (url) => !url.startsWith(plain.url) || /start-error-reporting|record-session/.test(url),
      ),
    ).toEqual([]);
    expect(pageErrors).toEqual([]);
    const policy = (await fetch(plain.url)).headers.get('content-security-policy');
    expect(policy).toContain("connect-src 'self';");
    await page.close();
  } finally {
    await plain.stop();
    removeDataDirectory(plain.dataDirectory);
  }
});

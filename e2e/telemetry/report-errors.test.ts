import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectPageErrors, launchBrowser } from '../harness/browser.ts';
import { type ErrorCollector, startErrorCollector } from '../harness/error-collector.ts';
import {
  projectDirectory,
  type RunningProduct,
  removeDataDirectory,
  startProduct,
} from '../harness/start-product.ts';

let collector: ErrorCollector;
let product: RunningProduct;
let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  collector = await startErrorCollector();
  browser = await launchBrowser();
  product = await startProduct({
    env: {
      KEYTURN_ENVIRONMENT: 'staging',
      KEYTURN_SENTRY_DSN: collector.dsn,
      KEYTURN_SENTRY_TRACES_SAMPLE_RATE: '0.75',
      KEYTURN_SENTRY_REPLAYS_SESSION_SAMPLE_RATE: '0.125',
      KEYTURN_SENTRY_REPLAYS_ON_ERROR_SAMPLE_RATE: '0.25',
    },
  });
});
afterAll(async () => {
  await browser?.close();
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
  /** `session`: from the beginning; `buffer`: because of an error. */
  replay_type: string;
}

const reported = () => collector.items('event').map(({ payload }) => payload as Reported);
const messages = () =>
  reported().flatMap(({ exception }) => exception?.values.map(({ value }) => value) ?? []);

/** @param chance what the browser draws, each time: below a rate is what is traced or recorded */
async function openLogin(prepare?: (page: Page) => Promise<void>, chance = 0.5) {
  const page = await browser.newPage();
  const noise = collectPageErrors(page);
  await page.addInitScript((drawn) => {
    Math.random = () => drawn;
  }, chance);
  await prepare?.(page);
  await page.goto(`${product.url}/login?next=%2Fpayments`);
  return { page, noise };
}

/** As a mistake in the code would: nobody catches it. */
const throwIn = (page: Page, message: string, status?: number) =>
  page.evaluate(
    ([text, code]) => {
      setTimeout(() => {
        throw Object.assign(new Error(String(text)), code === undefined ? {} : { status: code });
      }, 0);
    },
    [message, status] as const,
  );

const listening = (page: Page) =>
  page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/start-error-reporting-/.test(name)),
  );

describe('what nobody foresaw', () => {
  test('is reported with its environment, without secrets; a 401 and the grid’s licence are not', async () => {
    const { page } = await openLogin();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await listening(page);
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

  test('is reported from a page that had loaded before the dashboard ran', async () => {
    const { page } = await openLogin(async (page) => {
      await page.addInitScript(() => {
        Object.defineProperty(document, 'readyState', { get: () => 'complete' });
        window.addEventListener('load', (event) => event.stopImmediatePropagation(), true);
      });
    });
    await listening(page);
    await throwIn(page, 'on a page that was there');
    await expect.poll(messages, { timeout: 20_000 }).toContain('on a page that was there');
    await page.close();
  });

  test('has no secret in what led to it, nor have the traces', async () => {
    const before = collector.items('transaction').length;
    const page = await browser.newPage();
    await page.addInitScript(() => {
      Math.random = () => 0.5;
    });
    await page.goto(`${product.url}/reset-password/${'q9Zw'.repeat(11)}`);
    await listening(page);
    await page.evaluate(async () => {
      // While the page's own trace goes on.
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
    const [event] = reported().filter((one) => JSON.stringify(one).includes('after all that'));
    const led = JSON.stringify(event?.breadcrumbs);
    const called = '/api/pi_3Nx_secret_[hidden]/[email]';
    expect(led).toContain(called);
    const traces = JSON.stringify(collector.items('transaction').slice(before));
    expect(traces).toContain(called);
    expect(traces).toContain('/reset-password/');
    expect(collector.text().match(/.{0,60}(canary|amelia@|q9Zwq9Zw).{0,20}/g)).toBeNull();
    await page.close();
  });

  test('is traced and recorded as often as is set', async () => {
    const visits = [
      { chance: 0.05, isTraced: true, recorded: ['session'] },
      { chance: 0.2, isTraced: true, recorded: ['buffer'] },
      { chance: 0.6, isTraced: true, recorded: [] },
      { chance: 0.8, isTraced: false, recorded: [] },
    ];
    const pages = await Promise.all(visits.map(({ chance }) => openLogin(undefined, chance)));
    await Promise.all(pages.map(({ page }) => listening(page)));
    await Promise.all(pages.map(({ page }, index) => throwIn(page, `drawn ${visits[index]?.chance}`)));
    for (const { chance } of visits)
      await expect.poll(messages, { timeout: 20_000 }).toContain(`drawn ${chance}`);
    // Longer than between two parts of a recording, and than a page takes until its trace is sent.
    await pages[0]?.page.waitForTimeout(8_000);
    const recordings = collector.items('replay_event').map(({ payload }) => payload as Recording);
    for (const { chance, isTraced, recorded } of visits) {
      const traces = collector
        .items('transaction')
        .filter(({ trace }) => trace?.sample_rand === String(chance))
        .map(({ trace }) => trace?.sample_rate);
      expect([...new Set(traces)], `traces at ${chance}`).toEqual(isTraced ? ['0.75'] : []);
      const event = reported().find((one) => JSON.stringify(one).includes(`drawn ${chance}`));
      const own = recordings.filter(({ replay_id }) => replay_id === event?.tags?.replayId);
      expect([...new Set(own.map(({ replay_type }) => replay_type))], `recordings at ${chance}`).toEqual(
        recorded,
      );
      for (const recording of own) {
        expect(recording).toMatchObject({ environment: 'staging', release: event?.release });
      }
    }
    await Promise.all(pages.map(({ page }) => page.close()));
  });

  test('is reported once, too, when it happens before what reports it is there', async () => {
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

  test('is reported where it is the answer of a call, and what the contract foresees is not', async () => {
    const { page } = await openLogin(async (page) => {
      await page.route('**/api/login', (route) =>
        route.fulfill({
          status: 500,
          json: { message: 'An unexpected error has occurred.', code: 'unexpected' },
        }),
      );
    });
    await listening(page);
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

  test.each([
    ['hangs', () => {}],
    ['answers 500', (response: import('node:http').ServerResponse) => void response.writeHead(500).end('no')],
    [
      'answers a page',
      (response: import('node:http').ServerResponse) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('<script>alert(1)</script>'),
    ],
    [
      'leads elsewhere',
      (response: import('node:http').ServerResponse) =>
        void response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
    ],
  ])('holds nothing up where the collector %s', async (_what, answer) => {
    collector.behave(answer);
    const { page, noise } = await openLogin();
    await listening(page);
    const before = collector.requests();
    for (let index = 0; index < 5; index += 1) await throwIn(page, `failure ${index}`);
    await expect.poll(collector.requests, { timeout: 20_000 }).toBeGreaterThan(before);
    await page.getByLabel('Email address').fill('amelia@example.test');
    await page.getByLabel('Password', { exact: true }).fill('turn-the-key-2026');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${product.url}/payments`);
    // Ours; and what the browser itself says of what is not to be had, at most once for what was under way.
    const others = noise.filter((line) => !/^uncaught: failure \d$/.test(line));
    expect(others.filter((line) => !/Failed to load resource|net::ERR|CORS/.test(line))).toEqual([]);
    expect(others.length).toBeLessThan(8);
    await page.close();
  });
});

const { version } = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8'));

test('where no DSN is set, nothing is loaded and nothing is asked for', async () => {
  const plain = await startProduct({});
  try {
    const page = await browser.newPage();
    const noise = collectPageErrors(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${plain.url}/login`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    // Longer than it waits where there is one.
    await page.waitForTimeout(4_000);
    expect(
      asked.filter((url) => !url.startsWith(plain.url) || /start-error-reporting|record-session/.test(url)),
    ).toEqual([]);
    expect(noise).toEqual([]);
    const policy = (await fetch(plain.url)).headers.get('content-security-policy');
    expect(policy).toContain("connect-src 'self';");
    await page.close();
  } finally {
    await plain.stop();
    removeDataDirectory(plain.dataDirectory);
  }
});

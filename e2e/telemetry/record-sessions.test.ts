import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { demonstrationPassword } from '../harness/api-client.ts';
import {
  closeContexts,
  collectPageErrors,
  confirmIdentity,
  newPage,
  openSharedBrowser,
  signInByForm,
} from '../harness/browser.ts';
import { type ErrorCollector, startErrorCollector } from '../harness/error-collector.ts';
import { freePort } from '../harness/free-port.ts';
import { confirmDetails } from '../harness/pay-by-card.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from '../harness/start-product.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openSharedBrowser();
});
afterAll(() => closeContexts(browser));

/** Runs a product that records every session, and stops it afterwards. */
async function withRecording(
  env: NodeJS.ProcessEnv,
  visit: (product: RunningProduct, collector: ErrorCollector) => Promise<void>,
) {
  const collector = await startErrorCollector();
  const product = await startProduct({
    env: {
      KEYTURN_SENTRY_DSN: collector.dsn,
      KEYTURN_SENTRY_REPLAYS_SESSION_SAMPLE_RATE: '1',
      ...env,
    },
  });
  try {
    await visit(product, collector);
  } finally {
    await product.stop();
    removeDataDirectory(product.dataDirectory);
    await collector.close();
  }
}

const waitForRecording = (page: Page) =>
  page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/record-session-/.test(name)),
  );

const isRecorderLoaded = (page: Page) =>
  page.evaluate(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/record-session-/.test(name)),
  );

async function signInToHome(page: Page, url: string) {
  await signInByForm(page, url, 'amelia@example.test');
  await page.getByText('14 Alder Row').first().waitFor();
}

async function allowRecordings(page: Page) {
  await page.getByRole('button', { name: 'Allow recordings' }).click();
  await waitForRecording(page);
}

/** Goes from the home page to the card form of the drainage search, without loading the page again. */
async function goToCardForm(page: Page) {
  await page.getByRole('link', { name: /, home$/ }).click();
  await page
    .getByRole('button', { name: /^Pay £55\.20.*drainage/i })
    .or(page.getByRole('link', { name: /^Pay £55\.20.*drainage/i }))
    .first()
    .click();
  await page.waitForURL('**/payment-details');
  await confirmDetails(page);
  await page.waitForURL('**/payment');
}

/** Waits until everything recorded so far has been sent, which happens every few seconds. */
async function waitUntilSent(page: Page, collector: ErrorCollector) {
  marks += 1;
  const mark = `mark-${marks}`;
  await page.evaluate((words) => document.body.setAttribute('data-mark', words), mark);
  await vi.waitFor(() => expect(findWords(recordedPage(collector), [mark])).toHaveLength(1), {
    timeout: 30_000,
    interval: 300,
  });
}
let marks = 0;

/** Waits until the recordings contain calls to these paths. A call is recorded after its answer has been read. */
const waitForCalls = (collector: ErrorCollector, url: string, paths: string[]) =>
  vi.waitFor(
    () => {
      const addresses = recordedCalls(collector, url).map(({ address }) => address);
      expect(paths.filter((path) => !addresses.some((address) => address.includes(path)))).toEqual([]);
    },
    { timeout: 60_000, interval: 300 },
  );

/** @returns the page content and interactions in the recordings, as text */
const recordedPage = (collector: ErrorCollector) =>
  JSON.stringify(collector.recorded().filter(({ type }) => type === 2 || type === 3));
/** @returns the words that the text contains, because a recording is too long for a failure message */
const findWords = (text: string, words: string[]) => words.filter((word) => text.includes(word));
/** Counts the pointer positions recorded between two times. */
const countMoves = (collector: ErrorCollector, from: number, to: number) =>
  collector
    .recorded()
    .flatMap(({ timestamp, data }) =>
      ((data as { positions?: { timeOffset: number }[] }).positions ?? []).map(
        ({ timeOffset }) => timestamp + timeOffset,
      ),
    )
    .filter((time) => time >= from && time <= to).length;

/** @returns the address of each recorded API call, and whether the recording has a body of it */
const recordedCalls = (collector: ErrorCollector, url: string) =>
  collector.recorded().flatMap(({ data }) => {
    const { tag, payload } = data as {
      tag?: string;
      payload?: {
        op: string;
        description: string;
        data: { request?: { body?: unknown }; response?: { body?: unknown } };
      };
    };
    if (tag !== 'performanceSpan' || payload?.op !== 'resource.fetch') return [];
    const { request, response } = payload.data;
    return [
      {
        address: new URL(payload.description, url).href,
        hasBody: request?.body !== undefined || response?.body !== undefined,
      },
    ];
  });

/**
 * Draws a signature by touch, then moves the mouse outside it.
 * @returns when the drawing started and ended, and when the movement ended
 */
async function drawSignature(page: Page) {
  await page.getByRole('button', { name: 'Draw your signature as well' }).click();
  const pad = page.getByRole('img', { name: 'Empty space for your signature' });
  await pad.scrollIntoViewIfNeeded();
  const box = (await pad.boundingBox()) ?? { x: 0, y: 0 };
  const finger = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: { x: number; y: number }[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: at });
  const from = Date.now();
  await touch('touchStart', [{ x: box.x + 40, y: box.y + 40 }]);
  for (let step = 1; step <= 6; step += 1) {
    await touch('touchMove', [{ x: box.x + 40 + step * 20, y: box.y + 40 + (step % 2) * 30 }]);
    await page.waitForTimeout(60);
  }
  await touch('touchEnd', []);
  await page.getByRole('img', { name: 'Your drawn signature' }).waitFor();
  const to = Date.now();
  await page.waitForTimeout(100);
  // Outside all controls.
  for (let step = 1; step <= 4; step += 1) {
    await page.mouse.move(5 + step * 5, 300);
    await page.waitForTimeout(60);
  }
  return { from, to, after: Date.now() };
}

const openScreen = (page: Page, name: RegExp | string) => page.getByRole('link', { name }).first().click();

describe.concurrent('session recordings', () => {
  test('records home, milestones and history once the client agrees, and no other screen', async () => {
    await withRecording({}, async (product, collector) => {
      const page = await newPage(browser, { hasTouch: true });
      const pageErrors = collectPageErrors(page);
      await signInToHome(page, product.url);
      await openScreen(page, 'See the full history');
      await page.getByRole('radio', { name: 'Table' }).waitFor();
      expect(await isRecorderLoaded(page)).toBe(false);
      await openScreen(page, /, home$/);
      await allowRecordings(page);
      expect(await page.getByRole('button', { name: 'Allow recordings' }).count()).toBe(0);
      await waitUntilSent(page, collector);
      await openScreen(page, 'See the full history');
      await page.getByRole('radio', { name: 'Table' }).check();
      await page.getByLabel('Find').fill('typed-canary');
      await page.evaluate(async () => {
        const headers = { authorization: `Bearer kt_${'x'.repeat(43)}` };
        const query = 'access_token=query-canary&payment_intent_client_secret=pi_1_secret_query-canary';
        await (await fetch(`/api/maintenance?${query}`, { headers })).text();
        await (await fetch('/builds/latest.json')).text();
        await (await fetch('/api/documents')).text();
        const body = JSON.stringify({ password: 'a-typed-canary' });
        await fetch('/api/password/reset', { method: 'POST', body });
      });
      await waitUntilSent(page, collector);
      await waitForCalls(collector, product.url, [
        '/builds/latest.json',
        '/api/documents',
        '/api/maintenance',
      ]);

      await openScreen(page, 'Home');
      await openScreen(page, /^Read and sign/);
      await page.getByRole('listitem', { name: 'Page 1 of' }).locator('canvas').waitFor();
      const drawing = await drawSignature(page);
      await page.getByLabel('Your full name').fill('Amelia Signature-Okafor');
      await page.getByLabel(/I’ve read this document/).check();
      await page.getByRole('button', { name: 'Sign the contract for the sale of 14 Alder Row' }).click();
      await confirmIdentity(page);
      await page.getByRole('heading', { name: 'You’ve signed this document' }).waitFor();
      await goToCardForm(page);
      await page.getByLabel('Card number').fill('4539 1488 0343 6467');
      await page.getByLabel('Name on card').fill('Zacharias Cardholder');
      await page.getByLabel('Security code').fill('739');

      // The account page is not recorded, but has the choice.
      await page.getByRole('button', { name: /Amelia/ }).click();
      await openScreen(page, 'Your account');
      await page.getByText('You allow recordings on this device.').waitFor();
      await openScreen(page, /, home$/);
      await page.getByText('14 Alder Row').first().waitFor();
      await waitUntilSent(page, collector);
      const everything = collector.text().replaceAll('_secret_[hidden]', '');
      // The recording has the readable page, the addresses of calls and the responses of our own API.
      const visibleWords = ['14 Alder Row', 'typed-canary'.replaceAll(/./g, '*')];
      expect(findWords(recordedPage(collector), visibleWords)).toEqual(visibleWords);
      const calls = recordedCalls(collector, product.url);
      const withBody = calls.filter(({ hasBody }) => hasBody).map(({ address }) => address);
      expect(withBody.some((address) => address.includes('/api/maintenance'))).toBe(true);
      expect(withBody.filter((address) => !address.startsWith(`${product.url}/api/`))).toEqual([]);
      for (const path of ['/builds/latest.json', '/api/documents']) {
        expect(calls.some(({ address }) => address.includes(path))).toBe(true);
        expect(withBody.filter((address) => address.includes(path))).toEqual([]);
      }
      expect({
        movesOnTheSignature: countMoves(collector, drawing.from, drawing.after),
        otherScreens: findWords(recordedPage(collector), ['blob:', 'Where you’re signed in']),
        anywhere: findWords(everything, hiddenWords),
      }).toEqual({ movesOnTheSignature: 0, otherScreens: [], anywhere: [] });

      await page.getByRole('button', { name: /Amelia/ }).click();
      await openScreen(page, 'Your account');
      await page.getByRole('button', { name: 'Don’t record' }).click();
      await page.getByText('Nothing is recorded on this device.').waitFor();
      await openScreen(page, /, home$/);
      await page.getByText('14 Alder Row').first().waitFor();
      await page.evaluate(() => {
        document.body.setAttribute('data-mark', 'after-withdrawal');
        setTimeout(() => {
          throw new Error('a failure without a recording');
        }, 0);
      });
      await vi.waitFor(() => expect(collector.items('event')).toHaveLength(1), 20_000);
      // Recordings are sent every few seconds.
      await page.waitForTimeout(7_000);
      expect(findWords(recordedPage(collector), ['after-withdrawal'])).toEqual([]);
      await page.reload();
      await page.getByText('14 Alder Row').first().waitFor();
      expect(await page.getByRole('button', { name: 'Allow recordings' }).count()).toBe(0);
      await page.close();
      // The test makes two calls without a sign-in, and throws an error.
      const expected = /status of 4(01|03|15|22)|a failure without a recording/;
      expect(pageErrors.filter((line) => !expected.test(line))).toEqual([]);
    });
  }, 240_000);

  test('session recordings contain bodies only of the API’s origin when it is another one', async () => {
    const port = await freePort();
    // The same server under another host name.
    const api = `http://127.0.0.1:${port}/api`;
    const split = {
      PORT: String(port),
      KEYTURN_API_BASE_URL: api,
      KEYTURN_ALLOWED_ORIGINS: `http://localhost:${port}`,
    };
    await withRecording(split, async (product, collector) => {
      const page = await newPage(browser);
      await signInToHome(page, product.url);
      await allowRecordings(page);
      await page.evaluate(async (base) => {
        for (const address of [`${base}/maintenance`, '/api/maintenance', '/builds/latest.json']) {
          await (await fetch(address)).text();
        }
      }, api);
      await waitUntilSent(page, collector);
      await waitForCalls(collector, product.url, ['/api/maintenance', '/builds/latest.json']);
      await page.close();
      const calls = recordedCalls(collector, product.url);
      expect(calls.some(({ address }) => address.startsWith(`${product.url}/api/maintenance`))).toBe(true);
      const withBody = calls.filter(({ hasBody }) => hasBody).map(({ address }) => address);
      expect(withBody.length).toBeGreaterThan(0);
      expect(withBody.filter((address) => !address.startsWith(`${api}/`))).toEqual([]);
    });
  }, 120_000);

  test('session recordings contain no words of the page when everything is masked', async () => {
    await withRecording({ KEYTURN_SENTRY_MASK_ALL: 'on' }, async (product, collector) => {
      const page = await newPage(browser);
      await signInToHome(page, product.url);
      await page.getByText('It hides all words and pictures.').waitFor();
      await allowRecordings(page);
      // Sentry describes a click by the words of the clicked element.
      await openScreen(page, 'See the full history');
      await page.getByRole('radio', { name: 'Table' }).waitFor();
      await page.evaluate(() => {
        setTimeout(() => {
          throw new Error('a failure with everything masked');
        }, 0);
      });
      await vi.waitFor(() => expect(collector.items('event')).toHaveLength(1), 20_000);
      await waitUntilSent(page, collector);
      await page.close();
      expect(findWords(recordedPage(collector), ['***'])).toHaveLength(1);
      const pageWords = ['alder', 'amelia', 'okafor', 'drainage', 'finch', '"tagname":"path"'];
      expect(findWords(collector.text().toLowerCase(), pageWords)).toEqual([]);
      expect(recordedCalls(collector, product.url).filter(({ hasBody }) => hasBody)).toEqual([]);
    });
  }, 120_000);
});

const hiddenWords = [
  demonstrationPassword,
  'amelia@example.test',
  'typed-canary',
  'query-canary',
  'a-typed-canary',
  '4539 1488',
  '45391488',
  'Cardholder',
  'Card number',
  'Test payments.',
  'Typing your name counts as signing',
  'Your drawn signature',
  'You’ve signed this document',
  'Signature-Okafor',
  'stakeholder',
  'STAKEHOLDER',
  '_secret_',
  'kt_xxxx',
  'uthorization',
];

import { startStripeSimulator } from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import { stripeSettings } from '@keyturn/testkit/stripe-simulator/stripe-settings.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { collectPageErrors, demonstrationPassword, launchBrowser } from '../harness/browser.ts';
import { type ErrorCollector, startErrorCollector } from '../harness/error-collector.ts';
import { serveFakeStripe } from '../harness/fake-stripe/serve-fake-stripe.ts';
import { freePort } from '../harness/free-port.ts';
import { confirmDetails } from '../harness/pay-by-card.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from '../harness/start-product.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** A product that records every visit. */
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

const recording = (page: Page) =>
  page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/record-session-/.test(name)),
  );

async function signInRecorded(page: Page, url: string) {
  await page.goto(`${url}/login`);
  await recording(page);
  await page.getByLabel('Email address').fill('typed-canary');
  await page.getByLabel('Email address').fill('amelia@example.test');
  const password = page.getByLabel('Password', { exact: true });
  const show = page.getByRole('button', { name: 'Show password' });
  // Shown before a letter of it is typed, and shown once it is.
  await show.click();
  await password.fill(anotherPassword);
  await show.click();
  await password.fill(demonstrationPassword);
  await show.click();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/`);
  await page.getByText('14 Alder Row').first().waitFor();
}

/** From the home page to the card form of the drainage search. */
async function goToCardForm(page: Page, url: string) {
  await page.goto(`${url}/`);
  await page
    .getByRole('button', { name: /^Pay £55\.20.*drainage/i })
    .or(page.getByRole('link', { name: /^Pay £55\.20.*drainage/i }))
    .first()
    .click();
  await page.waitForURL('**/payment-details');
  await confirmDetails(page);
  await page.waitForURL('**/payment');
  await recording(page);
}

/** What was done on the page until now has been sent: it is, every few seconds. */
async function sent(page: Page, collector: ErrorCollector) {
  marks += 1;
  const mark = `mark-${marks}`;
  await page.evaluate((words) => document.body.setAttribute('data-mark', words), mark);
  await vi.waitFor(() => expect(found(shown(collector), [mark])).toHaveLength(1), {
    timeout: 30_000,
    interval: 300,
  });
}
let marks = 0;

/** What stood on the page and was done there. */
const shown = (collector: ErrorCollector) =>
  JSON.stringify(collector.recorded().filter(({ type }) => type === 2 || type === 3));
/** A recording is too long to be printed: which of the words are in it. */
const found = (text: string, words: string[]) => words.filter((some) => text.includes(some));
/** What is typed shows as that many stars. */
const lengthsOfMasks = (collector: ErrorCollector) => [
  ...new Set([...shown(collector).matchAll(/\*{3,}/g)].map(([stars]) => stars.length)),
];

/** How many positions were recorded between two times. */
const moves = (collector: ErrorCollector, from: number, to: number) =>
  collector
    .recorded()
    .flatMap(({ timestamp, data }) =>
      ((data as { positions?: { timeOffset: number }[] }).positions ?? []).map(
        ({ timeOffset }) => timestamp + timeOffset,
      ),
    )
    .filter((time) => time >= from && time <= to).length;

/** The calls in a recording of a page at an address: to where, and whether their bodies are in it. */
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

/** Draws with a finger, of which the browser tells all who listen. @returns when the drawing began and ended, and a movement after it on the open page */
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
  // Beside everything.
  for (let step = 1; step <= 4; step += 1) {
    await page.mouse.move(5 + step * 5, 300);
    await page.waitForTimeout(60);
  }
  return { from, to, after: Date.now() };
}

describe.concurrent('a recording', () => {
  test('has the page as it is, and nothing of passwords, cards, documents and signatures', async () => {
    await withRecording({}, async (product, collector) => {
      const page = await browser.newPage({ hasTouch: true });
      const noise = collectPageErrors(page);
      await page.goto(`${product.url}/reset-password/${'q9Zw'.repeat(11)}`);
      await recording(page);
      await sent(page, collector);
      await signInRecorded(page, product.url);

      await page.goto(`${product.url}/documents/sale/to-sign`);
      await recording(page);
      await page.getByRole('link', { name: 'Contract for the sale of 14 Alder Row' }).click();
      await page.getByRole('listitem', { name: 'Page 1 of' }).locator('canvas').waitFor();
      await page
        .getByText(/stakeholder/i)
        .first()
        .waitFor({ state: 'attached' });
      const drawing = await drawSignature(page);
      await page.getByLabel('Your full name').fill('Amelia Signature-Okafor');
      await page.getByLabel(/I’ve read this document/).check();
      await page.getByRole('button', { name: 'Sign the contract for the sale of 14 Alder Row' }).click();
      await page.getByRole('heading', { name: 'You’ve signed this document' }).waitFor();
      await sent(page, collector);
      await page.goto(`${product.url}/documents/sale/title`);
      await recording(page);
      await page.getByRole('link', { name: 'Plan: where the shared drain runs' }).click();
      await page.locator('img[alt="Plan: where the shared drain runs"]').waitFor();
      await page.evaluate(() => {
        window.print = () => {};
      });
      await page.getByRole('button', { name: 'Print' }).click();
      // What is printed stays until the browser says that it is.
      await page.locator('body > [aria-hidden] img').waitFor({ state: 'attached' });
      await sent(page, collector);

      await goToCardForm(page, product.url);
      await page.getByLabel('Card number').fill('4539 1488 0343 6467');
      await page.getByLabel('Name on card').fill('Zacharias Cardholder');
      await page.getByLabel('Security code').fill('739');
      await page.evaluate(async () => {
        const headers = { authorization: `Bearer kt_${'x'.repeat(43)}` };
        const query = 'access_token=query-canary&payment_intent_client_secret=pi_1_secret_query-canary';
        await (await fetch(`/api/maintenance?${query}`, { headers })).text();
        await (await fetch('/builds/latest.json')).text();
        const body = JSON.stringify({ password: 'a-typed-canary' });
        await fetch('/api/password/reset', { method: 'POST', body });
      });
      await sent(page, collector);
      await page.close();

      const all = collector.text().replaceAll('_secret_[hidden]', '');
      // What a client may read is in it; and of calls the address, and the answers of our own API.
      const told = ['14 Alder Row', 'Contract for the sale of 14 Alder Row', '"tagName":"path"'];
      expect(found(shown(collector), told)).toEqual(told);
      const ofCalls = ['case_history', '/reset-password/[hidden]'];
      expect(found(all, ofCalls)).toEqual(ofCalls);
      const called = recordedCalls(collector, product.url);
      const withBody = called.filter(({ hasBody }) => hasBody).map(({ address }) => address);
      expect(withBody.some((address) => address.includes('/api/maintenance'))).toBe(true);
      expect(withBody.filter((address) => !address.startsWith(`${product.url}/api/`))).toEqual([]);
      for (const path of ['/builds/latest.json', '/api/documents', '/api/login']) {
        expect(called.some(({ address }) => address.includes(path))).toBe(true);
        expect(withBody.filter((address) => address.includes(path))).toEqual([]);
      }
      expect(moves(collector, drawing.to, drawing.after)).toBeGreaterThan(0);
      expect(lengthsOfMasks(collector)).toContain('typed-canary'.length);

      expect({
        // Nobody can tell how long a password is, nor what was drawn.
        lengthsOfPasswords: [demonstrationPassword, anotherPassword]
          .map(({ length }) => length)
          .filter((length) => lengthsOfMasks(collector).includes(length)),
        movesOnTheSignature: moves(collector, drawing.from, drawing.to),
        onThePage: found(shown(collector), ['blob:', ...hiddenWords]),
        anywhere: found(all, hiddenWords),
      }).toEqual({ lengthsOfPasswords: [], movesOnTheSignature: 0, onThePage: [], anywhere: [] });
      // One refusal was meant to be: the reset without a token.
      expect(noise.filter((line) => !/status of 4(15|22)/.test(line))).toEqual([]);
    });
  }, 240_000);

  test('where the API is another origin and Stripe takes the card, has bodies of that origin alone, and nothing of Stripe’s form', async () => {
    const simulator = await startStripeSimulator();
    const port = await freePort();
    // The same server by another name.
    const api = `http://localhost:${port}/api`;
    const split = {
      ...stripeSettings(simulator),
      PORT: String(port),
      KEYTURN_API_BASE_URL: api,
      KEYTURN_ALLOWED_ORIGINS: `http://127.0.0.1:${port}`,
    };
    await withRecording(split, async (product, collector) => {
      const context = await browser.newContext({ locale: 'en-GB' });
      await serveFakeStripe(context, simulator, product.url);
      const page = await context.newPage();
      await signInRecorded(page, product.url);
      await goToCardForm(page, product.url);
      const fields = page.frameLocator('iframe[title="Secure payment input frame"]');
      await fields.getByLabel('Card number').fill('4000 0027 6000 3184');
      await page.getByRole('button', { name: /^Pay £/ }).click();
      await page.locator('iframe[title="The bank"]').waitFor();
      await page.evaluate(async (base) => {
        for (const address of [`${base}/maintenance`, '/api/maintenance', '/builds/latest.json']) {
          await (await fetch(address)).text();
        }
      }, api);
      await sent(page, collector);
      await context.close();

      expect(found(shown(collector), ['Pay by card'])).toHaveLength(1);
      // The button of the form, Stripe's frame in it, and the bank's over the page.
      const ofStripe = ['"textContent":"Pay "', '"iframe","attributes":{"title"', 'rr_src', 'stripe.com'];
      expect(found(shown(collector), ofStripe)).toEqual([]);
      const called = recordedCalls(collector, product.url);
      expect(called.some(({ address }) => address.startsWith(`${product.url}/api/maintenance`))).toBe(true);
      const withBody = called.filter(({ hasBody }) => hasBody).map(({ address }) => address);
      expect(withBody.length).toBeGreaterThan(0);
      expect(withBody.filter((address) => !address.startsWith(`${api}/`))).toEqual([]);
    });
    await simulator.stop();
  }, 120_000);

  test('has no word of the page where everything is masked', async () => {
    await withRecording({ KEYTURN_SENTRY_MASK_ALL: 'on' }, async (product, collector) => {
      const page = await browser.newPage();
      await signInRecorded(page, product.url);
      // By its words, a click tells what was clicked.
      await page
        .getByRole('link', { name: /^Pay £55\.20.*drainage/i })
        .first()
        .click();
      await page.waitForURL('**/payment-details');
      await page.evaluate(() => {
        setTimeout(() => {
          throw new Error('a failure where all is masked');
        }, 0);
      });
      await vi.waitFor(() => expect(collector.items('event')).toHaveLength(1), 20_000);
      await sent(page, collector);
      await page.close();
      expect(found(shown(collector), ['***'])).toHaveLength(1);
      const ofThePage = ['alder', 'amelia', 'okafor', 'drainage', 'finch', '"tagname":"path"'];
      expect(found(collector.text().toLowerCase(), ofThePage)).toEqual([]);
      expect(recordedCalls(collector, product.url).filter(({ hasBody }) => hasBody)).toEqual([]);
    });
  }, 120_000);
});

const anotherPassword = 'a-canary-of-24-letters-x';

const hiddenWords = [
  demonstrationPassword,
  anotherPassword,
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
  'q9Zwq9Zw',
  '_secret_',
  'kt_xxxx',
  'uthorization',
];

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  closeContexts,
  collectPageErrors,
  newContext,
  openSharedBrowser,
  signInByForm,
} from '../harness/browser.ts';
import { freePort } from '../harness/free-port.ts';
import { confirmDetails, payWith } from '../harness/pay-by-card.ts';
import { connectToProductDatabase, productDatabaseUrl } from '../harness/product-database.ts';
import { recordChannel } from '../harness/record-channel.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from '../harness/start-product.ts';

/* One origin serves the dashboard, and another one serves its API and real-time channel. */

let api: RunningProduct;
let dashboard: RunningProduct;
let browser: Browser;

beforeAll(async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  api = await startProduct({ env: { KEYTURN_ALLOWED_ORIGINS: `https://other.example.com, ${origin}` } });
  dashboard = await startProduct({
    dataDirectory: api.dataDirectory,
    env: {
      PORT: String(port),
      DATABASE_URL: productDatabaseUrl(api.dataDirectory),
      KEYTURN_API_BASE_URL: `${api.url}/api`,
      KEYTURN_REALTIME_HOST: 'localhost',
      KEYTURN_REALTIME_PORT: new URL(api.url).port,
      KEYTURN_REALTIME_SCHEME: 'http',
    },
  });
  browser = await openSharedBrowser();
}, 120_000);
afterAll(async () => {
  await closeContexts(browser);
  await dashboard?.stop();
  await api?.stop();
  if (api) removeDataDirectory(api.dataDirectory);
});

describe('a dashboard with its API on another origin', () => {
  test('a client signs in, reads and downloads a document, pays and signs out across origins without console errors', async () => {
    const context = await newContext(browser);
    const page = await context.newPage();
    const pageErrors = collectPageErrors(page);
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/')) calls.push(new URL(request.url()).origin);
    });
    await signInByForm(page, dashboard.url, 'amelia@example.test');
    await page.getByText(/^Last updated/).waitFor();

    await page.goto(`${dashboard.url}/documents/sale/to-sign`);
    await page.getByRole('link', { name: 'Contract for the sale of 14 Alder Row' }).click();
    await page.getByRole('listitem', { name: 'Page 1 of' }).locator('canvas').waitFor();
    const downloading = page.waitForEvent('download');
    await page
      .getByRole('button', { name: /Download/ })
      .first()
      .click();
    expect((await downloading).suggestedFilename()).toMatch(/\.pdf$/);

    await page.goto(dashboard.url);
    await page
      .getByRole('link', { name: /^Pay £276/ })
      .first()
      .click();
    await confirmDetails(page);
    await payWith(page);
    await page.getByRole('heading', { name: /^Payment received/ }).waitFor();

    await page.getByRole('button', { name: /Amelia Okafor/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email address').waitFor();
    expect([...new Set(calls)]).toEqual([api.url]);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('receives live updates from the real-time channel of another origin', async () => {
    const context = await newContext(browser);
    const page = await context.newPage();
    const pageErrors = collectPageErrors(page);
    const channel = recordChannel(page);
    await signInByForm(page, dashboard.url, 'amelia@example.test');
    await expect.poll(() => channel.subscriptions().length, { timeout: 20_000 }).toBe(4);
    expect(channel.openedHosts).toEqual([new URL(api.url).host]);

    const reference = (
      await page
        .getByText(/^Case [A-Z]/)
        .first()
        .textContent()
    )?.slice('Case '.length);
    const database = await connectToProductDatabase(api.dataDirectory);
    await database.query(`update conveyancing_cases set reference = 'CH-4711' where reference = $1`, [
      reference,
    ]);
    await database.end();
    await page.getByText('Case CH-4711').first().waitFor({ timeout: 10_000 });
    // The page may have read the change before its event came.
    await expect.poll(() => channel.events).toContain('CaseUpdated');
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  test('a dashboard on another origin can read Retry-After after too many sign-in attempts', async () => {
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.goto(`${dashboard.url}/login`);
    const retryAfter = await page.evaluate(async (base) => {
      for (let times = 0; times < 60; times++) {
        const answer = await fetch(`${base}/login`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ email: 'nobody@example.test', password: 'wrong' }),
        });
        if (answer.status === 429) return answer.headers.get('Retry-After');
      }
      return null;
    }, `${api.url}/api`);
    expect(Number(retryAfter)).toBeGreaterThan(0);
    await context.close();
  });

  test('a page from an origin that is not allowed cannot read the API', async () => {
    const context = await newContext(browser);
    const page = await context.newPage();
    // The API's server also serves a dashboard, but under this host name its origin is not allowed.
    await page.goto(`${api.url.replace('localhost', '127.0.0.1')}/login`);
    const outcome = await page.evaluate(
      (base) =>
        fetch(`${base}/maintenance`).then(
          () => 'read',
          () => 'refused',
        ),
      `${api.url}/api`,
    );
    expect(outcome).toBe('refused');
    await context.close();
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demonstrationPassword, launchBrowser, listenForNoise } from '../harness/browser.ts';
import { type ErrorCollector, startErrorCollector } from '../harness/error-collector.ts';
import { confirmDetails } from '../harness/pay-by-card.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from '../harness/start-product.ts';

let browser: Awaited<ReturnType<typeof launchBrowser>>;
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
  await page.getByLabel('Email address').fill('amelia@example.test');
  await page.getByLabel('Password', { exact: true }).fill(demonstrationPassword);
  await page.getByRole('button', { name: /show/i }).first().click();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/`);
  await page.getByText('14 Alder Row').first().waitFor();
}

/** What was recorded until now has been sent: it is, every few seconds. */
async function sent(collector: ErrorCollector) {
  const before = collector.items('replay_recording').length;
  await expect
    .poll(() => collector.items('replay_recording').length, { timeout: 30_000 })
    .toBeGreaterThan(before);
}

const words = (collector: ErrorCollector) => JSON.stringify(collector.recorded());

describe('a recording', () => {
  test('has the page as it is, and nothing of passwords, cards, documents and signatures', async () => {
    await withRecording({}, async (product, collector) => {
      const page = await browser.newPage();
      const noise = listenForNoise(page);
      await page.goto(`${product.url}/reset-password/${'q9Zw'.repeat(11)}`);
      await recording(page);
      await sent(collector);
      await signInRecorded(page, product.url);
      await page.goto(`${product.url}/documents/sale/to-sign`);
      await page.getByRole('link', { name: 'Contract for the sale of 14 Alder Row' }).click();
      await recording(page);
      await page.getByRole('listitem', { name: 'Page 1 of' }).locator('canvas').waitFor();
      await page.locator('.textLayer, [data-never-recorded] canvas').first().waitFor();
      await page.getByLabel('Your full name').fill('Amelia Signature-Okafor');
      await sent(collector);
      await page.goto(`${product.url}/payments`);
      await page.goto(`${product.url}/`);
      await page
        .getByRole('button', { name: /^Pay £55\.20.*drainage/i })
        .or(page.getByRole('link', { name: /^Pay £55\.20.*drainage/i }))
        .first()
        .click();
      await page.waitForURL('**/payment-details');
      await confirmDetails(page);
      await page.waitForURL('**/payment');
      await recording(page);
      await page.getByLabel('Card number').fill('4539 1488 0343 6467');
      await page.getByLabel('Name on card').fill('Zacharias Cardholder');
      await page.getByLabel('Security code').fill('739');
      await page.evaluate(async () => {
        const headers = { authorization: `Bearer kt_${'x'.repeat(43)}` };
        await (await fetch('/api/maintenance', { headers })).text();
        const body = JSON.stringify({ password: 'a-typed-canary' });
        await fetch('/api/password/reset', { method: 'POST', body });
      });
      await sent(collector);
      await page.close();

      const all = collector.text();
      // What a client may read is in it.
      expect(words(collector)).toContain('14 Alder Row');
      expect(words(collector)).toContain('Contract for the sale of 14 Alder Row');
      // Of calls, the address and the answers of our own API.
      expect(all).toContain('/api/maintenance');
      expect(all).toContain('case_history');
      expect(all).toContain('/reset-password/[hidden]');
      for (const hidden of [
        demonstrationPassword,
        'amelia@example.test',
        'a-typed-canary',
        '4539',
        'Cardholder',
        'Card number',
        'Test payments.',
        'Your typed name is your signature',
        'Signature-Okafor',
        'stakeholder',
        'STAKEHOLDER',
        'q9Zwq9Zw',
        '_secret_',
        'kt_',
        'uthorization',
      ]) {
        if (hidden === '_secret_') expect(all.replaceAll('_secret_[hidden]', '')).not.toContain(hidden);
        else expect(all, hidden).not.toContain(hidden);
      }
      // One refusal was meant to be: the reset without a token.
      expect(noise.filter((line) => !/status of 4(15|22)/.test(line))).toEqual([]);
    });
  }, 240_000);

  test('has no word of the page where everything is masked', async () => {
    await withRecording({ KEYTURN_SENTRY_MASK_ALL: 'on' }, async (product, collector) => {
      const page = await browser.newPage();
      await signInRecorded(page, product.url);
      await page.goto(`${product.url}/payments`);
      await recording(page);
      await expect.poll(() => words(collector), { timeout: 40_000 }).toContain('***');
      await expect
        .poll(() => collector.recorded().filter(({ type }) => type === 2).length, { timeout: 40_000 })
        .toBeGreaterThan(0);
      await page.waitForTimeout(6_000);
      await page.close();
      expect(collector.text()).not.toMatch(/Alder Row|Amelia|Okafor|drainage|Alder &(amp;)? Finch/i);
    });
  }, 120_000);
});

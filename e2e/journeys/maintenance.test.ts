import { setTimeout as pause } from 'node:timers/promises';
import { measureSlowness } from '@keyturn/testkit/measure-slowness.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { collectPageErrors, newContext, signIn } from '../harness/browser.ts';
import { confirmDetails, fillCard } from '../harness/pay-by-card.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { endMaintenance } from '../harness/run-keyturn.ts';

const product = withProduct();
afterEach(async () => {
  await endMaintenance(product);
  await endMaintenance(product, 'case-history');
});

async function openPage() {
  const context = await newContext(product.browser);
  return { context, page: await context.newPage() };
}

/** @returns the time until the event, in milliseconds */
async function measureDuration(event: Promise<unknown>): Promise<number> {
  const startedAt = Date.now();
  await event;
  return Date.now() - startedAt;
}

describe('maintenance', () => {
  test('shows the maintenance page on open tabs within five seconds, and restores them when maintenance ends', async () => {
    const { page, context } = await openPage();
    await signIn(page, product.url, 'amelia@example.test');
    await page.getByRole('heading', { name: 'What we need from you' }).waitFor();
    const switched = await product.keyturn(
      'maintenance',
      'on',
      '--message',
      'We are moving to a new office.',
      '--until',
      '2030-01-02 14:00',
    );
    expect(switched).toEqual({
      code: 0,
      output:
        'general: in maintenance, expected to end 2030-01-02 14:00: "We are moving to a new office."\ncase-history: open\n',
    });
    const heading = page.getByRole('heading', { name: 'Service Unavailable' });
    expect(await measureDuration(heading.waitFor())).toBeLessThan(5_000 * measureSlowness());
    await page.getByText('We are moving to a new office.').waitFor();
    await page.getByText(/We expect to be back by 2:00 pm on Wednesday 2 January 2030/).waitFor();
    expect(await page.getByText('What we need from you').count()).toBe(0);

    // A reload, another path and a signed-out visitor get the same page.
    await page.reload();
    await heading.waitFor();
    // The page is there before its scripts, and its button waits for them.
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await pause(1_000);
      await route.continue();
    });
    await page.goto(`${product.url}/payments`, { waitUntil: 'commit' });
    await heading.waitFor();
    await page.getByText('Monday to Friday, 9:00 am to 5:30 pm').waitFor();
    await page.getByRole('link', { name: '0117 496 0100' }).waitFor();
    await page.getByRole('button', { name: 'Go Back' }).click();
    await page.waitForURL(`${product.url}/`);
    await page.unrouteAll({ behavior: 'wait' });
    await heading.waitFor();
    await page.reload();
    await heading.waitFor();
    const guest = await openPage();
    await guest.page.goto(`${product.url}/login`);
    await guest.page.getByRole('heading', { name: 'Service Unavailable' }).waitFor();

    await product.keyturn('maintenance', 'off');
    expect(
      await measureDuration(
        Promise.all([
          // The page from which the client went back.
          page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor(),
          guest.page.getByLabel('Email address').waitFor(),
        ]),
      ),
    ).toBeLessThan(6_000 * measureSlowness());
    expect(page.url()).toBe(`${product.url}/payments`);
    await context.close();
    await guest.context.close();
  });

  test('leaves the rest of the dashboard available during maintenance of the case history', async () => {
    const { page, context } = await openPage();
    await signIn(page, product.url, 'priya@example.test');
    await page.getByText(/^Last updated/).waitFor();
    await product.keyturn('maintenance', 'on', '--area', 'case-history');
    const newest = page.getByRole('region', { name: 'Latest updates' });
    const closed = newest.getByText('We are currently in maintenance, please try again later.');
    await closed.waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('Service Unavailable').count()).toBe(0);
    await page.goto(`${product.url}/case-history`);
    await page.getByRole('heading', { name: 'Service Unavailable' }).waitFor();
    await page.getByText('We are currently in maintenance, please try again later.').waitFor();
    await page.getByRole('link', { name: 'Milestones' }).first().click();
    await page.getByRole('heading', { name: 'Milestones', level: 1 }).waitFor();

    // The page does not request the closed area, and shows no invented date instead.
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.goto(`${product.url}/case-history`);
    await page.getByRole('button', { name: 'Go Back' }).click();
    await page.getByText(/^Up to date\.$/).waitFor();
    await closed.waitFor();
    expect(await page.getByText('Last updated').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(requestedUrls.filter((url) => url.includes('/api/case-history'))).toEqual([]);
    await product.keyturn('maintenance', 'off', '--area', 'case-history');
    await page.getByText(/^Last updated/).waitFor();
    await closed.waitFor({ state: 'hidden' });
    expect(await newest.getByRole('listitem').count()).toBeGreaterThan(0);
    await context.close();
  });

  test('fault 31: maintenance lets a payment in progress finish and rejects new ones', async () => {
    const { page, context } = await openPage();
    const pageErrors = collectPageErrors(page);
    await signIn(page, product.url, 'amelia@example.test');
    await page
      .getByRole('link', { name: /^Pay £55\.20/ })
      .first()
      .click();
    await confirmDetails(page);
    await fillCard(page);
    await product.keyturn('maintenance', 'on');
    await page.waitForTimeout(5_000);
    await page.getByRole('button', { name: /^Pay £/ }).click();
    await page.getByRole('heading', { name: 'Payment received: £55.20' }).waitFor();
    // A new payment gets the maintenance page; the completed one is listed after maintenance.
    await page
      .getByRole('link', { name: /^(Back to|See what else we need)/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Service Unavailable' }).waitFor();
    await page.goto(`${product.url}/payment-details`);
    await page.getByRole('heading', { name: 'Service Unavailable' }).waitFor();
    await product.keyturn('maintenance', 'off');
    await page.goto(`${product.url}/payments`);
    await page
      .getByText(/R-\d{4}-\d{6}/)
      .first()
      .waitFor();
    expect(pageErrors.filter((line) => line.startsWith('uncaught'))).toEqual([]);
    await context.close();
  });
});

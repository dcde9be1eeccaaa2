import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { shareSignIns, slowDown } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();
const openSignedIn = shareSignIns(product);

const phone = { width: 390, height: 844 };
const wide = { width: 1_440, height: 900 };

/** Milliseconds that each answer takes. */
const latency = 400;

/** The score that Chromium gives an unnoticeable shift. From 0.1 on, it says that a page needs improvement. */
const maxScore = 0.02;

/** Adds up the scores of all shifts on a page, and lists what moved. */
function recordShifts(): void {
  const shifts = { score: 0, moved: [] as string[] };
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LayoutShift[]) {
      shifts.score += entry.value;
      for (const { node } of entry.sources)
        shifts.moved.push(node?.textContent?.slice(0, 60) ?? 'an element that is gone');
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null }[];
}

/** Opens a page on a slow network, and checks that nothing moves until it is complete. */
async function expectNoShift(page: Page, path: string): Promise<void> {
  await page.addInitScript(recordShifts);
  await slowDown(page, latency);
  await page.goto(product.url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await expect.poll(() => page.locator('[class*="skeleton"]').count()).toBe(0);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const shifts = await page.evaluate(
    () => (window as unknown as { shifts: { score: number; moved: string[] } }).shifts,
  );
  expect(shifts.score, shifts.moved.join('\n')).toBeLessThan(maxScore);
}

describe.each([
  // She has much on every page and Priya little, so placeholders are too short or too high.
  ['amelia@example.test', wide, ['/', '/documents', '/payments', '/account']],
  ['priya@example.test', phone, ['/', '/payments', '/payment', '/case-history', '/account']],
] as const)('on a slow network, for %s', (email, viewport, paths) => {
  test.each(paths)('the page %s moves nothing while it loads', async (path) => {
    const page = await openSignedIn(email);
    await page.setViewportSize(viewport);
    await expectNoShift(page, path);
    await page.close();
  });
});

describe.each([
  ['phone', phone],
  ['wide screen', wide],
])('on a slow network, on a %s', (_screen, viewport) => {
  test.each([
    ['works', true],
    ['has expired', false],
  ])('the page of a password link that %s moves nothing while it is checked', async (_state, is_open) => {
    const context = await product.browser.newContext({ viewport });
    const page = await context.newPage();
    await page.route('**/api/password/check-link', async (route) => {
      await pause(latency);
      await route.fulfill({ json: { data: { is_open, min_password_length: 15 } } });
    });
    await expectNoShift(page, `/reset-password#${'a'.repeat(43)}`);
    await context.close();
  });
});

import { describe, expect, test } from 'vitest';
import { shareSignIns } from '../harness/browser.ts';
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

describe.each([
  // She has much on every page and Priya little, so placeholders are too short or too high.
  ['amelia@example.test', wide, ['/', '/documents', '/payments', '/account']],
  ['priya@example.test', phone, ['/', '/payments', '/payment', '/case-history', '/account']],
] as const)('on a slow network, for %s', (email, viewport, paths) => {
  test.each(paths)('the page %s moves nothing while it loads', async (path) => {
    const page = await openSignedIn(email);
    await page.setViewportSize(viewport);
    await page.addInitScript(recordShifts);
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    await page.goto(product.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await expect.poll(() => page.locator('[class*="skeleton"]').count()).toBe(0);
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    const shifts = await page.evaluate(
      () => (window as unknown as { shifts: { score: number; moved: string[] } }).shifts,
    );
    expect(shifts.score, shifts.moved.join('\n')).toBeLessThan(maxScore);
    await page.close();
  });
});

import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { collectPageErrors, newContext, storeSignIn } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';

const product = withProduct();

interface FirstView {
  commits: { text: string; placeholders: number }[];
  shifts: unknown[];
}

/** Reads the page after each of React’s commits, and collects the layout shifts. */
async function recordFirstView(page: Page) {
  await page.addInitScript(() => {
    const record: FirstView = { commits: [], shifts: [] };
    const onCommitFiberRoot = () => {
      const main = document.querySelector('main');
      const placeholders = main?.querySelectorAll('[class*="skeleton"]').length ?? 0;
      record.commits.push({ text: main?.textContent ?? '', placeholders });
    };
    new PerformanceObserver((list) => {
      record.shifts.push(...list.getEntries().map((entry) => entry.toJSON()));
    }).observe({ type: 'layout-shift', buffered: true });
    const nothing = () => undefined;
    Object.assign(window, {
      record,
      // React’s interface for its developer tools.
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        inject: () => 1,
        onCommitFiberRoot,
        onCommitFiberUnmount: nothing,
        onPostCommitFiberRoot: nothing,
      },
    });
  });
  return () => page.evaluate(() => (window as unknown as { record: FirstView }).record);
}

test('the first view of the home page requests its data while the code loads, and renders once, complete', async () => {
  // The browser has no file of the dashboard, and no case from an earlier visit.
  const context = await newContext(product.browser, { viewport: { width: 412, height: 823 } });
  const page = await context.newPage();
  await storeSignIn(page, product.url, 'amelia@example.test');
  const pageErrors = collectPageErrors(page);
  const readFirstView = await recordFirstView(page);
  const pathOf = (request: Request) => request.url().replace(product.url, '');
  const requests: string[] = [];
  const answers = new Set<string>();
  page.on('request', (request) => {
    // Once connected, live updates refetch everything in the background.
    if (request.headers()['x-activity'] !== 'background') requests.push(pathOf(request));
  });
  page.on('response', (response) => void answers.add(pathOf(response.request())));
  let releaseScripts = () => {};
  const scripts = new Promise<void>((resolve) => {
    releaseScripts = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await scripts;
    await route.continue();
  });

  await page.goto(product.url, { waitUntil: 'commit' });
  const data = ['/api/client', '/api/case-searches', '/api/milestones', '/api/case-history?limit=5'];
  await expect.poll(() => data.filter((path) => !answers.has(path))).toEqual([]);
  const scriptsBefore = requests.filter((path) => path.endsWith('.js'));
  const stylesBefore = requests.filter((path) => path.endsWith('.css'));
  // The fonts may still move the prerendered frame.
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    (window as unknown as { record: FirstView }).record.shifts = [];
  });
  releaseScripts();
  await page
    .getByRole('link', { name: /^Pay £/ })
    .first()
    .waitFor();

  const { commits, shifts } = await readFirstView();
  expect(commits[0]?.placeholders).toBe(0);
  for (const part of ['Case KT-', 'Pay £', 'Property searches', 'Latest updates'])
    expect(commits[0]?.text).toContain(part);
  expect(shifts).toEqual([]);
  expect(requests.filter((path) => path.startsWith('/api/')).sort()).toEqual([...data].sort());
  // Each file costs a request and its headers.
  expect([scriptsBefore.length <= 9, stylesBefore.length <= 5], requests.join(' ')).toEqual([true, true]);
  expect(pageErrors).toEqual([]);
  await context.close();
});

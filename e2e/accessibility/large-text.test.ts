import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNoSidewaysScrolling } from '../harness/accessibility-violations.ts';
import { newPage, shareSignIns } from '../harness/browser.ts';
import { withProduct } from '../harness/product-and-browser.ts';
import { endMaintenance } from '../harness/run-keyturn.ts';
import { type Screen, screens } from '../harness/screens.ts';

const product = withProduct();
const openSignedIn = shareSignIns(product);

const readable: Pick<Screen, 'name' | 'as' | 'open'>[] = [
  {
    name: 'account',
    as: 'amelia',
    open: async (page, { url }) => {
      await page.goto(`${url}/account`);
      await page.getByRole('heading', { name: 'Where you’re signed in' }).waitFor();
    },
  },
  ...screens.filter(({ acceptsBank }) => !acceptsBank),
];

test.each(readable.map((screen) => [screen.name, screen] as const))(
  'on a phone with text at 200 %, nothing is cut off or covered on the screen %s',
  async (name, screen) => {
    const page = screen.as ? await openSignedIn(`${screen.as}@example.test`) : await newPage(product.browser);
    if (screen.as) await page.goto(product.url);
    await screen.open(page, product);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const size of [160, 200]) {
      await setTextSize(page, size);
      await expectNoSidewaysScrolling(page, `${name} at ${size} %`);
      expect(await linksOutsideBar(page), `${name} at ${size} %`).toEqual([]);
    }
    expect(await coveredAlerts(page), name).toEqual([]);
    expect(await coveredFocus(page), name).toEqual([]);
    if (name === 'maintenance') await endMaintenance(product);
    await page.close();
  },
);

test('the bar at the bottom of a phone holds the longer words of a translated page', async () => {
  const page = await openSignedIn('amelia@example.test');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(product.url);
  await page.getByText(/^Last updated/).waitFor();
  await page.evaluate(() => {
    for (const link of document.querySelectorAll('nav[aria-label="Main"] a'))
      link.firstChild?.replaceWith('Previous payments');
  });
  await expectNoSidewaysScrolling(page, 'a translated page');
  expect(await linksOutsideBar(page)).toEqual([]);
  expect(await coveredFocus(page)).toEqual([]);
  await page.close();
});

test('nothing covers the account menu on a phone with text at 200 %', async () => {
  const page = await openSignedIn('amelia@example.test');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(product.url);
  await page.getByText(/^Last updated/).waitFor();
  await setTextSize(page, 200);
  await page.locator('[popovertarget]').last().click();
  const covered = await page.evaluate(() => {
    const parts = [...document.querySelectorAll<HTMLElement>('[popover]:popover-open :is(a, button, input)')];
    return [
      ...(parts.length === 0 ? ['the menu is not open'] : []),
      ...parts.flatMap((part) => {
        part.scrollIntoView({ block: 'nearest' });
        const { left, top, width, height } = part.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        return hit && (part.contains(hit) || hit.contains(part)) ? [] : [part.textContent || part.id];
      }),
    ];
  });
  expect(covered).toEqual([]);
  await page.close();
});

/** Sets the size of text in percent, as a browser's own setting does, and waits until the page is laid out again. */
async function setTextSize(page: Page, percent: number): Promise<void> {
  await page.evaluate(async (size) => {
    document.documentElement.style.fontSize = `${size}%`;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, percent);
}

/** The links of the bar at the bottom that leave the window or overlap another one. */
const linksOutsideBar = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const bar = [...document.querySelectorAll('nav[aria-label="Main"]')].find(
      (nav) => getComputedStyle(nav).position === 'fixed',
    );
    const rects = [...(bar?.querySelectorAll('a') ?? [])].map((link) => {
      const words = document.createRange();
      // The first word, without the number of unread documents above it.
      words.selectNodeContents(link.firstChild ?? link);
      return {
        name: link.textContent ?? '',
        box: link.getBoundingClientRect(),
        words: words.getBoundingClientRect(),
      };
    });
    return rects
      .filter(
        ({ box, words }) =>
          words.left < box.left - 1 || words.right > box.right + 1 || box.right > innerWidth + 1,
      )
      .map(({ name }) => name);
  });

/** The alerts, and the places where messages arrive, that the bar at the bottom covers. */
const coveredAlerts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const bar = [...document.querySelectorAll('nav[aria-label="Main"]')].find(
      (nav) => getComputedStyle(nav).position === 'fixed',
    );
    if (!bar || bar.getClientRects().length === 0) return [];
    const alerts = [...document.querySelectorAll('[role="alert"], [role="status"]')].filter(
      (alert) => !bar.contains(alert) && alert.getClientRects().length > 0,
    );
    return alerts.flatMap((alert) => {
      alert.scrollIntoView({ block: 'nearest' });
      const { bottom, height } = alert.getBoundingClientRect();
      const room = bar.getBoundingClientRect().top;
      return height < room && bottom > room + 1 ? [`${alert.outerHTML.slice(0, 120)} ends at ${bottom}`] : [];
    });
  });

/** The elements that another one covers while the keyboard is on them, after at most 60 presses of Tab. */
async function coveredFocus(page: Page): Promise<string[]> {
  const covered: string[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
      if (width < 2 || height < 2) return '';
      const bar = [...document.querySelectorAll('nav[aria-label="Main"]')].find(
        (nav) => getComputedStyle(nav).position === 'fixed',
      );
      // A dialog is above the bar.
      const isBelowBar = bar && !bar.contains(element) && !element.closest('dialog');
      const end = isBelowBar ? bar.getBoundingClientRect().top : innerHeight;
      const isTall = height > end / 2;
      const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
      const y = isTall ? (Math.max(top, 0) + Math.min(bottom, end)) / 2 : (top + bottom) / 2;
      const hit = document.elementFromPoint(x, y);
      const isOnTop =
        hit !== null && (element.contains(hit) || hit.contains(element) || hit.closest('label') !== null);
      if (isOnTop && (isTall || bottom <= end + 1)) return '';
      return `${element.tagName} ${element.textContent?.slice(0, 60)} at ${Math.round(top)} to ${Math.round(bottom)}`;
    });
    if (found === null) break;
    if (found !== '') covered.push(found);
  }
  return covered;
}

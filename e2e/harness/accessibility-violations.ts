import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules of these levels whose result depends on colours. All others only read the structure and the layout. */
export const colourRules: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/**
 * Runs axe on the page and returns each violation with its HTML.
 * @param options replace axe's rules or change some; by default all rules up to WCAG 2.2 AA and the best practices
 */
export async function findAccessibilityViolations(page: Page, options: RunOptions = {}): Promise<string[]> {
  const run = { runOnly: levels, resultTypes: ['violations'], ...options };
  const evaluate = await openAxe(page);
  const results = JSON.parse(
    await evaluate(
      `axe.run(document, ${JSON.stringify(run)}).then(({ violations }) => JSON.stringify({ violations }))`,
    ),
  ) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  );
}

type Evaluate = (expression: string) => Promise<string>;

/** The JavaScript worlds that have loaded axe. It is large, so each document loads it once. */
const worlds = new WeakMap<Page, Evaluate>();

/** Returns a function that evaluates an expression next to axe in the page's current document. */
async function openAxe(page: Page): Promise<Evaluate> {
  const opened = worlds.get(page);
  // The world is gone after a navigation to another document.
  if ((await opened?.('typeof axe').catch(() => 'gone')) === 'object') return opened as Evaluate;
  // Runs in an isolated world, because the page's content security policy rejects foreign scripts.
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const evaluate: Evaluate = async (expression) =>
    (
      await session.send('Runtime.evaluate', {
        expression,
        contextId: executionContextId,
        awaitPromise: true,
        returnByValue: true,
      })
    ).result.value;
  await evaluate(axeSource);
  worlds.set(page, evaluate);
  return evaluate;
}

/** Waits until a page is no wider than the window, because a page can take a moment to follow a change of the window. */
export async function expectNoSidewaysScrolling(page: Page, name: string): Promise<void> {
  await expect
    .poll(
      () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      { message: `${name} scrolls sideways` },
    )
    .toBeLessThanOrEqual(0);
}

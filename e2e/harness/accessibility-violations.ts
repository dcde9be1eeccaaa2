import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs axe on the page and returns each violation with its HTML. @param rules overrides of axe's rules */
export async function findAccessibilityViolations(page: Page, rules: object = {}): Promise<string[]> {
  // In an isolated world, because the page's content security policy rejects foreign scripts.
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const evaluate = async (expression: string) =>
    (
      await session.send('Runtime.evaluate', {
        expression,
        contextId: executionContextId,
        awaitPromise: true,
        returnByValue: true,
      })
    ).result.value;
  await evaluate(axeSource);
  const results = JSON.parse(
    await evaluate(`axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], rules: ${JSON.stringify(rules)} })
      .then(({ violations }) => JSON.stringify({ violations }))`),
  ) as AxeResults;
  await session.detach();
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  );
}

import type { Page, Response } from 'playwright-core';
import { clockAhead } from './browser.ts';

/** A change that a page shows. Each text is the text of one element. */
export interface Change {
  on: Page;
  appears?: string;
  disappears?: string;
}

/** Milliseconds after which a change counts as never shown. */
const patience = 60_000;

/**
 * Starts to watch a page for a change. The page itself records the time, because polling from outside would add
 * latency.
 * @returns resolves to a function that waits for the change and returns when it was shown, in milliseconds since 1970
 */
export async function watchFor({ on: page, ...texts }: Change): Promise<() => Promise<number>> {
  const watched = await page.evaluateHandle(
    ({ appears, disappears, limit }) => {
      const shown = () => {
        const text = document.querySelector('main')?.textContent ?? '';
        return appears === undefined ? !text.includes(disappears ?? '') : text.includes(appears);
      };
      if (shown()) throw new Error(`the page shows it already: ${appears ?? disappears}`);
      const at = new Promise<number | null>((resolve) => {
        const timer = setTimeout(() => resolve(null), limit);
        const observer = new MutationObserver(() => {
          if (!shown()) return;
          clearTimeout(timer);
          observer.disconnect();
          resolve(Date.now());
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      });
      return { at };
    },
    { ...texts, limit: patience },
  );
  return async () => {
    const at = await watched.evaluate((watch) => watch.at);
    if (at === null) throw new Error(`not shown: ${JSON.stringify(texts)}`);
    return at;
  };
}

/** Returns the time at which a response arrived, in milliseconds since 1970. */
export async function answeredAt(response: Response): Promise<number> {
  await response.finished();
  const { startTime, responseEnd } = response.request().timing();
  return startTime + responseEnd + clockAhead;
}

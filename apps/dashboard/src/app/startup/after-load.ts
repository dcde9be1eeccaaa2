/**
 * Runs non-essential work when the browser is idle, and at least a second after the page has loaded.
 * Failures are ignored.
 */
export function runAfterLoad(work: () => Promise<unknown>): void {
  const run = () => void work().catch(() => undefined);
  const schedule = () => setTimeout(() => (window.requestIdleCallback ?? setTimeout)(run), delayMs);
  if (document.readyState === 'complete') schedule();
  else addEventListener('load', schedule);
}

const delayMs = 1_000;

/**
 * For what the page is usable without: a second after all that it asks for itself has come, or after now where it has
 * come already, and once the browser has nothing else to do. That it fails is nobody's business.
 */
export function runAfterLoad(work: () => Promise<unknown>): void {
  const start = () => void work().catch(() => undefined);
  const soon = () => setTimeout(() => (window.requestIdleCallback ?? setTimeout)(start), startAfter);
  if (document.readyState === 'complete') soon();
  else addEventListener('load', soon);
}

/** Milliseconds. */
const startAfter = 1_000;

import type { Router } from '../../navigation/router.ts';

/**
 * Shows a new page from its top, and one that the client goes back to where they left it. The browser itself would
 * restore the position before the page is rendered. A history entry keeps its position during a reload.
 */
export function keepScrollPositions(
  router: Pick<Router, 'onMove' | 'onShown' | 'place' | 'shown'>,
  window: Window,
): void {
  const { document, history } = window;
  history.scrollRestoration = 'manual';
  const positions = new Map<number, number>();
  const kept: unknown = history.state?.scroll;
  if (typeof kept === 'number') positions.set(router.place().index, kept);
  let restoring: AbortController | undefined;
  const isRestoring = () => restoring?.signal.aborted === false;
  let saving: number | undefined;
  const save = () => {
    window.clearTimeout(saving);
    // A page that is not as high as before yet would lose the position.
    if (isRestoring() || router.shown()?.place !== router.place()) return;
    // wouter would report a call of the instance’s own method as a navigation.
    const state = { ...history.state, scroll: window.scrollY };
    Object.getPrototypeOf(history).replaceState.call(history, state, '');
  };
  router.onMove((isNew) => {
    const index = router.shown()?.place.index;
    if (index !== undefined && !isRestoring()) positions.set(index, window.scrollY);
    restoring?.abort();
    if (isNew) positions.delete(router.place().index);
  });
  // Chromium does not keep what is saved once a reload has started.
  window.addEventListener('scroll', () => {
    window.clearTimeout(saving);
    saving = window.setTimeout(save, savedAfter);
  });
  window.addEventListener('pagehide', save);
  router.onShown(({ place }, before) => {
    const { pathname, hash, index } = place;
    if (before?.place.index === index && before.place.pathname === pathname) return;
    restoring?.abort();
    const target = hash ? document.getElementById(hash.slice(1)) : null;
    if (target) target.scrollIntoView();
    else restoring = restore(window, positions.get(index) ?? 0);
  });
}

/** Milliseconds after the last scroll. Browsers limit how often a history entry may be changed. */
const savedAfter = 150;

/**
 * Scrolls to a position, again whenever the page grows, because its content may not have loaded. Stops once it has, when the
 * client scrolls, and after ten seconds.
 * @returns stops earlier, and says whether it has stopped
 */
function restore(window: Window, position: number): AbortController {
  const { document } = window;
  const stopping = new AbortController();
  window.scrollTo(0, position);
  if (position === 0) {
    stopping.abort();
    return stopping;
  }
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, position);
    if (window.scrollY >= position - 1 && !document.querySelector('[data-placeholder]')) stopping.abort();
  });
  const timer = window.setTimeout(() => stopping.abort(), 10_000);
  const { signal } = stopping;
  signal.addEventListener('abort', () => {
    observer.disconnect();
    window.clearTimeout(timer);
  });
  for (const input of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    window.addEventListener(input, () => stopping.abort(), { signal, passive: true });
  observer.observe(document.body);
  return stopping;
}

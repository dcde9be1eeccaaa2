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
  router.onMove((isNew) => {
    const index = router.shown()?.place.index;
    if (index !== undefined) positions.set(index, window.scrollY);
    if (isNew) positions.delete(router.place().index);
  });
  window.addEventListener('pagehide', () => {
    if (router.shown()?.place !== router.place()) return;
    // wouter would report a call of the instance’s own method as a navigation.
    const state = { ...history.state, scroll: window.scrollY };
    Object.getPrototypeOf(history).replaceState.call(history, state, '');
  });
  router.onShown(({ place }, before) => {
    const { pathname, hash, index } = place;
    if (before?.place.index === index && before.place.pathname === pathname) return;
    const target = hash ? document.getElementById(hash.slice(1)) : null;
    if (target) target.scrollIntoView();
    else window.scrollTo(0, positions.get(index) ?? 0);
  });
}

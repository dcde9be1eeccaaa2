import type { Services } from '../../api/services/services.ts';
import type { Router } from '../../navigation/router.ts';

/**
 * Shows a new page from its top, and one that the client goes back to where they left it. The browser itself would
 * restore the position before the page is rendered.
 */
export function keepScrollPositions(
  tab: Services['tab'],
  router: Pick<Router, 'onMove' | 'onShown' | 'place' | 'shown'>,
  window: Window,
): void {
  const { document, history } = window;
  history.scrollRestoration = 'manual';
  const positions = new Map<number, number>(readPositions(tab));
  const keepPosition = () => {
    const index = router.shown()?.place.index;
    if (index !== undefined) positions.set(index, window.scrollY);
  };
  router.onMove((isNew) => {
    keepPosition();
    if (isNew) positions.delete(router.place().index);
  });
  window.addEventListener('pagehide', () => {
    keepPosition();
    tab.write(storageKey, [...positions].slice(-maxPositions));
  });
  router.onShown(({ place }, before) => {
    const { pathname, hash, index } = place;
    if (before?.place.index === index && before.place.pathname === pathname) return;
    const target = hash ? document.getElementById(hash.slice(1)) : null;
    if (target) target.scrollIntoView();
    else window.scrollTo(0, positions.get(index) ?? 0);
  });
}

const storageKey = 'scroll';
const maxPositions = 50;

function readPositions(tab: Services['tab']): [number, number][] {
  const stored = tab.read(storageKey);
  const isPosition = (entry: unknown): entry is [number, number] =>
    Array.isArray(entry) && entry.length === 2 && entry.every(Number.isFinite);
  return Array.isArray(stored) ? stored.filter(isPosition) : [];
}

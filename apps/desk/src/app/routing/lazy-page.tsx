import { type ComponentType, lazy } from 'react';

const reloadedKey = 'keyturn-desk.reloaded-at';

/** The time, in milliseconds, during which a page that failed to load is not reloaded again. */
const reloadPause = 60_000;

/** Thrown when the code of a page could not be loaded, although the tab was just reloaded for it. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
}

/**
 * Creates a component whose code is a separate chunk. After a deployment, an open tab requests chunks that no longer
 * exist: it is then reloaded once, and opens the same address with the new build.
 */
export function lazyPage<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => load().catch(() => reloadOnce()));
}

/**
 * Reloads the tab, but not while the server cannot be reached, because the browser would show its error page.
 * @throws PageNotLoaded instead, and if the tab was reloaded for this less than a minute ago
 */
export async function reloadOnce({
  isReachable = isDeskReachable,
  reload = () => location.reload(),
  storage = () => sessionStorage,
}: {
  isReachable?: () => Promise<boolean>;
  reload?: () => void;
  storage?: () => Pick<Storage, 'getItem' | 'setItem'>;
} = {}): Promise<never> {
  if (!(await isReachable()) || !mayReload(Date.now(), storage)) throw new PageNotLoaded();
  reload();
  // Never resolves, because the new page replaces this one.
  return new Promise(() => undefined);
}

const isDeskReachable = (): Promise<boolean> =>
  fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Tells whether a tab may be reloaded now, and records the reload. Without storage it may not, because it could
 * reload for ever.
 */
export function mayReload(now: number, storage: () => Pick<Storage, 'getItem' | 'setItem'>): boolean {
  try {
    const before = Number(storage().getItem(reloadedKey));
    if (now - before < reloadPause && now >= before) return false;
    storage().setItem(reloadedKey, String(now));
    return true;
  } catch {
    return false;
  }
}

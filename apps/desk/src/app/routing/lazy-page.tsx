import { type ComponentType, lazy } from 'react';

const reloadedKey = 'keyturn-desk.reloaded-at';

/** Milliseconds in which a page that failed to load again is not reloaded another time. */
const reloadPause = 60_000;

/** A page whose code could not be loaded, although the tab was just reloaded for it. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
}

/**
 * Creates a component whose code is a separate chunk. After a new build, a tab that was open before asks for chunks that
 * are gone: it is then reloaded, once, and opens the same address with the new build.
 */
export function lazyPage<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => load().catch(reloadOnce));
}

/** @throws PageNotLoaded if the tab was reloaded for this less than a minute ago */
function reloadOnce(): Promise<never> {
  if (!mayReload(Date.now(), () => sessionStorage)) throw new PageNotLoaded();
  location.reload();
  // Nothing more is shown until the new page takes over.
  return new Promise(() => undefined);
}

/** Whether a tab may be reloaded now; records that it is. Without storage it may not, because it could reload for ever. */
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

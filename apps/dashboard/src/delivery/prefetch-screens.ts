import { prefetchLinks } from './prefetch-links.ts';
import { allowsPrefetch, createPrefetchQueue } from './prefetch-queue.ts';

export interface PrefetchScreensOptions {
  /** Loads the code of the screen of a path. */
  loadCode(path: string): Promise<unknown>;
  /** Reads the prerendered data of a path, if any. */
  readPayload(path: string): Promise<unknown>;
  window: Window;
}

/** Prefetches the code and payload of screens that the client may open next. Makes no API calls. */
export function prefetchScreens({ loadCode, readPayload, window }: PrefetchScreensOptions): void {
  const whenIdle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 1));
  const load = (path: string) => Promise.all([loadCode(path), readPayload(path)]);
  prefetchLinks(createPrefetchQueue({ load, isAllowed: () => allowsPrefetch(navigator) }), window, whenIdle);
}

import type { AnyRouter } from '@tanstack/react-router';
import { prefetchLinks } from './prefetch-links.ts';
import { allowsPrefetch, createPrefetchQueue } from './prefetch-queue.ts';

export interface PrefetchScreensOptions {
  router: Pick<AnyRouter, 'getMatchedRoutes' | 'loadRouteChunk'>;
  /** Reads the prerendered data of a path, if any. */
  readPayload(path: string): Promise<unknown>;
  window: Window;
}

/** Prefetches the code and payload of screens that the client may open next. Makes no API calls. */
export function prefetchScreens({ router, readPayload, window }: PrefetchScreensOptions): void {
  const whenIdle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 1));
  const load = (path: string) => {
    const [routes] = router.getMatchedRoutes(path);
    return Promise.all([...routes.map((route) => router.loadRouteChunk(route)), readPayload(path)]);
  };
  prefetchLinks(createPrefetchQueue({ load, isAllowed: () => allowsPrefetch(navigator) }), window, whenIdle);
}

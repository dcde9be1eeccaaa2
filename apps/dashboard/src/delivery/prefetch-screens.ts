import type { AnyRouter } from '@tanstack/react-router';
import { prefetchLinks } from './prefetch-links.ts';
import { allowsPrefetch, createPrefetchQueue } from './prefetch-queue.ts';

export interface PrefetchScreensOptions {
  router: Pick<AnyRouter, 'getMatchedRoutes' | 'loadRouteChunk'>;
  /** Reads what there is beside the code of a path. */
  readPayload(path: string): Promise<unknown>;
  window: Window;
}

/** Loads the code and the payload of screens that the client may want next. Nothing of the API is asked for. */
export function prefetchScreens({ router, readPayload, window }: PrefetchScreensOptions): void {
  const whenIdle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 1));
  const load = (path: string) => {
    const [routes] = router.getMatchedRoutes(path);
    return Promise.all([...routes.map((route) => router.loadRouteChunk(route)), readPayload(path)]);
  };
  prefetchLinks(createPrefetchQueue({ load, isAllowed: () => allowsPrefetch(navigator) }), window, whenIdle);
}

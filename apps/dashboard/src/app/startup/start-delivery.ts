import type { Services } from '../../api/services/services.ts';
import type { Router } from '../../navigation/router.ts';
import { runAfterLoad } from './after-load.ts';

/** Loads the code for newer builds, failed screens and prefetching a second after the page has loaded, or when needed. */
export function startDelivery(services: Services, router: Router): void {
  const { delivery } = services;
  const shownPath = () => router.shown()?.place.pathname;
  delivery.start = async () => {
    const [{ createDelivery }, { prefetchScreens }] = await Promise.all([
      import('../../delivery/create-delivery.ts'),
      import('../../delivery/prefetch-screens.ts'),
      // Loaded now so that it is available when a later chunk fails to load.
      import('../errors/failed-screen.tsx'),
    ]);
    if (delivery.current) return delivery.current;
    const started = createDelivery({ services, shownPath, window });
    delivery.current = started;
    prefetchScreens({ loadCode: router.preload, readPayload: started.prefetch, window });
    return started;
  };
  runAfterLoad(delivery.start);
}

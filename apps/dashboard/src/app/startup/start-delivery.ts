import type { Services } from '../../api/services/services.ts';
import type { AppRouter } from '../routing/router.tsx';
import { runAfterLoad } from './after-load.ts';

/** Loads the code for newer builds, failed screens and prefetching a second after the page has loaded, or when needed. */
export function startDelivery(services: Services, router: AppRouter): void {
  const { delivery } = services;
  const shownPath = () => router.state.resolvedLocation?.pathname;
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
    prefetchScreens({ router, readPayload: started.prefetch, window });
    return started;
  };
  runAfterLoad(delivery.start);
}

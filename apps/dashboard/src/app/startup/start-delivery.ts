import type { Services } from '../../api/services/services.ts';
import type { AppRouter } from '../routing/router.tsx';
import { runAfterLoad } from './after-load.ts';

/** Brings what follows newer builds and failed screens, and loads screens in advance: a second after the page is there, or when it is needed. */
export function startDelivery(services: Services, router: AppRouter): void {
  const { delivery } = services;
  const shownPath = () => router.state.resolvedLocation?.pathname;
  delivery.start = async () => {
    const [{ createDelivery }, { prefetchScreens }] = await Promise.all([
      import('../../delivery/create-delivery.ts'),
      import('../../delivery/prefetch-screens.ts'),
      // So that it is there when nothing else can be had.
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

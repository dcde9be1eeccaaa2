import type { Services } from '../api/services.ts';
import type { AppRouter } from './router.tsx';

/** Brings what follows newer builds and failed screens, and loads screens in advance: a second after the page is there, or when it is needed. */
export function startDelivery(services: Services, router: AppRouter): void {
  const whenIdle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 1));
  const { delivery } = services;
  const shownPath = () => router.state.resolvedLocation?.pathname;
  delivery.start = async () => {
    const [{ followBuilds }, { prefetchScreens }] = await Promise.all([
      import('../delivery/follow-builds.ts'),
      import('../delivery/prefetch-screens.ts'),
      // So that it is there when nothing else can be had.
      import('./failed-screen.tsx'),
    ]);
    if (delivery.current) return delivery.current;
    const started = followBuilds({ services, shownPath, window });
    delivery.current = started;
    prefetchScreens({ router, readPayload: started.prefetch, window, whenIdle });
    return started;
  };
  const soon = () =>
    setTimeout(() => whenIdle(() => void delivery.start().catch(() => undefined)), startAfter);
  if (document.readyState === 'complete') soon();
  else window.addEventListener('load', soon);
}

/** Milliseconds. */
const startAfter = 1_000;

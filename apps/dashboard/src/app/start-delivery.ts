import type { Services } from '../api/services.ts';
import type { AppRouter } from './router.tsx';

/** Brings what follows newer builds and failed screens: a second after the page is there, or when it is needed. */
export function startDelivery(services: Services, router: AppRouter): void {
  const { delivery } = services;
  const shownPath = () => router.state.resolvedLocation?.pathname;
  delivery.start = async () => {
    const [{ followBuilds }] = await Promise.all([
      import('../delivery/follow-builds.ts'),
      // So that it is there when nothing else can be had.
      import('./failed-screen.tsx'),
    ]);
    delivery.current ??= followBuilds({ services, shownPath, window });
    return delivery.current;
  };
  const whenIdle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 1));
  // This runs before the page counts as loaded.
  window.addEventListener('load', () =>
    setTimeout(() => whenIdle(() => void delivery.start().catch(() => undefined)), startAfter),
  );
}

/** Milliseconds. */
const startAfter = 1_000;

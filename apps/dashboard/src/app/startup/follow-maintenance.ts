import type { Services } from '../../api/services/services.ts';
import type { AppRouter } from '../routing/router.tsx';

/** Milliseconds; with what servers believe for a second, open tabs follow within five. */
const askEvery = 3_500;

/** With the real-time channel, which tells of it at once, one in so many is enough. */
const oneIn = 8;

/**
 * Maintenance that begins or ends, on whichever server: the guards run again, and the screen follows. A page with a
 * payment under way is left alone until that is over.
 */
export function followMaintenance(
  { maintenance, paymentInProgress, live }: Pick<Services, 'maintenance' | 'paymentInProgress' | 'live'>,
  router: Pick<AppRouter, 'invalidate'>,
  page: Pick<Document, 'addEventListener' | 'visibilityState'>,
): void {
  let isDue = false;
  const follow = () => {
    if (!isDue || paymentInProgress.get()) return;
    isDue = false;
    void router.invalidate();
  };
  maintenance.subscribe(() => {
    isDue = true;
    follow();
  });
  paymentInProgress.subscribe(follow);

  const ask = () => {
    if (page.visibilityState === 'visible') void maintenance.refresh();
  };
  let turn = 0;
  setInterval(() => {
    turn += 1;
    if (live.get().status !== 'live' || turn % oneIn === 0) ask();
  }, askEvery);
  page.addEventListener('visibilitychange', ask);
}

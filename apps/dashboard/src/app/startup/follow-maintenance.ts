import type { Services } from '../../api/services/services.ts';
import type { Router } from '../../navigation/router.ts';

/** With the servers' cache of a second, open tabs notice maintenance within five seconds. */
const checkIntervalMs = 3_500;

/** While the real-time channel reports maintenance at once, only every eighth check is made. */
const liveCheckRatio = 8;

/**
 * Checks for maintenance and runs the route guards again when it starts or ends. A client who pressed “Go Back” during
 * it returns to the page they wanted. A page with a payment in progress is left alone until the payment is finished.
 */
export function followMaintenance(
  { maintenance, paymentInProgress, live }: Pick<Services, 'maintenance' | 'paymentInProgress' | 'live'>,
  router: Pick<Router, 'load' | 'open' | 'place'>,
  page: Pick<Document, 'addEventListener' | 'visibilityState'>,
): void {
  let isPending = false;
  const runGuards = () => {
    if (!isPending || paymentInProgress.get()) return;
    isPending = false;
    const { returnTo } = router.place().state;
    if (returnTo !== undefined && !maintenance.get().general) void router.open(returnTo, { replace: true });
    else void router.load();
  };
  maintenance.subscribe(() => {
    isPending = true;
    runGuards();
  });
  paymentInProgress.subscribe(runGuards);

  const check = () => {
    if (page.visibilityState === 'visible') void maintenance.refresh();
  };
  let ticks = 0;
  setInterval(() => {
    ticks += 1;
    if (live.get().status !== 'live' || ticks % liveCheckRatio === 0) check();
  }, checkIntervalMs);
  page.addEventListener('visibilitychange', check);
}

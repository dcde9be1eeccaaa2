import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { Services } from '../../api/services/services.ts';
import { matchPath } from '../../navigation/paths.ts';
import type { Router } from '../../navigation/router.ts';
import { reportUnexpectedError } from '../errors/error-content.ts';
import { Dashboard } from './dashboard.tsx';

/**
 * Renders the screen for the page's address. Prerendered HTML of that very screen is hydrated and keeps what the client
 * has typed; any other prerendered HTML is replaced. The frame of the home page waits a little for its data, so that the
 * page is rendered once. Renders in transitions, which React divides into short tasks, so that a slow phone stays usable.
 */
export async function showDashboard(services: Services, router: Router, document: Document): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no element #root');
  const dashboard = <Dashboard services={services} router={router} />;
  const options = {
    onCaughtError: (error: unknown) => reportUnexpectedError(error, services.errorReports.report),
  };
  const isHydrated = isForThisClient(root, services, router);
  const loadingData = root.dataset.page === '/' ? loadHomeData(services) : undefined;
  // Keep the prerendered HTML until there is something to replace it.
  const loading = router.load();
  if (root.firstChild) await loading;
  if (loadingData)
    await Promise.race([loadingData, new Promise((resolve) => setTimeout(resolve, maxDataWaitMs))]);
  // public/before-paint.js hides prerendered HTML that looks wrong for this client.
  const unhide = () => delete document.documentElement.dataset.leaving;
  if (isHydrated) {
    unhide();
    startTransition(() => void hydrateRoot(root, dashboard, options));
    return;
  }
  const unsubscribe = router.onShown(() => {
    unsubscribe();
    unhide();
  });
  startTransition(() => createRoot(root, options).render(dashboard));
}

/** How long the prerendered frame of the home page stays without its data, in milliseconds. */
const maxDataWaitMs = 1_000;

/** The router reports a failure to load the code. */
const loadHomeData = (services: Services) =>
  import('../home/home-page.tsx').then(({ loadHome }) => loadHome(services)).catch(() => undefined);

/** Whether the guards will show the prerendered screen. The maintenance page is thrown by a guard, so never hydrated. */
function isForThisClient({ dataset, firstChild }: HTMLElement, services: Services, router: Router): boolean {
  const { pathname } = router.place();
  if (!firstChild) return false;
  if (dataset.page === '/login') return pathname === '/login' && !services.auth.get();
  return dataset.page === '404' && !matchPath(pathname);
}

import { createRoot, hydrateRoot } from 'react-dom/client';
import type { Services } from '../../api/services/services.ts';
import { reportUnexpectedError } from '../errors/error-content.ts';
import type { AppRouter } from '../routing/router.tsx';
import { Dashboard } from './dashboard.tsx';

/**
 * Renders the screen for the page's address. Prerendered HTML of that very screen is hydrated and keeps what the client
 * has typed; any other prerendered HTML is replaced.
 */
export async function showDashboard(
  services: Services,
  router: AppRouter,
  document: Document,
): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no element #root');
  const dashboard = <Dashboard services={services} router={router} />;
  const options = {
    onCaughtError: (error: unknown) => reportUnexpectedError(error, services.errorReports.report),
  };
  const isHydrated = isForThisClient(root, services, router);
  // Keep the prerendered HTML until there is something to replace it.
  if (root.firstChild) await router.load();
  // public/before-paint.js hides prerendered HTML that looks wrong for this client.
  const unhide = () => delete document.documentElement.dataset.leaving;
  if (isHydrated) {
    unhide();
    // Tells the router that the HTML is server-rendered, so that it adds no Suspense boundary around it.
    router.ssr = { manifest: undefined };
    hydrateRoot(root, dashboard, options);
    return;
  }
  const unsubscribe = router.subscribe('onRendered', () => {
    unsubscribe();
    unhide();
  });
  createRoot(root, options).render(dashboard);
}

/** Whether the guards will show the prerendered screen. The maintenance page is thrown by a guard, so never hydrated. */
function isForThisClient(
  { dataset, firstChild }: HTMLElement,
  services: Services,
  router: AppRouter,
): boolean {
  const { pathname } = router.latestLocation;
  if (!firstChild) return false;
  if (dataset.page === '/login') return pathname === '/login' && !services.auth.get();
  return dataset.page === '404' && !router.getMatchedRoutes(pathname)[2];
}

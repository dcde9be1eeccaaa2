import { createRoot, hydrateRoot } from 'react-dom/client';
import type { Services } from '../../api/services/services.ts';
import { reportUnexpectedError } from '../errors/error-content.ts';
import type { AppRouter } from '../routing/router.tsx';
import { Dashboard } from './dashboard.tsx';

/**
 * Shows the screen of the page's address. Where the page came with that very screen, it is taken over as it stands, with
 * whatever was typed into it; anything else in it makes room.
 */
export async function showDashboard(
  services: Services,
  router: AppRouter,
  document: Document,
): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no place for the dashboard');
  const dashboard = <Dashboard services={services} router={router} />;
  const options = {
    onCaughtError: (error: unknown) => reportUnexpectedError(error, services.errorReports.report),
  };
  const isTakenOver = isForThisClient(root, services, router);
  // What the page came with stays until there is something to show instead.
  if (root.firstChild) await router.load();
  // public/before-paint.js hides a screen that is not for this client, as far as it can tell.
  const unhide = () => delete document.documentElement.dataset.leaving;
  if (isTakenOver) {
    unhide();
    // As far as the router is concerned a server has rendered it: no boundary of waiting around all of it.
    router.ssr = { manifest: undefined };
    hydrateRoot(root, dashboard, options);
    return;
  }
  const done = router.subscribe('onRendered', () => {
    done();
    unhide();
  });
  createRoot(root, options).render(dashboard);
}

/** Whether the guards will let just that screen be shown. The page of maintenance is thrown, and drawn anew. */
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

import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import type { Services } from '../api/services.ts';
import { ErrorPageFor, NotFoundPage } from './error-page.tsx';
import { runGuards } from './guards/run-guards.ts';
import { PendingPage } from './pending-page.tsx';
import { RootLayout } from './root-layout.tsx';
import { type RouteEntry, routeTable } from './route-table.ts';

interface RouterContext {
  services: Services;
}

// No screen catches its own errors: they rise to the root and take the whole page.
const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPageFor,
});

const defaultLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'default',
  component: lazyRouteComponent(() => import('./layouts/default-layout.tsx'), 'DefaultLayout'),
});

const authenticationLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'authentication',
  component: lazyRouteComponent(() => import('./layouts/authentication-layout.tsx'), 'AuthenticationLayout'),
});

const indexRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: routeTable.index.path,
  beforeLoad: guard(routeTable.index),
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
});

const loginRoute = createRoute({
  getParentRoute: () => authenticationLayout,
  path: routeTable.login.path,
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' ? { next } : {},
  beforeLoad: guard(routeTable.login),
  component: lazyRouteComponent(() => import('../features/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const paymentDetailsRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: routeTable['payment-details'].path,
  beforeLoad: guard(routeTable['payment-details']),
  component: lazyRouteComponent(
    () => import('../features/payments/payment-details-page.tsx'),
    'PaymentDetailsPage',
  ),
});

const paymentRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: routeTable.payment.path,
  beforeLoad: guard(routeTable.payment),
  component: lazyRouteComponent(() => import('../features/payments/payment-page.tsx'), 'PaymentPage'),
});

const routeTree = rootRoute.addChildren([
  defaultLayout.addChildren([indexRoute, paymentDetailsRoute, paymentRoute]),
  authenticationLayout.addChildren([loginRoute]),
]);

export function createAppRouter(services: Services) {
  return createRouter({
    routeTree,
    context: { services },
    defaultPreload: 'intent',
    defaultPendingComponent: PendingPage,
    scrollRestoration: true,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}

/** The guards of a screen, as the router runs them before it loads one. */
function guard({ guards }: RouteEntry) {
  return ({ context, location }: { context: RouterContext; location: { href: string; search: object } }) =>
    runGuards(guards, { services: context.services, href: location.href, search: location.search });
}

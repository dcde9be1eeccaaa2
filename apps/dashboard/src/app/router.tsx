import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import type { Services } from '../api/services.ts';
import { readOtherPaymentSearch } from '../features/payments/other-payment-search.ts';
import { ErrorPageFor, NotFoundPage } from './error-page.tsx';
import { checkParams } from './guards/check-params.ts';
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

const caseHistoryRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: routeTable['case-history'].path,
  beforeLoad: guard(routeTable['case-history']),
  component: lazyRouteComponent(() => import('../features/history/case-history-page.tsx'), 'CaseHistoryPage'),
});

const milestonesRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: routeTable.milestones.path,
  beforeLoad: guard(routeTable.milestones),
  component: lazyRouteComponent(() => import('../features/milestones/milestones-page.tsx'), 'MilestonesPage'),
});

const documentRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: routeTable['documents-id'].path,
  beforeLoad: guard(routeTable['documents-id']),
  component: lazyRouteComponent(() => import('../features/documents/document-page.tsx'), 'DocumentPage'),
});

const documentGroupRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: routeTable['documents-matter_type-group'].path,
  beforeLoad: guard(routeTable['documents-matter_type-group']),
  component: lazyRouteComponent(
    () => import('../features/documents/document-group-page.tsx'),
    'DocumentGroupPage',
  ),
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

const otherPaymentRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: routeTable['payment-other'].path,
  validateSearch: readOtherPaymentSearch,
  beforeLoad: guard(routeTable['payment-other']),
  component: lazyRouteComponent(
    () => import('../features/payments/other-payment-page.tsx'),
    'OtherPaymentPage',
  ),
});

const paymentRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: routeTable.payment.path,
  beforeLoad: guard(routeTable.payment),
  component: lazyRouteComponent(() => import('../features/payments/payment-page.tsx'), 'PaymentPage'),
});

const paymentsRoute = createRoute({
  getParentRoute: () => defaultLayout,
  path: routeTable.payments.path,
  beforeLoad: guard(routeTable.payments),
  component: lazyRouteComponent(() => import('../features/payments/payments-page.tsx'), 'PaymentsPage'),
});

const loginRoute = createRoute({
  getParentRoute: () => authenticationLayout,
  path: routeTable.login.path,
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' ? { next } : {},
  beforeLoad: guard(routeTable.login),
  component: lazyRouteComponent(() => import('../features/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => authenticationLayout,
  path: routeTable['forgot-password'].path,
  beforeLoad: guard(routeTable['forgot-password']),
  component: lazyRouteComponent(
    () => import('../features/sign-in/forgot-password-page.tsx'),
    'ForgotPasswordPage',
  ),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => authenticationLayout,
  path: routeTable['reset-password-token'].path,
  beforeLoad: guard(routeTable['reset-password-token']),
  component: lazyRouteComponent(
    () => import('../features/sign-in/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
});

const formerRoutes = ['/main', '/main/$'].map((path) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: async ({ context: { services }, location, params }) => {
      runGuards(['authenticated', 'maintenance'], { services, href: location.href, search: {} });
      const { followFormerPath } = await import('./former-paths.ts');
      return followFormerPath((params as { _splat?: string })._splat ?? '', services);
    },
  }),
);

const routeTree = rootRoute.addChildren([
  defaultLayout.addChildren([
    indexRoute,
    caseHistoryRoute,
    milestonesRoute,
    documentRoute,
    documentGroupRoute,
    paymentDetailsRoute,
    otherPaymentRoute,
    paymentRoute,
    paymentsRoute,
  ]),
  authenticationLayout.addChildren([loginRoute, forgotPasswordRoute, resetPasswordRoute]),
  ...formerRoutes,
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

/** What runs before a screen is loaded: first whether there is such a page at all, then who may see it. */
function guard({ guards, params: checks }: RouteEntry) {
  return (entry: {
    context: RouterContext;
    location: { href: string; pathname: string; search: object };
    params: Record<string, string>;
  }) => {
    checkParams(checks, entry.params, entry.location.pathname);
    runGuards(guards, {
      services: entry.context.services,
      href: entry.location.href,
      search: entry.location.search,
    });
  };
}

import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router';
import type { Services } from '../../api/services/services.ts';
import type { OtherPaymentSearch } from '../../features/payments/other-payment-screen/other-payment-search.ts';
import { CaughtError, ClosedArea } from '../errors/caught-error.tsx';
import { NotFoundPage } from '../errors/error-page.tsx';
import { checkParams } from '../guards/check-params.ts';
import { runGuards } from '../guards/run-guards.ts';
import { PendingPage } from '../layouts/pending-page.tsx';
import { RootLayout } from '../layouts/root-layout.tsx';
import { lazyScreen } from './lazy-screen.tsx';
import { type RouteEntry, routeTable } from './route-table.ts';

interface RouterContext {
  services: Services;
}

// Except for a closed area, screens do not catch their own errors: the root replaces the whole page.
const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
  errorComponent: CaughtError,
  beforeLoad: async ({ context, location, preload }) => {
    const { current } = context.services.delivery;
    const href = preload ? undefined : await current?.beforeNavigation(location);
    if (href !== undefined) throw redirect({ href, replace: true });
  },
});

const defaultLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'default',
  component: lazyScreen(() => import('../layouts/default-layout.tsx'), 'DefaultLayout'),
});

const authenticationLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'authentication',
  component: lazyScreen(
    () => import('../layouts/authentication/authentication-layout.tsx'),
    'AuthenticationLayout',
  ),
});

const inDefault = () => defaultLayout;
const inAuthentication = () => authenticationLayout;

const indexRoute = createRoute({
  getParentRoute: inDefault,
  ...screen('index'),
  component: lazyScreen(() => import('../home/home-page.tsx'), 'HomePage'),
});

const caseHistoryRoute = createRoute({
  getParentRoute: inDefault,
  ...screen('case-history'),
  errorComponent: ClosedArea,
  component: lazyScreen(() => import('../../features/history/case-history-page.tsx'), 'CaseHistoryPage'),
});

const milestonesRoute = createRoute({
  getParentRoute: inDefault,
  ...screen('milestones'),
  component: lazyScreen(() => import('../../features/milestones/milestones-page.tsx'), 'MilestonesPage'),
});

const documentRoute = createRoute({
  getParentRoute: inDefault,
  ...screen('documents-id'),
  component: lazyScreen(
    () => import('../../features/documents/document-screen/document-page.tsx'),
    'DocumentPage',
  ),
});

const documentGroupRoute = createRoute({
  getParentRoute: inDefault,
  ...screen('documents-matter_type-group'),
  component: lazyScreen(
    () => import('../../features/documents/group-screen/document-group-page.tsx'),
    'DocumentGroupPage',
  ),
});

const paymentDetailsRoute = createRoute({
  getParentRoute: inDefault,
  ...screen('payment-details'),
  component: lazyScreen(
    () => import('../../features/payments/details-screen/payment-details-page.tsx'),
    'PaymentDetailsPage',
  ),
});

const otherPaymentRoute = createRoute({
  getParentRoute: inDefault,
  ...screen('payment-other'),
  // The screen validates them, so that the code for it is not part of every page.
  validateSearch: (search: Record<string, unknown>) => search as OtherPaymentSearch,
  component: lazyScreen(
    () => import('../../features/payments/other-payment-screen/other-payment-page.tsx'),
    'OtherPaymentPage',
  ),
});

const paymentRoute = createRoute({
  getParentRoute: inDefault,
  ...screen('payment'),
  component: lazyScreen(
    () => import('../../features/payments/payment-screen/payment-page.tsx'),
    'PaymentPage',
  ),
});

const paymentsRoute = createRoute({
  getParentRoute: inDefault,
  ...screen('payments'),
  component: lazyScreen(
    () => import('../../features/payments/payments-screen/payments-page.tsx'),
    'PaymentsPage',
  ),
});

const loginRoute = createRoute({
  getParentRoute: inAuthentication,
  ...screen('login'),
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' ? { next } : {},
  component: lazyScreen(() => import('../../features/sign-in/sign-in-screen/sign-in-page.tsx'), 'SignInPage'),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: inAuthentication,
  ...screen('forgot-password'),
  component: lazyScreen(
    () => import('../../features/sign-in/password-reset/forgot-password-page.tsx'),
    'ForgotPasswordPage',
  ),
});

const resetPasswordRoute = createRoute({
  getParentRoute: inAuthentication,
  ...screen('reset-password'),
  component: lazyScreen(
    () => import('../../features/sign-in/password-reset/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
});

/** Links of mails that were sent before the token became a fragment. */
const sentLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password/$token',
  beforeLoad: ({ params: { token } }) => {
    throw redirect({ to: '/reset-password', hash: token, replace: true });
  },
});

const legacyRoutes = ['/main', '/main/$'].map((path) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: async ({ context: { services }, location, params }) => {
      runGuards(['authenticated', 'maintenance'], { services, href: location.href, search: {} });
      const { redirectLegacyPath } = await import('./legacy-paths.ts');
      return redirectLegacyPath((params as { _splat?: string })._splat ?? '', services);
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
  sentLinkRoute,
  ...legacyRoutes,
]);

/** Creates the router. Prerendering passes its own `history`, which also turns scroll restoration off. */
export function createAppRouter(services: Services, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { services },
    // delivery/prefetch-links.ts preloads screens instead, with limits.
    defaultPreload: false,
    defaultPendingComponent: PendingPage,
    ...(history ? { history } : { scrollRestoration: true }),
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
  interface StaticDataRouteOption {
    title?: string;
  }
  interface HistoryState {
    /** The page to open when the maintenance ends. */
    returnTo?: string;
    /** Fills in the form for a password link. */
    email?: string;
  }
}

/** Returns a screen's path and title, and what runs before it loads: the parameter checks, then the guards. */
function screen<Name extends keyof typeof routeTable>(name: Name) {
  const { path, title, guards, params }: RouteEntry = routeTable[name];
  return {
    path: path as (typeof routeTable)[Name]['path'],
    staticData: { title },
    beforeLoad: (entry: {
      context: RouterContext;
      location: { href: string; pathname: string; search: object };
      params: Record<string, string>;
    }) => {
      checkParams(params, entry.params, entry.location.pathname);
      runGuards(guards, {
        services: entry.context.services,
        href: entry.location.href,
        search: entry.location.search,
      });
    },
  };
}

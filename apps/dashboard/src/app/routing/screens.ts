import type { RouteEntry, RouteName } from '../../navigation/route-table.ts';
import { type LazyScreen, lazyScreen } from './lazy-screen.tsx';

export const layouts: Record<RouteEntry['layout'], LazyScreen> = {
  default: lazyScreen(() => import('../layouts/default-layout.tsx'), 'DefaultLayout'),
  authentication: lazyScreen(
    () => import('../layouts/authentication/authentication-layout.tsx'),
    'AuthenticationLayout',
  ),
};

/** The page of each route. */
export const screens: Record<RouteName, LazyScreen> = {
  index: lazyScreen(() => import('../home/home-page.tsx'), 'HomePage'),
  'case-history': lazyScreen(() => import('../../features/history/case-history-page.tsx'), 'CaseHistoryPage'),
  milestones: lazyScreen(() => import('../../features/milestones/milestones-page.tsx'), 'MilestonesPage'),
  'documents-id': lazyScreen(
    () => import('../../features/documents/document-screen/document-page.tsx'),
    'DocumentPage',
  ),
  'documents-matter_type-group': lazyScreen(
    () => import('../../features/documents/group-screen/document-group-page.tsx'),
    'DocumentGroupPage',
  ),
  'payment-details': lazyScreen(
    () => import('../../features/payments/details-screen/payment-details-page.tsx'),
    'PaymentDetailsPage',
  ),
  'payment-other': lazyScreen(
    () => import('../../features/payments/other-payment-screen/other-payment-page.tsx'),
    'OtherPaymentPage',
  ),
  payment: lazyScreen(() => import('../../features/payments/payment-screen/payment-page.tsx'), 'PaymentPage'),
  payments: lazyScreen(
    () => import('../../features/payments/payments-screen/payments-page.tsx'),
    'PaymentsPage',
  ),
  account: lazyScreen(() => import('../../features/account/account-page.tsx'), 'AccountPage'),
  login: lazyScreen(() => import('../../features/sign-in/sign-in-screen/sign-in-page.tsx'), 'SignInPage'),
  'forgot-password': lazyScreen(
    () => import('../../features/sign-in/password-reset/forgot-password-page.tsx'),
    'ForgotPasswordPage',
  ),
  'confirm-email': lazyScreen(
    () => import('../../features/sign-in/email-change/email-change-pages.tsx'),
    'ConfirmEmailPage',
  ),
  'review-email-change': lazyScreen(
    () => import('../../features/sign-in/email-change/email-change-pages.tsx'),
    'ReviewEmailChangePage',
  ),
  'reset-password': lazyScreen(
    () => import('../../features/sign-in/password-reset/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
};

/** Loads the code of a screen and its layout. A failure is thrown when they are rendered. */
export const loadScreen = (name: RouteName, { layout }: RouteEntry) =>
  Promise.all([layouts[layout].preload(), screens[name].preload()]);

import type { RouteEntry, RouteName } from '../../navigation/route-table.ts';
import { type LazyScreen, lazyScreen } from './lazy-screen.tsx';

export const layouts: Record<RouteEntry['layout'], LazyScreen> = {
  default: lazyScreen(() => import('../layouts/default-layout.tsx')),
  firm: lazyScreen(() => import('../firm-pages/firm-layout.tsx')),
  authentication: lazyScreen(() => import('../layouts/authentication/authentication-layout.tsx')),
};

const documentFolders = lazyScreen(
  () => import('../../features/documents/group-screen/document-group-page.tsx'),
);

const firmPage = (name: 'RegulationPage' | 'ComplaintsPage' | 'PrivacyPage' | 'TermsPage') =>
  lazyScreen(async () => ({ default: (await import('../firm-pages/firm-pages.tsx'))[name] }));

/** The page of each route. */
export const screens: Record<RouteName, LazyScreen> = {
  index: lazyScreen(() => import('../home/home-page.tsx')),
  'case-history': lazyScreen(() => import('../../features/history/case-history-page.tsx')),
  milestones: lazyScreen(() => import('../../features/milestones/milestones-page.tsx')),
  'documents-id': lazyScreen(() => import('../../features/documents/document-screen/document-page.tsx')),
  documents: documentFolders,
  'documents-matter_type-group': documentFolders,
  'payment-details': lazyScreen(
    () => import('../../features/payments/details-screen/payment-details-page.tsx'),
  ),
  'payment-other': lazyScreen(
    () => import('../../features/payments/other-payment-screen/other-payment-page.tsx'),
  ),
  payment: lazyScreen(() => import('../../features/payments/payment-screen/payment-page.tsx')),
  payments: lazyScreen(() => import('../../features/payments/payments-screen/payments-page.tsx')),
  account: lazyScreen(() => import('../../features/account/account-page.tsx')),
  regulation: firmPage('RegulationPage'),
  complaints: firmPage('ComplaintsPage'),
  privacy: firmPage('PrivacyPage'),
  terms: firmPage('TermsPage'),
  login: lazyScreen(() => import('../../features/sign-in/sign-in-screen/sign-in-page.tsx')),
  'forgot-password': lazyScreen(
    () => import('../../features/sign-in/password-reset/forgot-password-page.tsx'),
  ),
  'confirm-email': lazyScreen(() => import('../../features/sign-in/email-change/confirm-email-page.tsx')),
  'review-email-change': lazyScreen(
    () => import('../../features/sign-in/email-change/review-email-change-page.tsx'),
  ),
  'reset-password': lazyScreen(() => import('../../features/sign-in/password-reset/reset-password-page.tsx')),
};

/** Loads the code of a screen and its layout. A failure is thrown when they are rendered. */
export const loadScreen = (name: RouteName, { layout }: RouteEntry) =>
  Promise.all([layouts[layout].preload(), screens[name].preload()]);

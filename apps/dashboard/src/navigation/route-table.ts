import { documentGroups, matterTypes } from '@keyturn/contract';

/** The server's ids are UUIDs in lower case. */
const id = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const group = documentGroups.join('|');

/** Every screen by route name, with its path, layout, guards and parameter checks. */
export const routeTable = {
  index: { path: '/', title: 'Your case', layout: 'default', guards: ['authenticated', 'maintenance'] },
  login: { path: '/login', title: 'Sign in', layout: 'authentication', guards: ['guest', 'maintenance'] },
  'case-history': {
    path: '/case-history',
    title: 'Case history',
    layout: 'default',
    guards: ['authenticated', 'case-history-maintenance', 'maintenance'],
  },
  'documents-id': {
    path: '/documents/:id',
    title: 'Document',
    layout: 'default',
    guards: ['authenticated', 'maintenance'],
    params: { id },
  },
  // Opens the folder with something to do.
  documents: {
    path: '/documents',
    title: 'Documents',
    layout: 'default',
    guards: ['authenticated', 'maintenance'],
  },
  'documents-matter_type-group': {
    path: '/documents/:matter_type/:group',
    title: 'Documents',
    layout: 'default',
    guards: ['authenticated', 'maintenance'],
    params: { matter_type: matterTypes.join('|'), group },
  },
  milestones: {
    path: '/milestones',
    title: 'Milestones',
    layout: 'default',
    guards: ['authenticated', 'maintenance'],
  },
  'payment-details': {
    path: '/payment-details',
    title: 'Check your payment',
    layout: 'default',
    guards: ['authenticated', 'maintenance'],
  },
  'payment-other': {
    path: '/payment-other',
    title: 'Make another payment',
    layout: 'default',
    guards: ['authenticated', 'maintenance'],
  },
  payment: {
    path: '/payment',
    title: 'Pay',
    layout: 'default',
    guards: ['authenticated', 'maintenance'],
  },
  payments: {
    path: '/payments',
    title: 'Payments',
    layout: 'default',
    guards: ['authenticated', 'maintenance'],
  },
  account: {
    path: '/account',
    title: 'Your account',
    layout: 'default',
    guards: ['authenticated', 'maintenance'],
  },
  'forgot-password': {
    path: '/forgot-password',
    title: 'Reset your password',
    layout: 'authentication',
    guards: ['guest', 'maintenance'],
  },
  // The token of the link follows as a fragment, which browsers send to no server.
  'reset-password': {
    path: '/reset-password',
    title: 'Choose a password',
    layout: 'authentication',
    guards: ['guest', 'maintenance'],
  },
  // The links of a change of the email address. They also work while the client is signed in.
  'confirm-email': {
    path: '/confirm-email',
    title: 'Confirm your email address',
    layout: 'authentication',
    guards: ['maintenance'],
  },
  'review-email-change': {
    path: '/review-email-change',
    title: 'Confirm or stop a change of your email address',
    layout: 'authentication',
    guards: ['maintenance'],
  },
  // About the firm, for everyone.
  regulation: { path: '/regulation', title: 'Regulation', layout: 'firm', guards: ['maintenance'] },
  complaints: { path: '/complaints', title: 'Complaints', layout: 'firm', guards: ['maintenance'] },
  privacy: { path: '/privacy', title: 'Privacy', layout: 'firm', guards: ['maintenance'] },
  terms: { path: '/terms', title: 'Terms', layout: 'firm', guards: ['maintenance'] },
} as const satisfies Record<string, RouteEntry>;

export type RouteName = keyof typeof routeTable;

export interface RouteEntry {
  path: string;
  /** The screen’s part of the page title. */
  title: string;
  layout: 'default' | 'authentication' | 'firm';
  /** Names of the guards, in the order in which they run. */
  guards: readonly string[];
  /** The regular expression that each parameter of the path must match as a whole; any other value is not found. */
  params?: Record<string, string>;
}

/**
 * Former paths that may still lead to a screen, for the server: it answers any other path with 404. legacy-paths.ts
 * resolves them.
 */
export const legacyRoutes: Pick<RouteEntry, 'path' | 'params'>[] = [
  { path: '/main' },
  { path: '/main/overview' },
  { path: '/main/case-history' },
  { path: '/main/case-history/*' },
  { path: '/main/purchase-docs' },
  { path: '/main/purchase-docs/:group', params: { group } },
  { path: '/main/sale-docs' },
  { path: '/main/sale-docs/:group', params: { group } },
  { path: '/main/task-sign/:id', params: { id } },
  { path: '/reset-password/:token' },
];

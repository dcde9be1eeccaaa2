import { documentGroups, matterTypes } from '@keyturn/contract';

/** Every screen by route name, with its path, layout, guards and parameter checks. */
export const routeTable = {
  index: { path: '/', layout: 'default', guards: ['authenticated', 'maintenance'] },
  login: { path: '/login', layout: 'authentication', guards: ['guest', 'maintenance'] },
  'case-history': {
    path: '/case-history',
    layout: 'default',
    guards: ['authenticated', 'case-history-maintenance', 'maintenance'],
  },
  'documents-id': {
    path: '/documents/$id',
    layout: 'default',
    guards: ['authenticated', 'maintenance'],
    params: { id: isId },
  },
  'documents-matter_type-group': {
    path: '/documents/$matter_type/$group',
    layout: 'default',
    guards: ['authenticated', 'maintenance'],
    params: { matter_type: isOneOf(matterTypes), group: isOneOf(documentGroups) },
  },
  milestones: { path: '/milestones', layout: 'default', guards: ['authenticated', 'maintenance'] },
  'payment-details': {
    path: '/payment-details',
    layout: 'default',
    guards: ['authenticated', 'maintenance'],
  },
  'payment-other': { path: '/payment-other', layout: 'default', guards: ['authenticated', 'maintenance'] },
  payment: { path: '/payment', layout: 'default', guards: ['authenticated', 'maintenance'] },
  payments: { path: '/payments', layout: 'default', guards: ['authenticated', 'maintenance'] },
  'forgot-password': { path: '/forgot-password', layout: 'authentication', guards: ['guest', 'maintenance'] },
  'reset-password-token': {
    path: '/reset-password/$token',
    layout: 'authentication',
    guards: ['guest', 'maintenance'],
    params: { token: isLinkToken },
  },
} as const satisfies Record<string, RouteEntry>;

export interface RouteEntry {
  path: string;
  layout: 'default' | 'authentication';
  /** Names of the guards, in the order in which they run. */
  guards: readonly string[];
  /** A check for each parameter of the path; a value that fails it is not found. */
  params?: Record<string, (value: string) => boolean>;
}

/** The server's ids are UUIDs in lower case. */
function isId(value: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}

/** The token of a password link in a mail. */
function isLinkToken(value: string): boolean {
  return /^[\w-]{20,200}$/.test(value);
}

function isOneOf(values: readonly string[]) {
  return (value: string) => values.includes(value);
}

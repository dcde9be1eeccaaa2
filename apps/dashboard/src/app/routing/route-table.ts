import { documentGroups, matterTypes } from '@keyturn/contract';

/*
 * Every screen by its route name: where it is, what surrounds it, who may see it, what its parameters may be.
 */
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
  /** Names of guards, run in this order. */
  guards: readonly string[];
  /** What each parameter of the path must be; anything else is no page. */
  params?: Record<string, (value: string) => boolean>;
}

/** As the server makes them: UUIDs in lower case. */
function isId(value: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}

/** As mails bring them. */
function isLinkToken(value: string): boolean {
  return /^[\w-]{20,200}$/.test(value);
}

function isOneOf(words: readonly string[]) {
  return (value: string) => words.includes(value);
}

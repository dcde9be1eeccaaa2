/*
 * Every screen by its route name: where it is, what surrounds it, who may see it. A `label` makes it a destination of
 * the main navigation.
 */
export const routeTable = {
  index: { path: '/', layout: 'default', guards: ['authenticated'], label: 'Home' },
  login: { path: '/login', layout: 'authentication', guards: ['guest'] },
  'payment-details': { path: '/payment-details', layout: 'default', guards: ['authenticated'] },
  payment: { path: '/payment', layout: 'default', guards: ['authenticated'] },
} as const satisfies Record<string, RouteEntry>;

export interface RouteEntry {
  path: string;
  layout: 'default' | 'authentication';
  guards: readonly string[];
  label?: string;
}

export interface Destination {
  path: string;
  label: string;
}

/** The main navigation, in the order of the table. */
export const destinations: Destination[] = Object.values<RouteEntry>(routeTable).flatMap(({ path, label }) =>
  label ? [{ path, label }] : [],
);

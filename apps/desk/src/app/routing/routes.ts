import type { StaffRole } from '@keyturn/contract/staff';
import type { ComponentType } from 'react';

/** The parameters of an address, such as `{ id }` for `/cases/:id`. */
export type PageParams = Readonly<Record<string, string>>;

/** A page of the desk. Its component gets the parameters of the address. */
export interface DeskRoute {
  /** Below `/desk`; `:name` is a parameter. */
  path: string;
  /** The name of the page, for messages when it cannot be shown: “Staff”. */
  name: string;
  /** The roles that may open it. The server decides what each role may read and change. */
  access: 'everyone' | readonly StaffRole[];
  load(): Promise<{ default: ComponentType<{ params: PageParams }> }>;
  /** The parameter that names a part of the page. When it changes, the page and its entries stay. */
  part?: string;
}

/** An item of the main navigation. */
export interface NavigationItem {
  /** The page it leads to, and the start of the addresses that belong to it. */
  path: string;
  name: string;
  /** `g` and this letter lead there. */
  key: string;
}

const admins = ['admin'] as const;
const finance = ['finance', 'admin'] as const;

/** The data that the firm edits: every role reads it, and admins change it; exports of the ledger, finance too. */
const firmDataRoutes: readonly DeskRoute[] = [
  {
    path: '/settings/firm',
    name: 'Firm',
    access: 'everyone',
    load: () => import('../../features/firm-data/details/firm-page.tsx'),
  },
  {
    path: '/settings/brand',
    name: 'Colour and logo',
    access: 'everyone',
    load: () => import('../../features/firm-data/brand-page.tsx'),
  },
  {
    path: '/settings/milestone-paths',
    name: 'Milestone paths',
    access: 'everyone',
    load: () => import('../../features/firm-data/milestone-path-page.tsx'),
  },
  {
    path: '/settings/search-catalogue',
    name: 'Search catalogue',
    access: 'everyone',
    load: () => import('../../features/firm-data/search-catalogue-page.tsx'),
  },
  {
    path: '/settings/document-groups',
    name: 'Document folders',
    access: 'everyone',
    load: () => import('../../features/firm-data/document-groups-page.tsx'),
  },
  {
    path: '/settings/waiting-texts',
    name: 'Waiting texts',
    access: 'everyone',
    load: () => import('../../features/firm-data/waiting-texts-page.tsx'),
  },
  {
    path: '/settings/bank-holidays',
    name: 'Bank holidays',
    access: 'everyone',
    load: () => import('../../features/firm-data/bank-holidays-page.tsx'),
  },
  {
    path: '/settings/payment-rules',
    name: 'Rules for payments',
    access: 'everyone',
    load: () => import('../../features/firm-data/payment-rules-page.tsx'),
  },
  {
    path: '/settings/ledger-exports',
    name: 'Ledger exports',
    access: 'everyone',
    load: () => import('../../features/firm-data/ledger-exports/ledger-exports-page.tsx'),
  },
];

const paymentRoutes: readonly DeskRoute[] = [
  {
    path: '/payments',
    name: 'Payments',
    access: 'everyone',
    load: () => import('../../features/payments/list/payments-page.tsx'),
  },
  {
    path: '/payments/refunds',
    name: 'Refunds',
    access: 'everyone',
    load: () => import('../../features/payments/refunds-page.tsx'),
  },
  {
    path: '/payments/disputes',
    name: 'Disputes',
    access: 'everyone',
    load: () => import('../../features/payments/disputes-page.tsx'),
  },
  {
    path: '/payments/discrepancies',
    name: 'Discrepancies',
    access: finance,
    load: () => import('../../features/payments/discrepancies-page.tsx'),
  },
  {
    path: '/payments/ledger',
    name: 'Ledger',
    access: finance,
    load: () => import('../../features/payments/ledger-page.tsx'),
  },
  {
    path: '/payments/:id',
    name: 'Payment',
    access: 'everyone',
    load: () => import('../../features/payments/one/payment-page.tsx'),
  },
];
const caseRoles = ['handler', 'admin'] as const;

/** Every page of the desk for signed-in members. Each is a separate chunk. */
export const routes: readonly DeskRoute[] = [
  ...paymentRoutes,
  {
    path: '/',
    name: 'Today',
    access: 'everyone',
    load: () => import('../../features/today/today-page.tsx'),
  },
  {
    path: '/cases',
    name: 'Cases',
    access: 'everyone',
    load: () => import('../../features/case-list/cases-page.tsx'),
  },
  {
    path: '/account',
    name: 'Your account',
    access: 'everyone',
    load: () => import('../../features/staff/account/account-page.tsx'),
  },
  {
    path: '/cases/:id/:part?',
    name: 'Case',
    access: 'everyone',
    load: () => import('../../features/case/case-page.tsx'),
    part: 'part',
  },
  {
    path: '/clients/:id',
    name: 'Client data',
    access: caseRoles,
    load: () => import('../../features/client-data/client-data-page.tsx'),
  },
  {
    path: '/settings/clients',
    name: 'Clients',
    access: caseRoles,
    load: () => import('../../features/client-data/clients-page.tsx'),
  },
  {
    path: '/settings/staff',
    name: 'Staff',
    access: admins,
    load: () => import('../../features/staff/members/members-page.tsx'),
  },
  ...firmDataRoutes,
  {
    path: '/settings/audit',
    name: 'Audit log',
    access: admins,
    load: () => import('../../features/audit/audit-page.tsx'),
  },
  {
    path: '/settings/import',
    name: 'Import cases',
    access: caseRoles,
    load: () => import('../../features/spreadsheet/file-page.tsx'),
  },
  {
    path: '/settings/import/:id/columns',
    name: 'Import cases',
    access: caseRoles,
    load: () => import('../../features/spreadsheet/columns-page.tsx'),
  },
  {
    path: '/settings/import/:id/check',
    name: 'Import cases',
    access: caseRoles,
    load: () => import('../../features/spreadsheet/check-page.tsx'),
  },
  {
    path: '/settings/import/:id/result',
    name: 'Import cases',
    access: caseRoles,
    load: () => import('../../features/spreadsheet/result-page.tsx'),
  },
  {
    path: '/settings/api-keys',
    name: 'API keys',
    access: admins,
    load: () => import('../../features/integrations/api-keys-page.tsx'),
  },
  {
    path: '/settings/webhooks',
    name: 'Webhooks',
    access: admins,
    load: () => import('../../features/integrations/webhooks-page.tsx'),
  },
  {
    path: '/settings/webhooks/:id',
    name: 'Webhooks',
    access: admins,
    load: () => import('../../features/integrations/webhook-page.tsx'),
  },
];

/** The main navigation, in its order. Items without a page that the member may open are left out. */
const mainNavigation: readonly NavigationItem[] = [
  { path: '/', name: 'Today', key: 't' },
  { path: '/cases', name: 'Cases', key: 'c' },
  { path: '/payments', name: 'Payments', key: 'p' },
  { path: '/settings', name: 'Settings', key: 's' },
];

/** The pages of the settings, in their order. */
export const settingsPaths: readonly string[] = [
  '/settings/staff',
  ...firmDataRoutes.map(({ path }) => path),
  '/settings/import',
  '/settings/clients',
  '/settings/api-keys',
  '/settings/webhooks',
  '/settings/audit',
];

export const isPermitted = ({ access }: Pick<DeskRoute, 'access'>, role: StaffRole): boolean =>
  access === 'everyone' || access.includes(role);

/** The settings that a role may open. */
export const settingsFor = (role: StaffRole): DeskRoute[] =>
  settingsPaths.flatMap((path) => routes.filter((route) => route.path === path && isPermitted(route, role)));

/** The items of the main navigation for a role, with the page that each one opens. */
export const navigationFor = (role: StaffRole): (NavigationItem & { to: string })[] =>
  mainNavigation.flatMap((item) => {
    const to =
      item.path === '/settings'
        ? settingsFor(role)[0]?.path
        : routes.find((route) => route.path === item.path && isPermitted(route, role))?.path;
    return to === undefined ? [] : [{ ...item, to }];
  });

/** The page that a role starts on. */
export const startPathFor = (role: StaffRole): string => navigationFor(role)[0]?.to ?? '/account';

/** Whether an address belongs to an item of the navigation. */
export const isWithin = (address: string, path: string): boolean =>
  address === path || (path !== '/' && address.startsWith(`${path}/`));

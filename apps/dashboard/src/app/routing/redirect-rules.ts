import type { RouteRule } from '../../delivery/build-manifest.ts';

/**
 * What each build says of paths in old links that always lead to the same screen, before any screen is loaded;
 * former-paths.ts knows those that do not.
 */
export const redirectRules: Record<string, RouteRule> = {
  '/main': { redirect: '/' },
  '/main/overview': { redirect: '/' },
  '/main/case-history': { redirect: '/case-history' },
  '/main/purchase-docs': { redirect: '/documents/purchase/contract' },
  '/main/sale-docs': { redirect: '/documents/sale/contract' },
};

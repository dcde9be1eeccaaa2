import type { RouteRule } from '../../delivery/build-manifest.ts';

/**
 * Old paths that always lead to the same screen. The build writes them into its manifest, so that they redirect before
 * any screen loads. legacy-paths.ts resolves all old paths.
 */
export const redirectRules: Record<string, RouteRule> = {
  '/main': { redirect: '/' },
  '/main/overview': { redirect: '/' },
  '/main/case-history': { redirect: '/case-history' },
  '/main/purchase-docs': { redirect: '/documents/purchase/contract' },
  '/main/sale-docs': { redirect: '/documents/sale/contract' },
};

/*
 * What a build says of its paths before any screen is loaded: in its manifest, in the form of a radix tree's export.
 * `static` are paths as they are; `wildcard` those and whatever is below them.
 */
export interface RouteRule {
  /** Where else it is. */
  redirect?: string;
  /** Its HTML and its `_payload.json` were made by the build. */
  prerender?: boolean;
}

export interface RouteMatcher {
  static: Record<string, RouteRule>;
  wildcard: Record<string, RouteRule>;
  dynamic: Record<string, RouteMatcher>;
}

/** Paths in old links that always lead to the same screen; former-paths.ts knows those that do not. */
export const redirectRules: Record<string, RouteRule> = {
  '/main': { redirect: '/' },
  '/main/overview': { redirect: '/' },
  '/main/case-history': { redirect: '/case-history' },
  '/main/purchase-docs': { redirect: '/documents/purchase/contract' },
  '/main/sale-docs': { redirect: '/documents/sale/contract' },
};

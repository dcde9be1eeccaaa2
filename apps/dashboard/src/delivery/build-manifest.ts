import { type Check, isArrayOf, isInteger, isObjectOf, isString } from '@keyturn/browser/checks/check.ts';

/** Identifies one build of the dashboard. */
export interface Build {
  id: string;
  /** When it was built, in milliseconds since 1970. */
  timestamp: number;
}

export interface RouteRule {
  /** The path to show instead. */
  redirect?: string;
  /** Whether the build wrote HTML and a `_payload.json` for the path. */
  prerender?: boolean;
}

/** The routing rules and prerendered paths of a build, in the format of an exported radix tree. */
export interface Manifest extends Build {
  /** `static` rules apply to exact paths; `wildcard` rules to a path and everything below it. */
  matcher: { static: Record<string, RouteRule>; wildcard: Record<string, RouteRule> };
  prerendered: string[];
}

export const isBuild: Check<Build> = isObjectOf<Build>({ id: isString, timestamp: isInteger });

const areRouteRules: Check<Record<string, RouteRule>> = (value): value is Record<string, RouteRule> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((rule: RouteRule | null) =>
    rule?.redirect === undefined ? rule !== null : /^\/(?!\/)/.test(rule.redirect),
  );

export const isManifest: Check<Manifest> = isObjectOf<Manifest>({
  id: isString,
  timestamp: isInteger,
  matcher: isObjectOf<Manifest['matcher']>({ static: areRouteRules, wildcard: areRouteRules }),
  prerendered: isArrayOf(isString),
});

/**
 * Parses the text of the page's `<script id="keyturn-build">`.
 * @returns null when the page has none, as with the development server, or when it is invalid
 */
export function parseOwnBuild(text: string | null | undefined): Build | null {
  try {
    const build: unknown = JSON.parse(text ?? '');
    return isBuild(build) ? build : null;
  } catch {
    return null;
  }
}

/** Merges all rules that apply to a path. The most specific rule wins; an exact match wins over any wildcard. */
export function routeRuleFor({ matcher }: Manifest, pathname: string): RouteRule {
  const path = pathname.replace(/(.)\/+$/, '$1');
  const wildcardPaths = Object.keys(matcher.wildcard)
    .filter((prefix) => path === prefix || path.startsWith(prefix === '/' ? '/' : `${prefix}/`))
    .sort((a, b) => a.length - b.length);
  return Object.assign(
    {},
    ...wildcardPaths.map((prefix) => matcher.wildcard[prefix]),
    Object.hasOwn(matcher.static, path) ? matcher.static[path] : undefined,
  );
}

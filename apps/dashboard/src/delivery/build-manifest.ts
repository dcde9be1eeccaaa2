import { type Check, isInteger, isListOf, isRecordOf, isText } from '../api/client/check.ts';

/** What a build is called, and when it was made: milliseconds since 1970. */
export interface Build {
  id: string;
  timestamp: number;
}

export interface RouteRule {
  /** Where else it is. */
  redirect?: string;
  /** Its HTML and its `_payload.json` were made by the build. */
  prerender?: boolean;
}

/** What a build says of its paths, in the form of a radix tree's export. */
export interface Manifest extends Build {
  /** `static` are paths as they are; `wildcard` those and whatever is below them. */
  matcher: { static: Record<string, RouteRule>; wildcard: Record<string, RouteRule> };
  prerendered: string[];
}

export const isBuild: Check<Build> = isRecordOf<Build>({ id: isText, timestamp: isInteger });

const isRules: Check<Record<string, RouteRule>> = (value): value is Record<string, RouteRule> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((rule: RouteRule | null) =>
    rule?.redirect === undefined ? rule !== null : /^\/(?!\/)/.test(rule.redirect),
  );

export const isManifest: Check<Manifest> = isRecordOf<Manifest>({
  id: isText,
  timestamp: isInteger,
  matcher: isRecordOf<Manifest['matcher']>({ static: isRules, wildcard: isRules }),
  prerendered: isListOf(isText),
});

/** Which build this page is of; null for one that was not built. */
export function parseOwnBuild(text: string | null | undefined): Build | null {
  try {
    const found: unknown = JSON.parse(text ?? '');
    return isBuild(found) ? found : null;
  } catch {
    return null;
  }
}

/** All that is said of a path: what stands for it alone goes before what stands for those above it. */
export function routeRuleFor({ matcher }: Manifest, pathname: string): RouteRule {
  const path = pathname.replace(/(.)\/+$/, '$1');
  const above = Object.keys(matcher.wildcard)
    .filter((start) => path === start || path.startsWith(start === '/' ? '/' : `${start}/`))
    .sort((one, other) => one.length - other.length);
  return Object.assign(
    {},
    ...above.map((start) => matcher.wildcard[start]),
    Object.hasOwn(matcher.static, path) ? matcher.static[path] : undefined,
  );
}

import { type RouteEntry, type RouteName, routeTable } from './route-table.ts';

type Filled<Pattern extends string> = Pattern extends `${infer Before}:${string}/${infer After}`
  ? `${Before}${string}/${Filled<After>}`
  : Pattern extends `${infer Before}:${string}`
    ? `${Before}${string}`
    : Pattern;

/** The path of a screen, with its parameters filled in. */
export type Path = Filled<(typeof routeTable)[RouteName]['path']>;

/** The query of a link. Undefined parameters are left out. */
export type Query = Record<string, string | number | undefined>;

/** Returns a path with a query. */
export function withQuery(path: Path, query: Query = {}): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters)}`;
}

export interface RouteMatch {
  name: RouteName;
  entry: RouteEntry;
  /** The path's parameters, decoded and unchecked. */
  params: Record<string, string>;
}

/** Returns the route of a path; null if no screen has it. Ignores case and a final slash, as the server does. */
export function matchPath(pathname: string): RouteMatch | null {
  for (const { name, entry, pattern } of patterns) {
    const found = pattern.exec(pathname);
    if (!found) continue;
    const params = Object.entries(found.groups ?? {}).map(([key, value]) => [key, decode(value)]);
    return { name, entry, params: Object.fromEntries(params) };
  }
  return null;
}

/** Decodes a part of a path; returns it unchanged if it is malformed. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const patterns = Object.entries<RouteEntry>(routeTable).map(([name, entry]) => ({
  name: name as RouteName,
  entry,
  pattern: new RegExp(`^${entry.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`, 'i'),
}));

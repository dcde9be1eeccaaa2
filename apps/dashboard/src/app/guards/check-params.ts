import { notFound, rootRouteId } from '@tanstack/react-router';

/**
 * Checks each parameter of a path.
 * @throws the router's `notFound` with the words of a failed check, which differ from those of an unknown path
 */
export function checkParams(
  checks: Record<string, (value: string) => boolean> = {},
  params: Record<string, string>,
  path: string,
): void {
  for (const [name, check] of Object.entries(checks)) {
    if (!check(params[name] ?? '')) {
      throw notFound({ routeId: rootRouteId, data: { message: `Page Not Found: ${path}` } });
    }
  }
}

import { notFound, rootRouteId } from '@tanstack/react-router';

/**
 * Checks each parameter of a path.
 * @throws the router's `notFound`; its message differs in case from the one for an unknown path, as specified
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

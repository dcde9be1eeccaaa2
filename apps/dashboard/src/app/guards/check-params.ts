import { notFound, rootRouteId } from '@tanstack/react-router';

/**
 * Checks each parameter of a path.
 * @throws the router's `notFound`; its message differs in case from the one for an unknown path, as specified
 */
export function checkParams(
  patterns: Record<string, string> = {},
  params: Record<string, string>,
  path: string,
): void {
  for (const [name, pattern] of Object.entries(patterns)) {
    if (!new RegExp(`^(?:${pattern})$`).test(params[name] ?? '')) {
      throw notFound({ routeId: rootRouteId, data: { message: `Page Not Found: ${path}` } });
    }
  }
}

import { NotFound } from '../../navigation/outcomes.ts';

/**
 * Checks each parameter of a path.
 * @throws NotFound; its text differs in case from the one for an unknown path, as specified
 */
export function checkParams(
  patterns: Record<string, string> = {},
  params: Record<string, string>,
  path: string,
): void {
  for (const [name, pattern] of Object.entries(patterns)) {
    if (!new RegExp(`^(?:${pattern})$`).test(params[name] ?? '')) {
      throw new NotFound(`Page Not Found: ${path}`);
    }
  }
}

/**
 * Decodes the percent escapes of a text.
 * @returns null if an escape is invalid. Callers that only check a text use this too: the bundler removes a call of
 *   `decodeURIComponent` whose result is not used, although it can throw.
 */
export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

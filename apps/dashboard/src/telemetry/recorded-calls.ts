/**
 * Of which calls a recording has more than the address: of those to our own API, wherever that is, and of them not
 * those that carry passwords, tokens, payments, documents or signatures. To be matched with whole addresses.
 * @param apiBaseUrl a path of this origin, or another origin with a path
 */
export function recordedCallPatterns(
  apiBaseUrl: string,
  origin: string,
): { allowed: RegExp; denied: RegExp } {
  const base = new URL(`${apiBaseUrl}/`, origin).href;
  return {
    // From its beginning: somebody else's address may have ours in its query.
    allowed: new RegExp(`^${base.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`),
    denied: /\/(login|logout|password|sandbox|broadcasting|documents|(other-)?payments|receipt)([/?#]|$)/,
  };
}

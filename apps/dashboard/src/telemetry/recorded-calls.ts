/**
 * Returns patterns for the calls whose bodies a session recording may contain: calls to our own API, except those that
 * carry passwords, tokens, payments, documents or signatures. Match them against complete URLs.
 * @param apiBaseUrl a path on this origin, or another origin with a path
 */
export function recordedCallPatterns(
  apiBaseUrl: string,
  origin: string,
): { allowed: RegExp; denied: RegExp } {
  const base = new URL(`${apiBaseUrl}/`, origin).href;
  return {
    // Anchored at the start: another site's URL may contain ours in its query.
    allowed: new RegExp(`^${base.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`),
    denied:
      /\/(login|logout|password|passkey|account|sessions|email-change|sandbox|broadcasting|documents|(other-)?payments|payment-links|bills|receipt)([/?#]|$)/,
  };
}

/** Milliseconds after which a payment that nobody goes on with is given up. */
export const expiresAfter = 90 * 60_000;

/**
 * When the catch-up asks about an intent next: every half minute while something has just happened, ever more seldom
 * after, once a day at the least; and at the moment at which the payment expires.
 */
export function nextCheckTime(now: Date, quietSince: Date): Date {
  const quiet = now.getTime() - quietSince.getTime();
  const wait = Math.min(Math.max(quiet / 4, 30_000), 86_400_000);
  return new Date(now.getTime() + (quiet < expiresAfter ? Math.min(wait, expiresAfter - quiet) : wait));
}

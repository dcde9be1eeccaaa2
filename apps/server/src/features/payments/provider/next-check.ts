/** Milliseconds without activity after which a payment expires. */
export const expiresAfter = 90 * 60_000;

/**
 * Calculates when the provider is asked about an intent next: every 30 seconds after recent activity, backing off to
 * once a day, and also at the moment when the payment expires.
 * @param quietSince the last activity
 */
export function nextCheckTime(now: Date, quietSince: Date): Date {
  const quiet = now.getTime() - quietSince.getTime();
  const wait = Math.min(Math.max(quiet / 4, 30_000), 86_400_000);
  return new Date(now.getTime() + (quiet < expiresAfter ? Math.min(wait, expiresAfter - quiet) : wait));
}

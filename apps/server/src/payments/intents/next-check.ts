/** Milliseconds without activity after which a payment expires. */
export const expiresAfter = 90 * 60_000;

/**
 * Calculates the time of the next check of an intent: every 30 seconds after recent activity, backing off to once a
 * day, and also when the payment expires. If only its money has to clear, the next check is on the day on which it
 * should, and then as above.
 * @param quietSince the last activity
 * @param clearsOn the day on which the money is expected to clear; null while it is unknown
 */
export function nextCheckTime(now: Date, quietSince: Date, clearsOn: string | null = null): Date {
  const clearsAt = clearsOn === null ? quietSince : new Date(`${clearsOn}T00:00:00Z`);
  if (clearsAt > now) return clearsAt;
  const quiet = now.getTime() - Math.max(quietSince.getTime(), clearsAt.getTime());
  const wait = Math.min(Math.max(quiet / 4, 30_000), 86_400_000);
  return new Date(now.getTime() + (quiet < expiresAfter ? Math.min(wait, expiresAfter - quiet) : wait));
}

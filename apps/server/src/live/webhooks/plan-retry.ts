/** Milliseconds before each retry; the last one repeats. */
export const retryDelays = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600].map(
  (seconds) => seconds * 1_000,
);

/**
 * The minimum number of attempts at an event, even if it waited for a long time behind another one, or for this
 * server.
 */
const minAttempts = 5;

/**
 * Plans the next attempt after a failed one.
 * @param delivery.failures failed attempts, this one included
 * @param delivery.retryUntil the time of the last attempt
 * @param random from 0 to 1: spreads the retries of many events
 * @returns null if there is none: the event is a dead letter
 */
export function planRetry(
  { failures, retryUntil }: { failures: number; retryUntil: Date },
  { now, random, delays = retryDelays }: { now: Date; random: number; delays?: readonly number[] },
): Date | null {
  const isOver = now >= retryUntil;
  if (isOver && failures >= minAttempts) return null;
  const delay = delays[Math.min(failures, delays.length) - 1] ?? 0;
  const next = now.getTime() + delay * (0.8 + 0.4 * random);
  return new Date(isOver ? next : Math.min(next, retryUntil.getTime()));
}

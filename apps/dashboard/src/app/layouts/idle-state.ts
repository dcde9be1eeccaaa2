/** Whether an inactive client stays signed in. Times are in milliseconds. */
export type IdleState =
  | { kind: 'active'; recheckIn: number }
  | { kind: 'warned'; remaining: number }
  | { kind: 'expired' };

export interface IdleInput {
  /** When the client was last active. */
  lastAt: number;
  now: number;
  /** The server's limit, in seconds. */
  idleAfter: number;
}

const warningMs = 120_000;

/**
 * Decides whether a client is active, has to be warned (two minutes before the sign-in ends) or has to be signed out.
 * The sign-in ends a little earlier here than on the server, which receives activity up to 15 seconds late, with the
 * next request, and stores it once a minute.
 */
export function idleState({ lastAt, now, idleAfter }: IdleInput): IdleState {
  const limit = idleAfter * 1_000 - Math.min(60_000, idleAfter * 100) - 15_000;
  // A clock that was set back must neither sign clients out nor keep them signed in for ever.
  const idleFor = Math.max(0, now - lastAt);
  const remaining = limit - idleFor;
  if (remaining <= 0) return { kind: 'expired' };
  const warnFor = Math.min(warningMs, limit / 2);
  return remaining <= warnFor
    ? { kind: 'warned', remaining }
    : { kind: 'active', recheckIn: remaining - warnFor };
}

/** Formats milliseconds as "2 minutes", "1 minute" or "30 seconds", rounded up so that no time is promised too short. */
export function formatTimeLeft(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  if (seconds > 60) return `${Math.ceil(seconds / 60)} minutes`;
  if (seconds === 60) return '1 minute';
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

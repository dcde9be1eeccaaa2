import type { StaffSignIn } from '@keyturn/contract/staff';

/** Why a member has to sign in. */
export type SessionEnd = 'signed_out' | 'idle' | 'expired' | 'ended' | 'not_kept';

/** Whether someone is signed in on this page. */
export type Session =
  | { kind: 'unknown' }
  | { kind: 'unreadable'; error: unknown }
  | { kind: 'signed-out'; reason: SessionEnd | null }
  | { kind: 'signed-in'; signIn: StaffSignIn };

/** What a session’s limits require now. Times are in milliseconds. */
export type SessionLimit =
  | { kind: 'open'; recheckIn: number }
  /** The session ends for lack of activity, and activity extends it. */
  | { kind: 'idle_soon'; remaining: number }
  /** The session ends regardless of activity. */
  | { kind: 'expires_soon'; remaining: number; recheckIn: number }
  | { kind: 'ended'; reason: 'idle' | 'expired' };

const idleWarning = 2 * 60_000;
const expiryWarning = 10 * 60_000;

/**
 * The server records activity at most once a minute, so its time of the last activity may be a minute behind ours.
 */
const idleMargin = 70_000;

/**
 * Determines whether a session continues, and the warning to show.
 * @param times.extendedAt when the server last answered a request that counts as activity
 */
export function limitOf(
  { idle_after, expires_at }: Pick<StaffSignIn, 'idle_after' | 'expires_at'>,
  { now, extendedAt }: { now: number; extendedAt: number },
): SessionLimit {
  const untilExpiry = Date.parse(expires_at) - now;
  // A clock that was set back must not keep a session open for ever.
  const untilIdle = idle_after * 1_000 - idleMargin - Math.max(0, now - extendedAt);
  if (untilExpiry <= 0) return { kind: 'ended', reason: 'expired' };
  if (untilIdle <= 0) return { kind: 'ended', reason: 'idle' };
  if (untilIdle <= idleWarning && untilIdle < untilExpiry) return { kind: 'idle_soon', remaining: untilIdle };
  if (untilExpiry <= expiryWarning)
    return { kind: 'expires_soon', remaining: untilExpiry, recheckIn: Math.min(untilExpiry, 15_000) };
  return { kind: 'open', recheckIn: Math.min(untilIdle - idleWarning, untilExpiry - expiryWarning) };
}

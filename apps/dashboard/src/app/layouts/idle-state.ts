/** How long the client has been away, and what follows from it. Everything in milliseconds. */
export type IdleState =
  | { kind: 'here'; lookAgainIn: number }
  | { kind: 'warned'; left: number }
  | { kind: 'over' };

export interface IdleTimes {
  /** When the client last did something. */
  lastAt: number;
  now: number;
  /** The server's limit, in seconds. */
  idleAfter: number;
}

const warning = 120_000;

/**
 * The client is warned two minutes before the sign-in ends. It ends here a little before it does at the server, which
 * learns of activity with the next request, up to 15 seconds later, and writes it down once a minute.
 */
export function idleState({ lastAt, now, idleAfter }: IdleTimes): IdleState {
  const limit = idleAfter * 1_000 - Math.min(60_000, idleAfter * 100) - 15_000;
  // A clock that was set back must not keep anybody signed in for ever, nor sign anybody out.
  const away = Math.max(0, now - lastAt);
  const left = limit - away;
  if (left <= 0) return { kind: 'over' };
  const warnFor = Math.min(warning, limit / 2);
  return left <= warnFor ? { kind: 'warned', left } : { kind: 'here', lookAgainIn: left - warnFor };
}

/** "2 minutes", "1 minute", "30 seconds": rounded up, so that nothing ends before it was said to. */
export function timeLeft(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  if (seconds > 60) return `${Math.ceil(seconds / 60)} minutes`;
  if (seconds === 60) return '1 minute';
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

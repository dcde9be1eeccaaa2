import type { Limits } from '../limits.ts';

/** One connection, as data. Times are milliseconds, of any clock that only goes forward. */
export interface Connection {
  readonly socketId: string;
  /** Where it comes from, for the limit of each address; null when nobody counts. */
  readonly address: string | null;
  /** Names of the channels that it listens to. */
  readonly channels: Set<string>;
  /** Who is signed in on it, with what the signature said of the user. */
  user: { id: string; info: string } | null;
  /** When anything last came from it. */
  lastActivityAt: number;
  lastPingAt: number;
  /** Pings that nothing has followed. */
  unansweredPings: number;
  /** Broken frames and frames beyond the rate so far. */
  violations: number;
  windowStart: number;
  framesInWindow: number;
}

export function createConnection(socketId: string, address: string | null, now: number): Connection {
  return {
    socketId,
    address,
    channels: new Set(),
    user: null,
    lastActivityAt: now,
    lastPingAt: now,
    unansweredPings: 0,
    violations: 0,
    windowStart: now,
    framesInWindow: 0,
  };
}

/** Anything that comes in proves that the client is there: a frame, or a WebSocket ping or pong. */
export function markActive(connection: Connection, now: number): void {
  connection.lastActivityAt = now;
  connection.unansweredPings = 0;
}

/** Counts a frame. @returns whether it is within the rate */
export function isWithinRateLimit(connection: Connection, limits: Limits, now: number): boolean {
  if (now - connection.windowStart >= limits.frameWindow) {
    connection.windowStart = now;
    connection.framesInWindow = 0;
  }
  return ++connection.framesInWindow <= limits.framesPerWindow;
}

/**
 * What silence calls for. Each ping gets its own time for an answer, counted from when it was sent: after a server
 * that stood still for minutes, nobody is gone before being asked.
 */
export function assessLiveness(
  connection: Connection,
  limits: Limits,
  now: number,
): 'fine' | 'ping' | 'gone' {
  if (now - Math.max(connection.lastActivityAt, connection.lastPingAt) < limits.pingInterval) return 'fine';
  return connection.unansweredPings >= limits.unansweredPings ? 'gone' : 'ping';
}

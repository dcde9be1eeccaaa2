import type { Limits } from '../limits.ts';

/** The state of one connection. Times are milliseconds of a monotonic clock. */
export interface Connection {
  readonly socketId: string;
  /** The client's IP address; null if connections are not counted by address. */
  readonly address: string | null;
  /** Names of the channels it subscribes to. */
  readonly channels: Set<string>;
  /** The signed-in user, with the public details from the signed data. */
  user: { id: string; info: string } | null;
  /** When the last message, ping or pong arrived. */
  lastActivityAt: number;
  lastPingAt: number;
  /** Pings since the last activity. */
  unansweredPings: number;
  /** Malformed frames and frames above the rate limit so far. */
  violations: number;
  windowStart: number;
  framesInWindow: number;
}

/** Creates the state of a connection that has just opened. */
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

/** Records that the client sent something: a frame, or a WebSocket ping or pong. */
export function markActive(connection: Connection, now: number): void {
  connection.lastActivityAt = now;
  connection.unansweredPings = 0;
}

/**
 * Counts a frame against the rate limit.
 *
 * @returns false if the frame exceeds the limit
 */
export function consumeRateLimit(connection: Connection, limits: Limits, now: number): boolean {
  if (now - connection.windowStart >= limits.frameWindow) {
    connection.windowStart = now;
    connection.framesInWindow = 0;
  }
  return ++connection.framesInWindow <= limits.framesPerWindow;
}

/**
 * Decides whether a connection is alive, needs a ping, or is dead. Each ping has its full time for an answer, counted
 * from when it was sent: after a pause of the whole server, clients are pinged before they are considered dead.
 */
export function assessLiveness(
  connection: Connection,
  limits: Limits,
  now: number,
): 'alive' | 'ping' | 'dead' {
  if (now - Math.max(connection.lastActivityAt, connection.lastPingAt) < limits.pingInterval) return 'alive';
  return connection.unansweredPings >= limits.unansweredPings ? 'dead' : 'ping';
}

import type { Limits } from '../limits.ts';

/** `control` frames are WebSocket pings and pongs. */
export type FrameType = 'text' | 'control';

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
  /** Malformed frames and frames above a rate limit so far. */
  violations: number;
  /** The current window of each rate limit. */
  readonly rates: Record<FrameType, { windowStart: number; frames: number }>;
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
    rates: { text: { windowStart: now, frames: 0 }, control: { windowStart: now, frames: 0 } },
  };
}

/** Records that the client sent something: a frame, or a WebSocket ping or pong. */
export function markActive(connection: Connection, now: number): void {
  connection.lastActivityAt = now;
  connection.unansweredPings = 0;
}

/** Returns the maximum frames of a type in one window. */
export function rateLimitOf(type: FrameType, limits: Limits): number {
  return type === 'text' ? limits.framesPerWindow : limits.controlFramesPerWindow;
}

/**
 * Counts a frame against the rate limit of its type.
 *
 * @returns false if the frame exceeds the limit
 */
export function consumeRateLimit(
  connection: Connection,
  type: FrameType,
  limits: Limits,
  now: number,
): boolean {
  const rate = connection.rates[type];
  if (now - rate.windowStart >= limits.frameWindow) {
    rate.windowStart = now;
    rate.frames = 0;
  }
  return ++rate.frames <= rateLimitOf(type, limits);
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

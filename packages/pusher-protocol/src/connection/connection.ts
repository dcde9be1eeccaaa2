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
  heardAt: number;
  pingedAt: number;
  /** Pings that nothing has followed. */
  missedPings: number;
  /** Broken frames and frames beyond the rate so far. */
  faults: number;
  windowStart: number;
  framesInWindow: number;
}

export function newConnection(socketId: string, address: string | null, now: number): Connection {
  return {
    socketId,
    address,
    channels: new Set(),
    user: null,
    heardAt: now,
    pingedAt: now,
    missedPings: 0,
    faults: 0,
    windowStart: now,
    framesInWindow: 0,
  };
}

/** Anything that comes in proves that the client is there: a frame, or a WebSocket ping or pong. */
export function noteSign(connection: Connection, now: number): void {
  connection.heardAt = now;
  connection.missedPings = 0;
}

/** Counts a frame. @returns whether it is within the rate */
export function countFrame(connection: Connection, limits: Limits, now: number): boolean {
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
export function judgeSilence(connection: Connection, limits: Limits, now: number): 'fine' | 'ping' | 'gone' {
  if (now - Math.max(connection.heardAt, connection.pingedAt) < limits.pingInterval) return 'fine';
  return connection.missedPings >= limits.missedPings ? 'gone' : 'ping';
}

/**
 * The codes that this package closes connections with, or sends in a `pusher:error`. How a client reacts depends only
 * on the range of a code: see `clientReactionTo`.
 */
export const closeCodes = {
  /** The server shuts down, or the client does not answer pings. Clients reconnect. */
  goingAway: 1001,
  /** The client sent a binary frame. */
  binaryFrame: 1003,
  /** The client sent a frame above the size limit. */
  frameTooLong: 1009,
  unknownApp: 4001,
  /** A user has too many connections. Permanent, because the extra tab would otherwise retry for ever. */
  tooManyConnections: 4004,
  unknownPath: 4005,
  badProtocolVersion: 4006,
  unsupportedProtocol: 4007,
  noProtocolVersion: 4008,
  /** The client is not allowed to do this, or no longer: it signed out. */
  unauthorised: 4009,
  /** The client sent frames that are not valid in this protocol. */
  malformed: 4300,
  /** The client sent an event that is not allowed, or too many frames. */
  refused: 4301,
} as const;

export type ClientReaction =
  | 'reconnects over TLS'
  | 'reconnects after 1 s'
  | 'reconnects immediately'
  | 'does not reconnect';

/**
 * Tells how pusher-js 8.6 reacts to a close code. This package never uses 4200 to 4299: every client would reconnect
 * without delay, repeatedly, when the server is busiest.
 */
export function clientReactionTo(code: number): ClientReaction {
  if (code < 4000) return 'reconnects after 1 s';
  if (code === 4000) return 'reconnects over TLS';
  if (code < 4100) return 'does not reconnect';
  if (code < 4200) return 'reconnects after 1 s';
  if (code < 4300) return 'reconnects immediately';
  return 'does not reconnect';
}

/**
 * The codes that this package closes connections with, or names in a `pusher:error`. What a client makes of a code
 * depends on its range alone: `clientReactionTo`.
 */
export const closeCodes = {
  /** The server goes away, or the client no longer answers pings: come back. */
  goingAway: 1001,
  /** A binary frame. */
  binaryFrame: 1003,
  /** A frame above the limit. */
  frameTooLong: 1009,
  unknownApp: 4001,
  /** One user has too many connections: for good, or the tab too many would knock for ever. */
  tooManyConnections: 4004,
  unknownPath: 4005,
  badProtocolVersion: 4006,
  unsupportedProtocol: 4007,
  noProtocolVersion: 4008,
  /** May not do that, or no longer: signed out. */
  unauthorised: 4009,
  /** Frames that are not of the protocol. */
  malformed: 4300,
  /** A client event that is not allowed here, or more frames than allowed. */
  refused: 4301,
} as const;

export type ClientReaction =
  | 'comes back over TLS'
  | 'comes back in 1 s'
  | 'comes back at once'
  | 'stays away';

/**
 * What pusher-js 8.6 does when a connection is closed with a code. Codes 4200 to 4299 are never used here: every
 * client would come back without any delay, for ever, just when the server has most to do.
 */
export function clientReactionTo(code: number): ClientReaction {
  if (code < 4000) return 'comes back in 1 s';
  if (code === 4000) return 'comes back over TLS';
  if (code < 4100) return 'stays away';
  if (code < 4200) return 'comes back in 1 s';
  if (code < 4300) return 'comes back at once';
  return 'stays away';
}

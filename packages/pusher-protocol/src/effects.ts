import type { ServerMessage } from './servers/server-messages.ts';

/** What the caller must do with its sockets and the other servers. Effects are applied in order. */
export type Effect = SendEffect | CloseEffect | NotifyServersEffect | RequestStateEffect | OccupancyEffect;

/** Sends one text frame to several connections. The list is never empty and has no duplicates. */
export interface SendEffect {
  kind: 'send';
  /** Socket ids. */
  to: readonly string[];
  frame: string;
}

/** Closes a socket after earlier frames are sent. The registry has already removed the connection. */
export interface CloseEffect {
  kind: 'close';
  socketId: string;
  code: number;
  reason: string;
}

/** Sends a message to every other server. A single server ignores it. */
export interface NotifyServersEffect {
  kind: 'notify-servers';
  message: ServerMessage;
}

/** Asks another server for its whole state, because messages from it were lost. A single server ignores it. */
export interface RequestStateEffect {
  kind: 'request-state';
  /** The name of that server. */
  server: string;
}

/**
 * Reports that a channel has its first subscriber on this server, or has lost its last one. A server that receives events
 * from a source with separate channels follows the same channels there. Other servers ignore this effect.
 */
export interface OccupancyEffect {
  kind: 'occupancy';
  channel: string;
  isOccupied: boolean;
}

/** Creates the effect that sends a frame to one connection. */
export function sendTo(socketId: string, frame: string): SendEffect {
  return { kind: 'send', to: [socketId], frame };
}

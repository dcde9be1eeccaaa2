import { type ChannelRegistry, closeCodes } from '@keyturn/pusher-protocol';
import type { BoundSession } from '../../live/channels/ports.ts';
import type { OpenSockets } from './open-sockets.ts';
import type { SessionIndex } from './session-index.ts';

/**
 * Ends connections with the sessions that authorised them. A connection belongs to one client, and to every session of
 * that client that authorised something for it: when one of them ends, or the client's access changes, it is closed.
 */
export interface SessionBindings {
  /**
   * Binds a connection of this server to a session, or closes it if the client has too many connections.
   *
   * @returns false if the connection belongs to another client: nothing may be authorised for it
   */
  bind(socketId: string, bound: BoundSession): boolean;
  /** Binds a connection that another server has authorised. It is closed if it belongs to another client. */
  bindFromPeer(socketId: string, bound: BoundSession): void;
  endSessions(sessions: readonly string[]): void;
  /** Makes these clients reconnect and authorise again, because their permissions have changed. */
  reconnectClients(clientIds: readonly string[]): void;
}

export interface SessionBindingsOptions {
  registry: ChannelRegistry;
  sessions: SessionIndex;
  sockets: Pick<OpenSockets, 'has' | 'openedAt'>;
  close(socketIds: readonly string[], code: number, reason: string): void;
  /** Closes connections with a code after which their clients reconnect and authorise again. */
  reconnect(socketIds: readonly string[]): void;
}

export function createSessionBindings(options: SessionBindingsOptions): SessionBindings {
  const { registry, sessions, sockets, close, reconnect } = options;
  /** When each client's access last changed. A binding that arrives later may have been signed before the change. */
  const accessChangedAt = new Map<string, number>();

  const bind = (socketId: string, bound: BoundSession): boolean => {
    const openedAt = sockets.openedAt(socketId);
    if (openedAt === undefined) return true;
    const owner = sessions.findClient(socketId);
    if (owner !== undefined && owner !== bound.clientId) return false;
    const isFirst = owner === undefined;
    if (
      isFirst &&
      sessions.findSocketsOfClient(bound.clientId).length >= registry.limits.connectionsPerUser
    ) {
      close([socketId], closeCodes.tooManyConnections, 'This client has too many connections.');
    } else if (isFirst && openedAt < (accessChangedAt.get(bound.clientId) ?? 0)) {
      reconnect([socketId]);
    } else {
      sessions.add(socketId, bound);
    }
    return true;
  };

  return {
    bind,
    bindFromPeer: (socketId, bound) => {
      if (bind(socketId, bound)) return;
      // The other server has already sent its signature, which is valid as long as the connection is open.
      close([socketId], closeCodes.unauthorised, 'Another client has authorised this connection.');
    },
    endSessions: (ended) =>
      close(ended.flatMap(sessions.findSocketsOfSession), closeCodes.unauthorised, 'The session has ended.'),
    reconnectClients: (clientIds) => {
      const now = performance.now();
      for (const [clientId, at] of accessChangedAt) {
        if (now - at > bindingDelay) accessChangedAt.delete(clientId);
      }
      for (const clientId of clientIds) accessChangedAt.set(clientId, now);
      reconnect(clientIds.flatMap(sessions.findSocketsOfClient));
    },
  };
}

/** Milliseconds within which a binding of another server arrives. */
const bindingDelay = 60_000;

import {
  type ChannelRegistry,
  classifyChannel,
  closeCodes,
  closeConnection,
  createSocketId,
  drainConnections,
  type Effect,
  openConnection,
  receiveMessage,
  recordActivity,
  removeConnection,
  type ServerMessage,
} from '@keyturn/pusher-protocol';
import type { WebSocket } from 'ws';
import type { BoundSession } from '../../features/realtime/ports.ts';
import type { ChannelIntervals } from './intervals.ts';
import { closeOrTerminate, createOpenSockets, type OpenSockets } from './open-sockets.ts';
import type { SessionIndex } from './session-index.ts';

/** The connections of this server: their sockets, their state in the registry, and their sessions. */
export interface LocalConnections extends Pick<OpenSockets, 'has' | 'olderThan' | 'count'> {
  /** Applies what the registry decided, in order. */
  applyEffects(effects: readonly Effect[]): void;
  /** Starts the protocol on a socket that has just opened. */
  open(socket: WebSocket, address: string): void;
  /** Binds a connection to a session, or closes it if the client has too many connections. */
  bind(socketId: string, bound: BoundSession): void;
  endSessions(sessions: readonly string[]): void;
  /** Closes connections with a code after which their clients reconnect and authorise again. */
  reconnect(socketIds: readonly string[]): void;
  reconnectClients(clientIds: readonly string[]): void;
  /** Closes connections that have been idle, or without a known session, for too long. */
  closeStale(): void;
  /** Closes all connections in batches. */
  drain(): Promise<void>;
}

export interface LocalConnectionsOptions {
  registry: ChannelRegistry;
  sessions: SessionIndex;
  intervals: ChannelIntervals;
  notifyServers(message: ServerMessage): void;
}

export function createLocalConnections(options: LocalConnectionsOptions): LocalConnections {
  const { registry, sessions, intervals } = options;
  const sockets = createOpenSockets({ ...intervals, onTerminated: remove });

  function applyEffects(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'send') sockets.send(effect.to, effect.frame);
      else if (effect.kind === 'notify-servers') options.notifyServers(effect.message);
      else {
        sockets.close(effect.socketId, effect.code, effect.reason);
        sessions.remove(effect.socketId);
      }
    }
  }

  /** Idempotent: an error, a close and a termination may all be reported for one socket. */
  function remove(socketId: string): void {
    sockets.remove(socketId);
    sessions.remove(socketId);
    applyEffects(removeConnection(registry, socketId));
  }

  function close(socketIds: readonly string[], code: number, reason: string): void {
    for (const socketId of socketIds) applyEffects(closeConnection(registry, socketId, code, reason));
  }

  function reconnect(socketIds: readonly string[]): void {
    close(socketIds, closeCodes.goingAway, 'Please reconnect.');
  }

  function open(socket: WebSocket, address: string): void {
    let socketId = createSocketId();
    while (sockets.has(socketId)) socketId = createSocketId();
    sockets.add(socketId, socket);
    const markActive = () => recordActivity(registry, socketId, performance.now());
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      const message = isBinary ? data : data.toString();
      applyEffects(receiveMessage(registry, socketId, message, performance.now()));
    });
    socket.on('ping', markActive);
    socket.on('pong', markActive);
    socket.on('close', () => remove(socketId));
    // An invalid or oversized WebSocket frame: `ws` has already started to close the socket.
    socket.on('error', () => {
      remove(socketId);
      closeOrTerminate(socket, intervals.closeTimeout);
    });
    applyEffects(openConnection(registry, socketId, performance.now(), address));
  }

  return {
    has: sockets.has,
    olderThan: sockets.olderThan,
    count: sockets.count,
    applyEffects,
    open,
    bind: (socketId, bound) => {
      if (!sockets.has(socketId) || sessions.isBound(socketId)) return;
      if (sessions.findSocketsOfClient(bound.clientId).length >= registry.limits.connectionsPerUser) {
        close([socketId], closeCodes.tooManyConnections, 'This client has too many connections.');
      } else {
        sessions.add(socketId, bound);
      }
    },
    endSessions: (ended) =>
      close(ended.flatMap(sessions.findSocketsOfSession), closeCodes.unauthorised, 'The session has ended.'),
    reconnect,
    reconnectClients: (clientIds) => {
      reconnect(clientIds.flatMap(sessions.findSocketsOfClient));
      // A recent connection may belong to one of these clients, with an old signature and its binding on the way.
      const established = new Set(sockets.olderThan(bindingDelay));
      reconnect(sockets.olderThan(0).filter((id) => !established.has(id) && !sessions.isBound(id)));
    },
    closeStale: () => {
      const isUnbound = (socketId: string) => !sessions.isBound(socketId);
      reconnect(
        sockets.olderThan(intervals.idleTimeout).filter((id) => isUnbound(id) && isIdle(registry, id)),
      );
      reconnect(
        sockets
          .olderThan(intervals.unboundTimeout)
          .filter((id) => isUnbound(id) && needsSession(registry, id)),
      );
    },
    drain: async () => {
      const batches = Math.ceil(sockets.count() / intervals.batchSize);
      const pause = Math.min(intervals.drainTimeout / Math.max(batches, 1), intervals.batchEvery);
      for (let left = batches; left > 0 && sockets.count() > 0; left -= 1) {
        applyEffects(drainConnections(registry, 1 / left));
        if (left > 1) await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },
  };
}

function isIdle(registry: ChannelRegistry, socketId: string): boolean {
  const connection = registry.connections.get(socketId);
  return connection?.channels.size === 0 && connection.user === null;
}

/** True for a connection that only a session can have authorised. */
function needsSession(registry: ChannelRegistry, socketId: string): boolean {
  const connection = registry.connections.get(socketId);
  if (!connection) return false;
  const isPublic = (channel: string) => classifyChannel(channel, registry.limits) === 'public';
  return connection.user !== null || [...connection.channels].some((name) => !isPublic(name));
}

/** Milliseconds in which another server's binding arrives. */
const bindingDelay = 10_000;

import type { Duplex } from 'node:stream';
import {
  type ChannelRegistry,
  closeCodes,
  closeConnection,
  createSocketId,
  drainConnections,
  type Effect,
  openConnection,
  receiveControlFrame,
  receiveMessage,
  removeConnection,
  type ServerMessage,
} from '@keyturn/pusher-protocol';
import type { WebSocket } from 'ws';
import type { ChannelIntervals } from './intervals.ts';
import { closeOrTerminate, createOpenSockets, type OpenSockets } from './open-sockets.ts';
import { createSessionBindings, type SessionBindings } from './session-bindings.ts';
import type { SessionIndex } from './session-index.ts';
import { createStaleCheck } from './stale-connections.ts';

/** The connections of this server: their sockets, their state in the registry, and their sessions. */
export interface LocalConnections extends Pick<OpenSockets, 'has' | 'olderThan' | 'count'>, SessionBindings {
  /** Applies what the registry decided, in order. */
  applyEffects(effects: readonly Effect[]): void;
  /** Starts the protocol on a socket that has just opened. */
  open(socket: WebSocket, stream: Duplex, address: string): void;
  /** Closes connections with a code after which their clients reconnect and authorise again. */
  reconnect(socketIds: readonly string[]): void;
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
  /** Asks another server for its whole state. */
  requestState(server: string): void;
  /** Presence members on this server may have changed. */
  onApplied(): void;
  /** A channel has its first subscriber on this server, or has lost its last one. */
  onOccupancy(channel: string, isOccupied: boolean): void;
}

export function createLocalConnections(options: LocalConnectionsOptions): LocalConnections {
  const { registry, sessions, intervals } = options;
  const sockets = createOpenSockets({ ...intervals, onSlowReader: remove });

  function applyEffects(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'send') sockets.send(effect.to, effect.frame);
      else if (effect.kind === 'notify-servers') options.notifyServers(effect.message);
      else if (effect.kind === 'request-state') options.requestState(effect.server);
      else if (effect.kind === 'occupancy') options.onOccupancy(effect.channel, effect.isOccupied);
      else {
        sockets.close(effect.socketId, effect.code, effect.reason);
        sessions.remove(effect.socketId);
      }
    }
    options.onApplied();
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

  function open(socket: WebSocket, stream: Duplex, address: string): void {
    let socketId = createSocketId();
    while (sockets.has(socketId)) socketId = createSocketId();
    sockets.add(socketId, socket, stream);
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      const message = isBinary ? data : data.toString();
      applyEffects(receiveMessage(registry, socketId, message, performance.now()));
    });
    socket.on('ping', (data: Buffer) => {
      const effects = receiveControlFrame(registry, socketId, performance.now());
      // Above the rate limit there are effects, and no answer.
      if (effects.length === 0) socket.pong(data);
      applyEffects(effects);
    });
    socket.on('pong', () => applyEffects(receiveControlFrame(registry, socketId, performance.now())));
    socket.on('close', () => remove(socketId));
    // An invalid or oversized WebSocket frame: `ws` has already started to close the socket.
    socket.on('error', () => {
      remove(socketId);
      closeOrTerminate(socket, intervals.closeTimeout);
    });
    applyEffects(openConnection(registry, socketId, performance.now(), address));
  }

  return {
    ...createSessionBindings({ registry, sessions, sockets, close, reconnect }),
    has: sockets.has,
    olderThan: sockets.olderThan,
    count: sockets.count,
    applyEffects,
    open,
    reconnect,
    closeStale: createStaleCheck({ registry, sessions, sockets, intervals, reconnect }),
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

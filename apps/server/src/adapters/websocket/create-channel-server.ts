import type { Server } from 'node:http';
import {
  type App,
  checkLiveness,
  classifyChannel,
  closeCodes,
  closeConnection,
  createChannelRegistry,
  createSocketId,
  drainConnections,
  type Effect,
  type HttpApiRequest,
  type HttpApiResponse,
  handleHttpApiRequest,
  type Limits,
  openConnection,
  publishLocally,
  receiveMessage,
  recordActivity,
  removeConnection,
} from '@keyturn/pusher-protocol';
import type { WebSocket } from 'ws';
import type { BoundSession, Channels } from '../../features/realtime/ports.ts';
import { acceptUpgrades } from './accept-upgrades.ts';
import { createSessionCheck, type SessionCheckOptions } from './check-sessions.ts';
import { type ChannelIntervals, defaultIntervals } from './intervals.ts';
import { closeOrTerminate, createOpenSockets } from './open-sockets.ts';
import { createPeerServers } from './peer-servers.ts';
import { createBatchedReconnect } from './reconnect-in-batches.ts';
import { createSessionIndex } from './session-index.ts';

export interface ChannelServerOptions extends Pick<SessionCheckOptions, 'findLiveSessions' | 'onError'> {
  app: App;
  limits?: Partial<Limits>;
  intervals?: Partial<ChannelIntervals>;
  clientEvents?: 'none' | 'members';
  /** Before `/app/…`. */
  path: string;
  /** Origins from which browsers may connect, besides that of the page that this server serves. */
  allowedOrigins: readonly string[];
  trustedProxies: number;
  /** Says something to every other server. */
  notifyServers(message: string): void;
}

/** The real-time channel of this server: connections on `ws`, in the protocol of `packages/pusher-protocol`. */
export interface ChannelServer extends Channels {
  /** Takes the upgrades of an HTTP server. */
  attach(server: Server): void;
  /** What another server said with `tell`. */
  receiveServerMessage(message: string): void;
  /** Answers the signed HTTP API: whoever knows the secret may publish. */
  handleHttpApiRequest(request: HttpApiRequest): HttpApiResponse;
  /** What is held at this moment. All but the other servers is 0 when nobody is connected. */
  counts(): { connections: number; channels: number; users: number; sessions: number; servers: number };
  /** Sends the connections away, a part at a time, and lets nobody in. */
  stop(): Promise<void>;
}

export function createChannelServer(options: ChannelServerOptions): ChannelServer {
  const intervals = { ...defaultIntervals, ...options.intervals };
  const registry = createChannelRegistry(options.app, {
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.clientEvents ? { clientEvents: options.clientEvents } : {}),
  });
  const index = createSessionIndex();
  const sockets = createOpenSockets({ ...intervals, onTerminated: drop });
  const peers = createPeerServers({
    ...intervals,
    registry,
    sendText: options.notifyServers,
    applyEffects,
    onBinding: bindHere,
  });
  const checkSessions = createSessionCheck({ ...options, index, endSessions });
  const renewal = createBatchedReconnect({
    ...intervals,
    listConnections: () => sockets.olderThan(0),
    reconnect,
  });
  let isOpen = true;
  const timers = [
    setInterval(lookAround, intervals.livenessCheckEvery),
    setInterval(() => void checkSessions(), intervals.sessionCheckEvery),
    setInterval(peers.heartbeat, intervals.heartbeatEvery),
  ];
  for (const timer of timers) timer.unref();

  /** Does what the registry decided, in its order. */
  function applyEffects(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'send') sockets.send(effect.to, effect.frame);
      else if (effect.kind === 'notify-servers') peers.sendMessage(effect.message);
      else {
        sockets.close(effect.socketId, effect.code, effect.reason);
        index.remove(effect.socketId);
      }
    }
  }

  function welcome(socket: WebSocket, address: string): void {
    let socketId = createSocketId();
    while (sockets.has(socketId)) socketId = createSocketId();
    sockets.add(socketId, socket);
    const alive = () => recordActivity(registry, socketId, performance.now());
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      applyEffects(receiveMessage(registry, socketId, isBinary ? data : data.toString(), performance.now()));
    });
    socket.on('ping', alive);
    socket.on('pong', alive);
    socket.on('close', () => drop(socketId));
    // No WebSocket frame, or one too long: `ws` has begun to close, with the code for it.
    socket.on('error', () => {
      drop(socketId);
      closeOrTerminate(socket, intervals.closeTimeout);
    });
    applyEffects(openConnection(registry, socketId, performance.now(), address));
  }

  /** A connection has gone. To say so again changes nothing. */
  function drop(socketId: string): void {
    sockets.remove(socketId);
    index.remove(socketId);
    applyEffects(removeConnection(registry, socketId));
  }

  function lookAround(): void {
    applyEffects(checkLiveness(registry, performance.now()));
    reconnect(sockets.olderThan(intervals.idleTimeout).filter(isUseless));
    reconnect(sockets.olderThan(intervals.unboundTimeout).filter(isUnknown));
  }

  function isUseless(socketId: string): boolean {
    const connection = registry.connections.get(socketId);
    return connection?.channels.size === 0 && connection.user === null && !index.isBound(socketId);
  }

  /** The server that knew whose it is was killed before it could say so. */
  function isUnknown(socketId: string): boolean {
    const connection = registry.connections.get(socketId);
    if (!connection || index.isBound(socketId)) return false;
    return connection.user !== null || [...connection.channels].some((name) => !isPublic(name));
  }

  const isPublic = (channel: string) => classifyChannel(channel, registry.limits) === 'public';

  function bindHere(socketId: string, bound: BoundSession): void {
    if (!sockets.has(socketId) || index.isBound(socketId)) return;
    if (index.findSocketsOfClient(bound.clientId).length >= registry.limits.connectionsPerUser) {
      end([socketId], closeCodes.tooManyConnections, 'This client has too many connections.');
    } else {
      index.add(socketId, bound);
    }
  }

  function endSessions(sessions: readonly string[]): void {
    end(sessions.flatMap(index.findSocketsOfSession), closeCodes.unauthorised, 'The sign-in has ended.');
  }

  function reconnect(socketIds: readonly string[]): void {
    end(socketIds, closeCodes.goingAway, 'Come back and ask anew.');
  }

  function end(socketIds: readonly string[], code: number, reason: string): void {
    for (const socketId of socketIds) applyEffects(closeConnection(registry, socketId, code, reason));
  }

  return {
    attach: (server) => {
      acceptUpgrades(server, {
        ...options,
        ...intervals,
        registry,
        acceptsConnections: () => isOpen,
        onConnection: welcome,
      });
      peers.sayHello();
    },
    publish: ({ channel, event, data, except }) =>
      applyEffects(publishLocally(registry, { channels: [channel], event, data, except })),
    bind: (socketId, bound) => {
      if (sockets.has(socketId)) bindHere(socketId, bound);
      else peers.announceBinding(socketId, bound);
    },
    endSessions,
    reconnectClients: (clientIds) => {
      reconnect(clientIds.flatMap(index.findSocketsOfClient));
      // Who has just come may be one of them, with a signature of before and the word of whose it is on its way.
      const longHere = new Set(sockets.olderThan(justNow));
      reconnect(sockets.olderThan(0).filter((id) => !longHere.has(id) && !index.isBound(id)));
    },
    reconnectAll: () => {
      peers.forgetAll();
      peers.sayHello();
      renewal.request();
    },
    receiveServerMessage: peers.receive,
    handleHttpApiRequest: (request) => {
      const response = handleHttpApiRequest(registry, request, Date.now());
      applyEffects(response.effects);
      return response;
    },
    counts: () => ({
      connections: sockets.count(),
      channels: registry.channels.size,
      users: registry.users.size,
      sessions: index.count(),
      servers: peers.count(),
    }),
    stop: async () => {
      isOpen = false;
      for (const timer of timers) clearInterval(timer);
      renewal.stop();
      const steps = Math.ceil(sockets.count() / intervals.batchSize);
      const pause = Math.min(intervals.drainTimeout / Math.max(steps, 1), intervals.batchEvery);
      for (let left = steps; left > 0 && sockets.count() > 0; left -= 1) {
        applyEffects(drainConnections(registry, 1 / left));
        if (left > 1) await new Promise((resolve) => setTimeout(resolve, pause));
      }
      peers.sayGoodbye();
    },
  };
}

/** Milliseconds. */
const justNow = 10_000;

import type { Server } from 'node:http';
import {
  type App,
  checkLiveness,
  createChannelRegistry,
  type HttpApiRequest,
  type HttpApiResponse,
  handleHttpApiRequest,
  type Limits,
  publishLocally,
} from '@keyturn/pusher-protocol';
import type { Channels } from '../../features/realtime/ports.ts';
import { acceptUpgrades } from './accept-upgrades.ts';
import { createSessionCheck, type SessionCheckOptions } from './check-sessions.ts';
import { type ChannelIntervals, defaultIntervals } from './intervals.ts';
import { createLocalConnections } from './local-connections.ts';
import { createPeerServers } from './peer-servers.ts';
import { createBatchedReconnect } from './reconnect-in-batches.ts';
import { createSessionIndex } from './session-index.ts';

export interface ChannelServerOptions extends Pick<SessionCheckOptions, 'findLiveSessions' | 'onError'> {
  app: App;
  limits?: Partial<Limits>;
  intervals?: Partial<ChannelIntervals>;
  clientEvents?: 'none' | 'members';
  /** The path prefix before `/app/…`. */
  path: string;
  /** Origins that browsers may connect from, in addition to the origin of the page that this server serves. */
  allowedOrigins: readonly string[];
  trustedProxies: number;
  /** Sends a message to every other server. */
  notifyServers(message: string): void;
}

/** The real-time channel of this server: WebSocket connections that use `packages/pusher-protocol`. */
export interface ChannelServer extends Channels {
  /** Accepts the WebSocket upgrades of an HTTP server. */
  attach(server: Server): void;
  /** Handles a message that another server sent with `notifyServers`. */
  receiveServerMessage(message: string): void;
  /** Handles a request to the signed HTTP API, through which holders of the secret publish events. */
  handleHttpApiRequest(request: HttpApiRequest): HttpApiResponse;
  /** Returns current totals. All except `servers` are 0 when no client is connected. */
  counts(): { connections: number; channels: number; users: number; sessions: number; servers: number };
  /** Rejects new connections and closes the existing ones in batches. */
  stop(): Promise<void>;
}

/** Creates the real-time channel of this server. It accepts no connections before `attach` is called. */
export function createChannelServer(options: ChannelServerOptions): ChannelServer {
  const intervals = { ...defaultIntervals, ...options.intervals };
  const registry = createChannelRegistry(options.app, {
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.clientEvents ? { clientEvents: options.clientEvents } : {}),
  });
  const sessions = createSessionIndex();
  const connections = createLocalConnections({
    registry,
    sessions,
    intervals,
    notifyServers: (message) => peers.sendMessage(message),
  });
  const { applyEffects, reconnect, endSessions } = connections;
  const peers = createPeerServers({
    ...intervals,
    registry,
    applyEffects,
    sendText: options.notifyServers,
    onBinding: connections.bind,
  });
  const checkSessions = createSessionCheck({ ...options, index: sessions, endSessions });
  const listConnections = () => connections.olderThan(0);
  const reconnection = createBatchedReconnect({ ...intervals, listConnections, reconnect });
  let acceptsConnections = true;
  const checkConnections = () => {
    applyEffects(checkLiveness(registry, performance.now()));
    connections.closeStale();
  };
  const timers = [
    setInterval(checkConnections, intervals.livenessCheckEvery),
    setInterval(() => void checkSessions(), intervals.sessionCheckEvery),
    setInterval(peers.heartbeat, intervals.heartbeatEvery),
  ];
  for (const timer of timers) timer.unref();

  return {
    attach: (server) => {
      acceptUpgrades(server, {
        ...options,
        ...intervals,
        registry,
        acceptsConnections: () => acceptsConnections,
        onConnection: connections.open,
      });
      peers.sayHello();
    },
    publish: ({ channel, event, data, except }) =>
      applyEffects(publishLocally(registry, { channels: [channel], event, data, except })),
    bind: (socketId, bound) => {
      if (connections.has(socketId)) connections.bind(socketId, bound);
      else peers.announceBinding(socketId, bound);
    },
    endSessions,
    reconnectClients: connections.reconnectClients,
    reconnectAll: () => {
      peers.forgetAll();
      peers.sayHello();
      reconnection.request();
    },
    receiveServerMessage: peers.receive,
    handleHttpApiRequest: (request) => {
      const response = handleHttpApiRequest(registry, request, Date.now());
      applyEffects(response.effects);
      return response;
    },
    counts: () => ({
      connections: connections.count(),
      channels: registry.channels.size,
      users: registry.users.size,
      sessions: sessions.count(),
      servers: peers.count(),
    }),
    stop: async () => {
      acceptsConnections = false;
      for (const timer of timers) clearInterval(timer);
      reconnection.stop();
      await connections.drain();
      peers.sayGoodbye();
    },
  };
}

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
import type { Channels } from '../../live/channels/ports.ts';
import { acceptUpgrades } from './accept-upgrades.ts';
import { createSessionCheck, type SessionCheckOptions } from './check-sessions.ts';
import { type ChannelIntervals, defaultIntervals } from './intervals.ts';
import { createLocalConnections } from './local-connections.ts';
import { createConnectionPacer } from './pace-connections.ts';
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
  /** Host names that connections may be opened to; empty: any. */
  allowedHosts: readonly string[];
  trustedProxies: number;
  /** Returns the lag of the event loop in milliseconds; clients reconnect more slowly while there is any. */
  lag?: () => number;
  /** Called when there are messages to send to every other server, in order: see `takeServerMessage`. */
  onServerMessages(): void;
  /** Called when a channel has its first subscriber on this server, or has lost its last one. */
  onOccupancy?: (channel: string, isOccupied: boolean) => void;
}

/** The real-time channel of this server: WebSocket connections that use `packages/pusher-protocol`. */
export interface ChannelServer extends Channels {
  /** Accepts the WebSocket upgrades of an HTTP server. */
  attach(server: Server): void;
  /** Removes and returns the next message for the other servers; undefined if there is none. */
  takeServerMessage(): string | undefined;
  /** Handles a message that another server has sent. */
  receiveServerMessage(message: string): void;
  /** Requests the messages that other servers sent while this server received none. */
  onMissedMessages(): void;
  /** Handles a request to the signed HTTP API, through which holders of the secret publish events. */
  handleHttpApiRequest(request: HttpApiRequest): HttpApiResponse;
  /** Returns current totals. All except `servers` are 0 when no client is connected. */
  counts(): { connections: number; channels: number; users: number; sessions: number; servers: number };
  /** Returns the number of connections that wait to be opened, because many arrived at the same time. */
  waiting(): number;
  /** Rejects new connections and closes the existing ones in batches. */
  stop(): Promise<void>;
}

/** Creates the real-time channel of this server. It accepts no connections before `attach` is called. */
export function createChannelServer(options: ChannelServerOptions): ChannelServer {
  const parts = createParts(options);
  const { registry, sessions, connections, peers, reconnection, pacer } = parts;
  const { applyEffects } = connections;
  const timers = startTimers(parts);
  let acceptsConnections = true;

  return {
    attach: (server) => {
      acceptUpgrades(server, {
        ...options,
        ...parts.intervals,
        registry,
        pacer,
        acceptsConnections: () => acceptsConnections,
        onConnection: connections.open,
      });
      peers.sayHello();
    },
    publish: ({ channel, event, data, except }) =>
      applyEffects(publishLocally(registry, { channels: [channel], event, data, except })),
    bind: (socketId, bound) => {
      if (connections.has(socketId)) return connections.bind(socketId, bound);
      peers.announceBinding(socketId, bound);
      return true;
    },
    endSessions: connections.endSessions,
    reconnectClients: connections.reconnectClients,
    onMissedMessages: peers.sayHello,
    reconnectAll: () => {
      peers.forgetAll();
      peers.sayHello();
      reconnection.request();
    },
    takeServerMessage: peers.takeText,
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
    waiting: () => pacer.waiting(),
    stop: async () => {
      acceptsConnections = false;
      pacer.stop();
      for (const timer of timers) clearInterval(timer);
      reconnection.stop();
      await connections.drain();
      peers.sayGoodbye();
    },
  };
}

type Parts = ReturnType<typeof createParts>;

/** Creates the parts of a channel server and connects them. */
function createParts(options: ChannelServerOptions) {
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
    requestState: (server) => peers.requestState(server),
    onApplied: () => peers.announceMembers(),
    onOccupancy: options.onOccupancy ?? (() => {}),
  });
  const { applyEffects, reconnect, endSessions } = connections;
  const peers = createPeerServers({
    ...intervals,
    registry,
    applyEffects,
    onText: options.onServerMessages,
    onBinding: connections.bindFromPeer,
    onLost: () => reconnection.request(),
  });
  const checkSessions = createSessionCheck({ ...options, index: sessions, endSessions });
  const listConnections = () => connections.olderThan(0);
  const reconnection = createBatchedReconnect({
    ...intervals,
    listConnections,
    reconnect,
    ...(options.lag ? { lag: options.lag } : {}),
  });
  const pacer = createConnectionPacer(intervals);
  return { intervals, registry, sessions, connections, peers, checkSessions, reconnection, pacer };
}

function startTimers({ intervals, registry, connections, peers, checkSessions }: Parts): NodeJS.Timeout[] {
  const checkConnections = () => {
    connections.applyEffects(checkLiveness(registry, performance.now()));
    connections.closeStale();
  };
  const timers = [
    setInterval(checkConnections, intervals.livenessCheckEvery),
    setInterval(() => void checkSessions(), intervals.sessionCheckEvery),
    setInterval(peers.announceSizes, intervals.announceSizesEvery),
    setInterval(peers.heartbeat, intervals.heartbeatEvery),
  ];
  for (const timer of timers) timer.unref();
  return timers;
}

import { createHmac } from 'node:crypto';
import type { App } from '@keyturn/pusher-protocol';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { createListener } from '../adapters/postgres/listen.ts';
import { createServerBus, serverBusChannel } from '../adapters/postgres/server-bus.ts';
import { createPusherBroadcaster } from '../adapters/pusher/create-pusher-broadcaster.ts';
import { createChannelServer } from '../adapters/websocket/create-channel-server.ts';
import { type AuthDependencies, broadcastingRoutes } from '../features/realtime/auth-routes.ts';
import { channelApiRoutes } from '../features/realtime/channel-api-routes.ts';
import { createEventDelivery } from '../features/realtime/deliver-events.ts';
import { deleteEventsBefore, findLiveSessions } from '../features/realtime/events-store.ts';
import { forwardEvents } from '../features/realtime/forward-events.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Settings } from '../settings/read-settings.ts';

export interface RealtimeOptions {
  settings: Settings;
  /** The installation's own. */
  secret: string;
  database: Database;
  databaseUrl: string;
  pool: pg.Pool;
  clock: Clock;
  authenticate: AuthDependencies['authenticate'];
  onError(error: unknown): void;
}

/** The real-time channel as the settings want it. */
export interface Realtime {
  /** What browsers connect with; null: there is no channel. */
  key: string | null;
  /** Routes beside those of the API. */
  routes: ((server: FastifyInstance) => Promise<void>)[];
  /** Of this server, since it started. */
  counts(): { connections: number; published: number };
  start(server: FastifyInstance): Promise<void>;
  /** Sends the connections away, a part at a time. */
  stop(): Promise<void>;
}

export function composeRealtime(options: RealtimeOptions): Realtime {
  const { server } = options.settings.realtime;
  if (server === 'off') {
    return { key: null, routes: [], counts: noCounts, start: async () => {}, stop: async () => {} };
  }
  return server === 'embedded' ? composeEmbedded(options) : composeOutside(options);
}

/** Where the dashboard connects to beside its own origin, as its policy has to say. */
export function outsideSockets({ broadcaster, host, port, scheme, cluster }: Settings['realtime']): string[] {
  if (host !== null)
    return [`${scheme === 'https' ? 'wss' : 'ws'}://${host}${port === null ? '' : `:${port}`}`];
  return broadcaster === 'pusher' && cluster !== null ? [`wss://ws-${cluster}.pusher.com`] : [];
}

/** This server holds the connections. */
function composeEmbedded(options: RealtimeOptions): Realtime {
  const { settings, database, pool, clock, onError } = options;
  const { realtime, session } = settings;
  const app = appOf(options);
  const words = createServerBus(pool, onError);
  const channels = createChannelServer({
    app,
    path: realtime.path,
    allowedOrigins: originsOf(settings),
    trustedProxies: settings.trustedProxies,
    notifyServers: words.tell,
    findLiveSessions: async (hashes) => {
      const live = await findLiveSessions(database, { hashes, now: clock(), idleAfter: session.idleAfter });
      return new Map([...live].map(([hash, end]) => [hash, end.getTime()]));
    },
    onError,
  });
  let published = 0;
  const deliver = createEventDelivery({
    database,
    channels: {
      ...channels,
      publish: (event) => {
        published += 1;
        channels.publish(event);
      },
    },
    namespace: realtime.namespace,
    onError,
  });
  let heard: Promise<void> = Promise.resolve();
  const listener = createListener({
    url: options.databaseUrl,
    channels: [eventsChannel, serverBusChannel],
    onNotification: (channel, payload) => {
      if (channel === eventsChannel) return deliver(payload);
      // In the order in which they were said, also where one has to be fetched.
      const read = words.read(payload).catch((error: unknown) => {
        onError(error);
        return null;
      });
      heard = heard
        .then(async () => {
          const said = await read;
          if (said === null) channels.reconnectAll();
          else for (const word of said) channels.receiveServerMessage(word);
        })
        // One word that goes wrong does not keep all later ones from being heard.
        .catch(onError);
    },
    onGap: channels.reconnectAll,
    onError,
  });
  const sweeping = sweepNowAndThen(database, onError, words.sweep);
  return {
    key: app.key,
    routes: [authRoutes(options, app, channels), channelApiRoutes(channels.handleHttpApiRequest)],
    counts: () => ({ connections: channels.counts().connections, published }),
    start: async (server) => {
      await listener.start();
      channels.attach(server.server);
      sweeping.start();
    },
    stop: async () => {
      sweeping.stop();
      await channels.stop();
      await words.finish();
      await listener.stop();
    },
  };
}

/** Another server holds the connections, and takes what is to be told by its HTTP API. */
function composeOutside(options: RealtimeOptions): Realtime {
  const { database, onError } = options;
  const { realtime } = options.settings;
  const app = appOf(options);
  const broadcaster = createPusherBroadcaster({ ...realtime, ...app, appId: app.id });
  let isSending = false;
  let isAsked = false;
  const send = async () => {
    isAsked = true;
    if (isSending) return;
    isSending = true;
    try {
      while (isAsked) {
        isAsked = false;
        while (await forwardEvents({ database, broadcaster, namespace: realtime.namespace }));
      }
    } catch (error) {
      onError(error);
    } finally {
      isSending = false;
    }
  };
  const listener = createListener({
    url: options.databaseUrl,
    channels: [eventsChannel],
    onNotification: () => void send(),
    onGap: () => void send(),
    onError,
  });
  let retrying: NodeJS.Timeout | undefined;
  const sweeping = sweepNowAndThen(database, onError, async () => {});
  return {
    key: app.key,
    routes: [authRoutes(options, app, { bind: () => {} })],
    counts: noCounts,
    start: async () => {
      await listener.start();
      retrying = setInterval(() => void send(), retryEvery);
      sweeping.start();
    },
    stop: async () => {
      clearInterval(retrying);
      sweeping.stop();
      await listener.stop();
    },
  };
}

/** Where another server has the connections, it has the figures as well. */
const noCounts = () => ({ connections: 0, published: 0 });

function authRoutes(
  { settings, database, authenticate }: RealtimeOptions,
  app: App,
  channels: AuthDependencies['channels'],
) {
  const { realtime, persistedState } = settings;
  return broadcastingRoutes({
    database,
    app,
    channels,
    authenticate,
    paths: { channel: realtime.authEndpoint, user: realtime.userAuthEndpoint },
    authCookie: persistedState.storage === 'cookie' ? `${persistedState.prefix}auth` : null,
    allowedOrigins: originsOf(settings),
  });
}

/** The installation's own key and secret, unless told otherwise; every server of it has the same. */
function appOf({ settings: { realtime }, secret }: RealtimeOptions): App {
  const derived = (use: string) => createHmac('sha256', secret).update(`realtime ${use}`).digest('hex');
  return {
    id: realtime.appId ?? 'keyturn',
    key: realtime.key ?? derived('key').slice(0, 20),
    secret: realtime.secret ?? derived('secret'),
  };
}

function originsOf({ realtime, allowedOrigins, publicUrl }: Settings): string[] {
  return [...realtime.allowedOrigins, ...allowedOrigins, ...(publicUrl ? [new URL(publicUrl).origin] : [])];
}

/** What was told an hour ago is nobody's news. */
function sweepNowAndThen(
  database: Database,
  onError: (error: unknown) => void,
  sweepMore: () => Promise<void>,
) {
  let timer: NodeJS.Timeout | undefined;
  const sweep = () => {
    deleteEventsBefore(database, new Date(Date.now() - keptFor))
      .then(sweepMore)
      .catch(onError);
  };
  return {
    start: () => {
      timer = setInterval(sweep, sweepEvery);
    },
    stop: () => clearInterval(timer),
  };
}

/** Migration 12 tells of each transaction here. */
const eventsChannel = 'keyturn_broadcast';

/** Milliseconds. */
const retryEvery = 5_000;
const keptFor = 3_600_000;
const sweepEvery = 600_000;

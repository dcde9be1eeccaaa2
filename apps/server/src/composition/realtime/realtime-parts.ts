import { createHmac } from 'node:crypto';
import { deskChannel } from '@keyturn/contract/staff';
import { type App, authoriseChannel } from '@keyturn/pusher-protocol';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { createRateLimiter } from '../../adapters/limits/rate-limiters.ts';
import { type AuthDependencies, broadcastingRoutes } from '../../doors/client/authorise-channels.ts';
import type { DeskChannel } from '../../doors/staff/channel/ports.ts';
import type { SignedRequests } from '../../http/answer-signed-requests.ts';
import { deleteOldBroadcasts } from '../../live/channels/events-store.ts';
import type { NetworkState } from '../../live/channels/ports.ts';
import { createReturningClients } from '../../live/channels/returning-clients.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Settings } from '../../settings/read-settings.ts';
import type { RealtimeSettings } from '../../settings/realtime-settings.ts';
import { ownOrigin } from '../own-origin.ts';

export interface RealtimeOptions {
  settings: Settings;
  /** The installation's secret. */
  secret: string;
  database: Database;
  databaseUrl: string;
  pool: pg.Pool;
  clock: Clock;
  authenticate: AuthDependencies['authenticate'];
  onError(error: unknown): void;
  /** Returns the lag of the event loop in milliseconds. */
  lag(): number;
}

/** The real-time channel that the settings configure. */
export interface Realtime {
  /** The public key that browsers connect with; null: there is no channel. */
  key: string | null;
  /** The desk’s channel; null: there is none. */
  desk: DeskChannel | null;
  /** Routes outside `/api`. */
  routes: ((server: FastifyInstance) => Promise<void>)[];
  /** The signed HTTP API; undefined unless this server is the channel. */
  signedRequests?: SignedRequests;
  /** Connections of this server, events that it has published since it started, and the state of its network. */
  counts(): { connections: number; published: number; network: NetworkState };
  start(server: FastifyInstance): Promise<void>;
  /** Closes the connections in batches. */
  stop(): Promise<void>;
}

/** Returns the limits of the embedded server. Browsers use the shorter of its activity timeout and their own. */
export const limitsOfChannel = ({ limits, activityTimeout }: RealtimeSettings) => ({
  ...limits,
  activityTimeout,
});

/** Returns the channel's credentials; by default derived from the installation's secret, the same on every server. */
export function readApp({ settings: { realtime }, secret }: RealtimeOptions): App {
  const derive = (use: string) => createHmac('sha256', secret).update(`realtime ${use}`).digest('hex');
  return {
    id: realtime.appId ?? 'keyturn',
    key: realtime.key ?? derive('key').slice(0, 20),
    secret: realtime.secret ?? derive('secret'),
  };
}

/** Lists the origins from which browsers may connect to the channel. */
export function channelOrigins({ realtime, allowedOrigins, publicUrl }: Settings): string[] {
  return [...realtime.allowedOrigins, ...allowedOrigins, ...(publicUrl ? [new URL(publicUrl).origin] : [])];
}

/**
 * Creates the routes that authorise a client to subscribe to a channel.
 * @param waiting the number of connections that wait to be opened
 */
export function authRoutes(
  { settings, authenticate }: RealtimeOptions,
  app: App,
  channels: AuthDependencies['channels'],
  waiting?: () => number,
) {
  const { realtime } = settings;
  return broadcastingRoutes({
    app,
    channels,
    authenticate,
    countRequest: createRateLimiter(authorisationLimit),
    paths: { channel: realtime.authEndpoint, user: realtime.userAuthEndpoint },
    cookies: ownOrigin(settings),
    refetchWithin: createReturningClients(waiting ? { waiting } : {}),
  });
}

/**
 * Creates the desk’s channel. Staff sessions authorise no other channel, and client sessions never authorise this
 * one.
 */
export function createDeskChannel(app: App, channels: AuthDependencies['channels']): DeskChannel {
  const refetchWithin = createReturningClients();
  return {
    authorise: async (socketId, { id, sessionHash }) => {
      if (!channels.bind(socketId, { session: sessionHash.toString('hex'), clientId: id })) return null;
      const body = JSON.stringify({ socket_id: socketId, channel_name: deskChannel });
      const signed = await authoriseChannel(app, { contentType: 'application/json', text: body }, () => true);
      return { auth: JSON.parse(signed.body).auth, refetchWithin: refetchWithin() };
    },
  };
}

/** Allows ten tabs with all their channels to reconnect twice at the same time. Window in milliseconds. */
const authorisationLimit = { requests: 120, window: 10_000 };

/**
 * Deletes stored events once they are an hour old, every ten minutes.
 * @param cleanUpFurther runs after each deletion
 */
export function createEventCleanup(
  { database, onError }: RealtimeOptions,
  cleanUpFurther: () => Promise<void> = async () => {},
) {
  let timer: NodeJS.Timeout | undefined;
  const cleanUp = () => {
    deleteOldBroadcasts(database, eventLifetime).then(cleanUpFurther).catch(onError);
  };
  return {
    start: () => {
      timer = setInterval(cleanUp, cleanUpInterval);
    },
    stop: () => clearInterval(timer),
  };
}

/** The state without a network between servers: events go to an external server, or nowhere. */
export const noNetwork: NetworkState = { received: 0, redis: null };

/** The notification channel on which `broadcast_all` names each transaction with events. */
export const transactionsChannel = 'keyturn_broadcast';
/** The notification channel on which `notify_of_events` sends the events of each transaction, if they are short. */
export const eventsChannel = 'keyturn_events';

/** Milliseconds. */
const eventLifetime = 3_600_000;
const cleanUpInterval = 600_000;

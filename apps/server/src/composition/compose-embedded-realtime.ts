import { createListener } from '../adapters/postgres/listen.ts';
import { createServerBus, type ServerBus, serverBusChannel } from '../adapters/postgres/server-bus.ts';
import { findClientAddress } from '../adapters/websocket/client-address.ts';
import { createChannelServer } from '../adapters/websocket/create-channel-server.ts';
import { channelApi } from '../features/realtime/channel-api.ts';
import { createEventDelivery } from '../features/realtime/deliver-events.ts';
import { findLiveSessions } from '../features/realtime/events-store.ts';
import { staffIdleAfter } from '../features/staff/sign-in/staff-sessions.ts';
import {
  authRoutes,
  channelOrigins,
  createDeskChannel,
  createEventCleanup,
  eventsChannel,
  type Realtime,
  type RealtimeOptions,
  readApp,
} from './realtime-parts.ts';

type ChannelServer = ReturnType<typeof createChannelServer>;

/** Composes the channel with the connections on this server. */
export function composeEmbeddedRealtime(options: RealtimeOptions): Realtime {
  const { settings, database, pool, clock, onError } = options;
  const { realtime, session } = settings;
  const app = readApp(options);
  const channels = createChannelServer({
    app,
    path: realtime.path,
    allowedOrigins: channelOrigins(settings),
    trustedProxies: settings.trustedProxies,
    limits: realtime.limits,
    lag: options.lag,
    onServerMessages: () => bus.wake(),
    findLiveSessions: async (hashes) => {
      const { idleAfter } = session;
      const live = await findLiveSessions(database, { hashes, now: clock(), idleAfter, staffIdleAfter });
      return new Map([...live].map(([hash, end]) => [hash, end.getTime()]));
    },
    onError,
  });
  const bus = createServerBus({ pool, take: channels.takeServerMessage, onError });
  let published = 0;
  const delivery = createEventDelivery({
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
  const receive = createBusReceiver(bus, channels, onError);
  const listener = createListener({
    url: options.databaseUrl,
    channels: [eventsChannel, serverBusChannel],
    onNotification: (channel, payload) =>
      channel === eventsChannel ? delivery.deliver(payload) : receive(payload),
    onCheck: delivery.onCheck,
    onGap: delivery.replay,
    onError,
  });
  const cleanup = createEventCleanup(options, bus.deleteOldMessages);
  return {
    key: app.key,
    desk: createDeskChannel(app, channels),
    routes: [authRoutes(options, app, channels, channels.waiting)],
    signedRequests: {
      prefix: '/apps/',
      answer: channelApi(channels.handleHttpApiRequest),
      addressOf: (request) => findClientAddress(request, settings.trustedProxies),
    },
    counts: () => ({ connections: channels.counts().connections, published }),
    start: async (server) => {
      await listener.start();
      channels.attach(server.server);
      cleanup.start();
    },
    stop: async () => {
      cleanup.stop();
      await channels.stop();
      await bus.flush();
      await listener.stop();
    },
  };
}

/** Passes on messages of other servers in the order of their notifications, even if one has to be fetched first. */
function createBusReceiver(bus: ServerBus, channels: ChannelServer, onError: (error: unknown) => void) {
  let lastReceived: Promise<void> = Promise.resolve();
  return (payload: string) => {
    const reading = bus.read(payload).catch((error: unknown) => {
      onError(error);
      return null;
    });
    lastReceived = lastReceived
      .then(async () => {
        const messages = await reading;
        if (messages === null) channels.reconnectAll();
        else for (const message of messages) channels.receiveServerMessage(message);
      })
      // One message that fails must not block the later ones.
      .catch(onError);
  };
}

import { findClientAddress } from '../../adapters/websocket/client-address.ts';
import { createChannelServer } from '../../adapters/websocket/create-channel-server.ts';
import { channelApi } from '../../live/channels/channel-api.ts';
import { createEventDelivery } from '../../live/channels/deliver-events.ts';
import { findLiveSessions } from '../../live/channels/events-store.ts';
import { createServerBus, readMessages } from '../../live/channels/server-bus.ts';
import { staffIdleAfter } from '../../people/staff/sign-in/staff-sessions.ts';
import { composeServerNetwork } from './compose-server-network.ts';
import {
  authRoutes,
  channelOrigins,
  createDeskChannel,
  createEventCleanup,
  limitsOfChannel,
  type Realtime,
  type RealtimeOptions,
  readApp,
} from './realtime-parts.ts';

/** Composes the channel with the connections on this server. */
export function composeEmbeddedRealtime(options: RealtimeOptions): Realtime {
  const { settings, database, clock, onError } = options;
  const { realtime, session } = settings;
  const app = readApp(options);
  const channels = createChannelServer({
    app,
    path: realtime.path,
    allowedOrigins: channelOrigins(settings),
    allowedHosts: settings.security.allowedHosts,
    trustedProxies: settings.trustedProxies,
    limits: limitsOfChannel(realtime),
    lag: options.lag,
    onServerMessages: () => bus.wake(),
    onOccupancy: (channel, isOccupied) => {
      if (carriesEvents(channel)) network.follow(channel, isOccupied);
    },
    findLiveSessions: async (hashes) => {
      const { idleAfter } = session;
      const live = await findLiveSessions(database, { hashes, now: clock(), idleAfter, staffIdleAfter });
      return new Map([...live].map(([hash, end]) => [hash, end.getTime()]));
    },
    onError,
  });
  let published = 0;
  const events = createEventDelivery({
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
  const network = composeServerNetwork(options, {
    events,
    onText: (text) => {
      if (text === null) channels.reconnectAll();
      else for (const message of readMessages(text)) channels.receiveServerMessage(message);
    },
    onMissedTexts: channels.onMissedMessages,
    onError,
  });
  const bus = createServerBus({ network, take: channels.takeServerMessage, onError });
  const cleanup = createEventCleanup(options, network.deleteOldTexts);
  let isStopped = false;
  return {
    key: app.key,
    desk: createDeskChannel(app, channels),
    routes: [authRoutes(options, app, channels, channels.waiting)],
    signedRequests: {
      prefix: '/apps/',
      answer: channelApi(channels.handleHttpApiRequest),
      addressOf: (request) => findClientAddress(request, settings.trustedProxies),
    },
    counts: () => ({ connections: channels.counts().connections, published, network: network.state() }),
    start: async (server) => {
      await network.start();
      // A stop ends the wait for the network.
      if (isStopped) return;
      channels.attach(server.server);
      cleanup.start();
    },
    stop: async () => {
      isStopped = true;
      cleanup.stop();
      await channels.stop();
      await bus.flush();
      await network.stop();
    },
  };
}

/**
 * Whether the database sends events on a channel. Any connection may subscribe to any other public channel, so such
 * subscriptions must have no effect outside this server.
 */
const carriesEvents = (channel: string): boolean => channel === 'status' || channel.startsWith('private-');

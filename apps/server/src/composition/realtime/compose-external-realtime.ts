import { createListener } from '../../adapters/postgres/listen.ts';
import { createPusherBroadcaster } from '../../adapters/pusher/create-pusher-broadcaster.ts';
import { forwardEvents } from '../../live/channels/forward-events.ts';
import {
  authRoutes,
  createDeskChannel,
  createEventCleanup,
  noNetwork,
  type Realtime,
  type RealtimeOptions,
  readApp,
  transactionsChannel,
} from './realtime-parts.ts';

/** Composes the channel with the connections on an external server, which receives the events by Pusher's HTTP API. */
export function composeExternalRealtime(options: RealtimeOptions): Realtime {
  const { database, onError } = options;
  const { realtime } = options.settings;
  const app = readApp(options);
  const broadcaster = createPusherBroadcaster({ ...realtime, ...app, appId: app.id });
  const forward = runOneAtATime(async () => {
    while (await forwardEvents({ database, broadcaster, namespace: realtime.namespace }));
  }, onError);
  const listener = createListener({
    url: options.databaseUrl,
    channels: [transactionsChannel],
    onNotification: forward,
    onGap: forward,
    onError,
  });
  let retrying: NodeJS.Timeout | undefined;
  const cleanup = createEventCleanup(options);
  return {
    key: app.key,
    desk: createDeskChannel(app, { bind: () => true }),
    routes: [authRoutes(options, app, { bind: () => true })],
    // The external server has its own metrics.
    counts: () => ({ connections: 0, published: 0, network: noNetwork }),
    start: async () => {
      retrying = setInterval(forward, retryInterval);
      cleanup.start();
      await listener.start();
    },
    stop: async () => {
      clearInterval(retrying);
      cleanup.stop();
      await listener.stop();
    },
  };
}

/** Serialises calls of `work`: calls during a run cause a single further run after it. */
function runOneAtATime(work: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isRunning = false;
  let isRequested = false;
  const run = async () => {
    isRequested = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isRequested) {
        isRequested = false;
        await work();
      }
    } catch (error) {
      onError(error);
    } finally {
      isRunning = false;
    }
  };
  return () => void run();
}

/** The interval, in milliseconds, between attempts to send waiting events. */
const retryInterval = 5_000;

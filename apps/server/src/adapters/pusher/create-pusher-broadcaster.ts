import Pusher from 'pusher';
import type { ExternalBroadcaster } from '../../features/realtime/ports.ts';

export interface PusherOptions {
  appId: string;
  key: string;
  secret: string;
  /** Null: Pusher's own service, in `cluster`. */
  host: string | null;
  port: number | null;
  scheme: 'https' | 'http';
  cluster: string | null;
}

/** Reverb, soketi, or Pusher's own service: whoever speaks Pusher's HTTP API. */
export function createPusherBroadcaster(options: PusherOptions): ExternalBroadcaster {
  const { appId, key, secret, host, port, scheme, cluster } = options;
  const common = { appId, key, secret, useTLS: scheme === 'https', timeout: 5_000 };
  const pusher = host
    ? new Pusher({ ...common, host, ...(port === null ? {} : { port: String(port) }) })
    : new Pusher({ ...common, cluster: cluster ?? '' });
  return {
    send: async (events) => {
      for (let from = 0; from < events.length; from += batch) {
        await pusher.triggerBatch(
          events.slice(from, from + batch).map(({ channel, event, data, except }) => ({
            channel,
            name: event,
            data,
            ...(except === null ? {} : { socket_id: except }),
          })),
        );
      }
    },
    disconnectClient: async (clientId) => {
      try {
        await pusher.terminateUserConnections(clientId);
      } catch (error) {
        // Nobody of that id, or a server that cannot do it: to ask again would send every event again with it.
        if ((error as { status?: unknown }).status !== 404) throw error;
      }
    },
  };
}

/** Events in one request, at most. */
const batch = 10;

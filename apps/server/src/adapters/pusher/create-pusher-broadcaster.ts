import Pusher from 'pusher';
import type { ExternalBroadcaster } from '../../live/channels/ports.ts';

export interface PusherOptions {
  appId: string;
  key: string;
  secret: string;
  /** Null for Pusher's own service in `cluster`. */
  host: string | null;
  port: number | null;
  scheme: 'https' | 'http';
  cluster: string | null;
}

/** Creates a broadcaster for any server with Pusher's HTTP API: Reverb, soketi, or Pusher's own service. */
export function createPusherBroadcaster(options: PusherOptions): ExternalBroadcaster {
  const { appId, key, secret, host, port, scheme, cluster } = options;
  const common = { appId, key, secret, useTLS: scheme === 'https', timeout: 5_000 };
  const pusher = host
    ? new Pusher({ ...common, host, ...(port === null ? {} : { port: String(port) }) })
    : new Pusher({ ...common, cluster: cluster ?? '' });
  return {
    send: async (events) => {
      for (let start = 0; start < events.length; start += maxBatchSize) {
        await pusher.triggerBatch(
          events.slice(start, start + maxBatchSize).map(({ channel, event, data, except }) => ({
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
        // The user is not connected, or the server lacks this call. A retry would send all events of the batch again.
        if ((error as { status?: unknown }).status !== 404) throw error;
      }
    },
  };
}

/** Maximum events of one request. */
const maxBatchSize = 10;

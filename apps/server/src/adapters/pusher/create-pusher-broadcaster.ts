import Pusher from 'pusher';
import type { ExternalBroadcaster } from '../../live/channels/ports.ts';
import { describeError } from '../../platform/describe-error.ts';

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
  const server = `${host ?? `api-${cluster}.pusher.com`}:${port ?? (scheme === 'https' ? 443 : 80)}`;
  return {
    send: async (events) => {
      for (let start = 0; start < events.length; start += maxBatchSize) {
        await pusher
          .triggerBatch(
            events.slice(start, start + maxBatchSize).map(({ channel, event, data, except }) => ({
              channel,
              name: event,
              data,
              ...(except === null ? {} : { socket_id: except }),
            })),
          )
          .catch(nameServer(server));
      }
    },
    disconnectClient: async (clientId) => {
      try {
        await pusher.terminateUserConnections(clientId).catch(nameServer(server));
      } catch (error) {
        // The user is not connected, or the server lacks this call. A retry would send all events of the batch again.
        if ((error as { status?: unknown }).status !== 404) throw error;
      }
    },
  };
}

/** Names the server instead of the library’s URL, which has the key and a signature. */
const nameServer = (server: string) => (failure: unknown) => {
  const { status, error = failure } = failure as { status?: number; error?: unknown };
  const { type, message } = describeError(error);
  const fault = type === 'AbortError' ? 'no answer in time' : message.replace(/^request to \S+ /, 'request ');
  const reason = status === undefined ? `cannot be reached: ${fault}` : `answered ${status}`;
  throw Object.assign(new Error(`the channel server at ${server} ${reason}`), { status });
};

/** Maximum events of one request. */
const maxBatchSize = 10;

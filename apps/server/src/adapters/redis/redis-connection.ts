import { createClient } from '@redis/client';
import { describeError, hostAndPort } from '../../platform/describe-error.ts';

export type RedisClient = ReturnType<typeof openClient>;

export interface RedisConnection {
  start(): void;
  /** The connected client; undefined while there is none. */
  client(): RedisClient | undefined;
  /** Replaces the connection, because it does not work as expected. */
  replace(error: unknown): void;
  stop(): void;
}

export interface RedisConnectionOptions {
  /** `redis://` or `rediss://`, which verifies the server’s certificate. */
  url: string;
  /** Prepares a new connection. It counts as connected once this has resolved, and is closed if it fails. */
  prepare(client: RedisClient): Promise<void>;
  onConnected(client: RedisClient): void;
  /** Called when a connection has broken, or could not be prepared. */
  onLost(): void;
  onError(error: unknown): void;
  /** Milliseconds between two attempts to connect. */
  retryAfter?: number;
}

/** Keeps one connection to Redis, and replaces it whenever it breaks. Redis need not be available at the start. */
export function createRedisConnection(options: RedisConnectionOptions): RedisConnection {
  const { url, prepare, onConnected, onLost, onError, retryAfter = 1_000 } = options;
  const host = hostAndPort(url);
  let closeLatest = (_error: unknown) => {};
  let connected: RedisClient | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;
  let wasReported = false;

  /** Reports only the first of several failed attempts. */
  const report = (error: unknown) => {
    if (!wasReported) onError(new Error(`Redis at ${host} is unavailable: ${describeError(error).message}`));
    wasReported = true;
  };
  const connect = async () => {
    const client = openClient(url);
    let isLost = false;
    const lose = (error: unknown) => {
      if (isLost) return;
      isLost = true;
      client.destroy();
      connected = undefined;
      onLost();
      if (isStopped) return;
      report(error);
      retry = setTimeout(() => void connect(), retryAfter);
    };
    closeLatest = lose;
    client.on('error', lose);
    try {
      await client.connect();
      await prepare(client);
      if (isLost) return;
      connected = client;
      wasReported = false;
      onConnected(client);
    } catch (error) {
      lose(error);
    }
  };
  return {
    start: () => void connect(),
    client: () => connected,
    replace: (error) => closeLatest(error),
    stop: () => {
      isStopped = true;
      clearTimeout(retry);
      closeLatest(new Error('the server stops'));
    },
  };
}

function openClient(url: string) {
  return createClient({
    url,
    name: 'keyturn',
    // Messages and commands share a connection, so that both are known to have been lost together.
    RESP: 3,
    disableOfflineQueue: true,
    commandsQueueMaxLength: 50_000,
    pingInterval: 2_000,
    maintNotifications: 'disabled',
    // A silently lost connection receives no answer to the ping.
    socket: { reconnectStrategy: false, connectTimeout: 5_000, socketTimeout: 5_000 },
  });
}

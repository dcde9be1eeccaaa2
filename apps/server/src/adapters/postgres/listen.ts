import pg from 'pg';
import type { DatabasePosition } from '../../live/channels/ports.ts';
import { StartFault } from '../../platform/start-fault.ts';
import { nameServer } from './check-connection.ts';
import { readPosition } from './read-position.ts';

export interface Listener {
  /**
   * Resolves once the connection receives notifications, or the listener is stopped.
   * @throws StartFault if the first connection cannot be opened in time
   */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ListenerOptions {
  url: string;
  channels: readonly string[];
  /** The name of the connection in PostgreSQL’s list; `keyturn listen` by default. */
  name?: string;
  onNotification(channel: string, payload: string): void;
  /**
   * Called with the result of each check of the connection, and of one before notifications are expected: those of all
   * transactions that had finished by the previous check have arrived.
   */
  onCheck?(position: DatabasePosition): void;
  /** Called when the connection is back after a gap: notifications sent meanwhile are lost. */
  onGap(position: DatabasePosition): void;
  onError(error: Error): void;
  /** Milliseconds between two attempts to connect. */
  retryAfter?: number;
  /** Milliseconds between two health checks of the connection. */
  checkEvery?: number;
  /** The time limit of a health check in milliseconds; `checkEvery` by default. */
  checkTimeout?: number;
  /** Milliseconds for opening the connection, and for each query on it. */
  timeout?: number;
  /** Milliseconds after which `start` stops trying to open the first connection. */
  startTimeout?: number;
}

/** Receives PostgreSQL's notifications on a dedicated connection, which is reopened whenever it breaks. */
export function createListener(options: ListenerOptions): Listener {
  const { retryAfter = 500, checkEvery = 10_000, startTimeout = 30_000 } = options;
  let client: pg.Client | undefined;
  let endPause = () => {};
  let isStopped = false;
  let hasListened = false;

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, retryAfter);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const connect = async (): Promise<void> => {
    const startedAt = performance.now();
    while (!isStopped) {
      const next = createClient(options);
      const passOn = holdNotifications(next, options.onNotification);
      client = next;
      try {
        const { ended, position } = await listen(next, { ...options, checkEvery });
        if (isStopped) break;
        if (hasListened) options.onGap(position);
        else options.onCheck?.(position);
        hasListened = true;
        passOn();
        void ended.then((error) => {
          if (isStopped) return;
          options.onError(nameServer(next, error));
          void connect();
        });
        return;
      } catch (error) {
        destroyConnection(next);
        if (isStopped) break;
        if (!hasListened && performance.now() - startedAt >= startTimeout)
          throw new StartFault(startFaultMessage(options, error));
        options.onError(nameServer(next, error));
        await pause();
      }
    }
  };

  return {
    start: connect,
    stop: async () => {
      isStopped = true;
      endPause();
      if (client) destroyConnection(client);
    },
  };
}

const startFaultMessage = ({ name = defaultName }: ListenerOptions, error: unknown): string =>
  `The connection "${name}" to the database could not be opened (${error instanceof Error ? error.message : error}). A server needs KEYTURN_DATABASE_CONNECTIONS connections and two that listen: raise max_connections of PostgreSQL or default_pool_size of PgBouncer, or lower KEYTURN_DATABASE_CONNECTIONS.`;

const defaultName = 'keyturn listen';

function createClient({ url, name = defaultName, timeout = 5_000 }: ListenerOptions): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
    keepAlive: true,
  });
}

/**
 * Buffers a connection's notifications until the lost ones have been handled.
 * @returns a function that passes on the buffered notifications, and later ones immediately
 */
function holdNotifications(client: pg.Client, onNotification: ListenerOptions['onNotification']): () => void {
  let held: [channel: string, payload: string][] | null = [];
  client.on('notification', ({ channel, payload = '' }) => {
    if (held) held.push([channel, payload]);
    else onNotification(channel, payload);
  });
  return () => {
    const waiting = held ?? [];
    held = null;
    for (const [channel, payload] of waiting) onNotification(channel, payload);
  };
}

/**
 * Connects and listens. A connection can break silently, which a connection that only listens would never notice, so
 * it is checked with a query from time to time.
 * @returns once it listens, a promise that resolves when the connection has ended
 * @throws if the connection cannot be opened
 */
async function listen(
  client: pg.Client,
  { channels, onCheck, checkEvery, checkTimeout = checkEvery }: ListenerOptions & { checkEvery: number },
): Promise<{ ended: Promise<Error>; position: DatabasePosition }> {
  const ended = new Promise<Error>((resolve) => {
    client.on('error', resolve);
    client.on('end', () => resolve(new Error('the listening connection has ended')));
  });
  await client.connect();
  for (const channel of channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  const position = await readPosition(client);
  let checkedAt: number | null = null;
  const checking = setInterval(() => {
    if (checkedAt !== null) {
      // Timers may fire a millisecond early.
      if (performance.now() - checkedAt > checkTimeout - 2) destroyConnection(client);
      return;
    }
    checkedAt = performance.now();
    readPosition(client).then(
      (checked) => {
        checkedAt = null;
        onCheck?.(checked);
      },
      () => {},
    );
  }, checkEvery);
  checking.unref();
  return {
    position,
    ended: ended.finally(() => {
      clearInterval(checking);
      destroyConnection(client);
    }),
  };
}

/** Closes the socket without a terminate message, which a broken connection would never deliver. */
function destroyConnection(client: pg.Client): void {
  client.on('error', () => {});
  // The type definitions lack the connection's stream.
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

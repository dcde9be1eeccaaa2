import pg from 'pg';

export interface Listener {
  /** Resolves once the connection receives notifications, or the listener is stopped. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ListenerOptions {
  url: string;
  channels: readonly string[];
  onNotification(channel: string, payload: string): void;
  /** Called when the connection is back after a gap: notifications sent meanwhile are lost. */
  onGap(): void;
  onError(error: Error): void;
  /** Milliseconds between two attempts to connect. */
  retryAfter?: number;
  /** Milliseconds between two health checks of the connection, and the time limit of each. */
  checkEvery?: number;
  /** Milliseconds for opening the connection, and for each query on it. */
  timeout?: number;
}

/** Receives PostgreSQL's notifications on a dedicated connection, which is reopened whenever it breaks. */
export function createListener(options: ListenerOptions): Listener {
  const { retryAfter = 500, checkEvery = 10_000 } = options;
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
    while (!isStopped) {
      const next = createClient(options);
      client = next;
      try {
        const { ended } = await listen(next, options, checkEvery);
        if (isStopped) break;
        if (hasListened) options.onGap();
        hasListened = true;
        void ended.then((error) => {
          if (isStopped) return;
          options.onError(error);
          void connect();
        });
        return;
      } catch (error) {
        destroyConnection(next);
        if (isStopped) break;
        options.onError(error instanceof Error ? error : new Error(String(error)));
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

function createClient({ url, onNotification, timeout = 5_000 }: ListenerOptions): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'keyturn listen',
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
    keepAlive: true,
  });
  client.on('notification', ({ channel, payload }) => onNotification(channel, payload ?? ''));
  return client;
}

/**
 * Connects and listens. A connection can break silently, and one that only listens would never notice, so that it is
 * checked with a query from time to time.
 * @returns once it listens, a promise that resolves when the connection has ended
 * @throws if the connection cannot be opened
 */
async function listen(
  client: pg.Client,
  { channels }: ListenerOptions,
  checkEvery: number,
): Promise<{ ended: Promise<Error> }> {
  const ended = new Promise<Error>((resolve) => {
    client.on('error', resolve);
    client.on('end', () => resolve(new Error('the listening connection has ended')));
  });
  await client.connect();
  for (const channel of channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  let isHealthy = true;
  const checking = setInterval(() => {
    if (!isHealthy) {
      destroyConnection(client);
      return;
    }
    isHealthy = false;
    client.query('select 1').then(
      () => {
        isHealthy = true;
      },
      () => {},
    );
  }, checkEvery);
  checking.unref();
  return {
    ended: ended.finally(() => {
      clearInterval(checking);
      destroyConnection(client);
    }),
  };
}

/** Closes the socket without a farewell message, which a broken connection would never deliver. */
function destroyConnection(client: pg.Client): void {
  client.on('error', () => {});
  // The stream belongs to the connection and is missing from the types.
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

import pg from 'pg';

export interface Listener {
  /** Resolves when it hears; rejects only where it is stopped before. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ListenerOptions {
  url: string;
  channels: readonly string[];
  onNotification(channel: string, payload: string): void;
  /** It hears again after a time in which it did not: what was said then is lost. */
  onGap(): void;
  onError(error: Error): void;
  /** Milliseconds between two tries to connect. */
  retryAfter?: number;
}

/** Hears PostgreSQL's notifications on a connection of its own, which is opened again whenever it breaks. */
export function createListener(options: ListenerOptions): Listener {
  const { url, channels, retryAfter = 500 } = options;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let wasConnected = false;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'keyturn listen',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    client = next;
    const isLost = new Promise<Error>((resolve) => {
      next.on('error', resolve);
      next.on('end', () => resolve(new Error('the connection has ended')));
    });
    next.on('notification', ({ channel, payload }) => options.onNotification(channel, payload ?? ''));
    try {
      await next.connect();
      for (const channel of channels) await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      next.end().catch(() => {});
      if (isStopped) return;
      options.onError(error instanceof Error ? error : new Error(String(error)));
      await new Promise((resolve) => {
        timer = setTimeout(resolve, retryAfter);
      });
      return isStopped ? undefined : connect();
    }
    if (wasConnected) options.onGap();
    wasConnected = true;
    void isLost.then((error) => {
      if (isStopped || client !== next) return;
      options.onError(error);
      next.end().catch(() => {});
      void connect();
    });
  };

  return {
    start: connect,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}

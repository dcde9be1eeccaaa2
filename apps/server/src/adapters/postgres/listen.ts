import pg from 'pg';

export interface Listener {
  /** Resolves when it hears; where it is stopped before, too. */
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
  /** Milliseconds between two proofs that the connection is alive, and for each of them to be given. */
  proveEvery?: number;
  /** Milliseconds for the connection to be opened, and for each answer on it. */
  answerWithin?: number;
}

/** Hears PostgreSQL's notifications on a connection of its own, which is opened again whenever it breaks. */
export function createListener(options: ListenerOptions): Listener {
  const { retryAfter = 500, proveEvery = 10_000 } = options;
  let client: pg.Client | undefined;
  let wake = () => {};
  let isStopped = false;
  let hasHeard = false;

  const connect = async (): Promise<void> => {
    while (!isStopped) {
      const next = openClient(options);
      client = next;
      try {
        const { ended } = await hear(next, options, proveEvery);
        if (isStopped) break;
        if (hasHeard) options.onGap();
        hasHeard = true;
        void ended.then((error) => {
          if (isStopped) return;
          options.onError(error);
          void connect();
        });
        return;
      } catch (error) {
        cutOff(next);
        if (isStopped) break;
        options.onError(error instanceof Error ? error : new Error(String(error)));
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, retryAfter);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    }
  };

  return {
    start: connect,
    stop: async () => {
      isStopped = true;
      wake();
      if (client) cutOff(client);
    },
  };
}

function openClient({ url, onNotification, answerWithin = 5_000 }: ListenerOptions): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'keyturn listen',
    connectionTimeoutMillis: answerWithin,
    query_timeout: answerWithin,
    keepAlive: true,
  });
  client.on('notification', ({ channel, payload }) => onNotification(channel, payload ?? ''));
  return client;
}

/**
 * Resolves when the connection hears, with what resolves when it does no longer. A connection can be gone without a
 * word, and one that only listens would never notice: it is asked something now and again.
 * @throws where it cannot be opened
 */
async function hear(
  client: pg.Client,
  { channels }: ListenerOptions,
  proveEvery: number,
): Promise<{ ended: Promise<Error> }> {
  const ended = new Promise<Error>((resolve) => {
    client.on('error', resolve);
    client.on('end', () => resolve(new Error('the connection that listens has ended')));
  });
  await client.connect();
  for (const channel of channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  let isProven = true;
  const proving = setInterval(() => {
    if (!isProven) {
      cutOff(client);
      return;
    }
    isProven = false;
    client.query('select 1').then(
      () => {
        isProven = true;
      },
      () => {},
    );
  }, proveEvery);
  proving.unref();
  return {
    ended: ended.finally(() => {
      clearInterval(proving);
      cutOff(client);
    }),
  };
}

/** Without a word of goodbye, for which a broken connection would wait for ever. */
function cutOff(client: pg.Client): void {
  client.on('error', () => {});
  // The stream is the connection's own, and not in the types.
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

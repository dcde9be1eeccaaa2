import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

/** Carries messages between the servers of one installation, through PostgreSQL's notifications. */
export interface ServerBus {
  /** Sends a message to every server, this one included, in the order of the calls, as soon as the database accepts it. */
  publish(message: string): void;
  /**
   * Returns the messages of a notification's payload; none if the row that holds them has been deleted.
   * @throws if the row cannot be read
   */
  read(payload: string): Promise<string[]>;
  /** Deletes stored messages that every server has had time to read. */
  deleteOldMessages(): Promise<void>;
  /** Resolves once all published messages are sent, or the database refuses them. */
  flush(): Promise<void>;
}

/** The notification channel of the messages. */
export const serverBusChannel = 'keyturn_servers';

/** @param retryAfter milliseconds between two attempts to reach the database */
export function createServerBus(
  pool: pg.Pool,
  onError: (error: unknown) => void,
  retryAfter = 1_000,
): ServerBus {
  const queue: string[] = [];
  let sending: Promise<void> | undefined;
  let isFlushing = false;

  const sendAll = async () => {
    while (queue.length > 0) {
      const batch = queue.splice(0, batchSize(queue));
      try {
        await notify(pool, JSON.stringify(batch));
      } catch (error) {
        onError(error);
        if (isFlushing) break;
        queue.unshift(...batch);
        await pause(retryAfter);
      }
    }
    // Reset here and not in a callback of the promise, so that a message published in between starts a new run.
    sending = undefined;
  };

  return {
    publish: (message) => {
      // After such a long outage every client reconnects anyway.
      if (queue.length >= maxQueued) queue.shift();
      queue.push(message);
      sending ??= sendAll();
    },
    read: async (payload) => {
      if (!/^\d+$/.test(payload)) return parseMessages(payload);
      const { rows } = await pool.query<{ body: string }>(
        'select body from oversized_messages where id = $1',
        [payload],
      );
      return rows.flatMap(({ body }) => parseMessages(body));
    },
    deleteOldMessages: async () => {
      await pool.query("delete from oversized_messages where created_at < now() - interval '5 minutes'");
    },
    flush: async () => {
      isFlushing = true;
      await sending;
    },
  };
}

/** Sends a payload in a notification; if it is too long, stores it and sends the row's id. */
async function notify(pool: pg.Pool, payload: string): Promise<void> {
  if (Buffer.byteLength(payload) <= maxPayloadBytes) {
    await pool.query('select pg_notify($1, $2)', [serverBusChannel, payload]);
    return;
  }
  await pool.query(
    `with stored as (insert into oversized_messages (body) values ($2) returning id)
     select pg_notify($1, id::text) from stored`,
    [serverBusChannel, payload],
  );
}

/** PostgreSQL limits payloads to fewer than 8,000 bytes. */
const maxPayloadBytes = 7_900;

const maxQueued = 10_000;

/** Returns how many of the first messages fit into one notification; at least one. */
function batchSize(messages: readonly string[]): number {
  let bytes = 2;
  // Counts the messages as they are sent: escaped, in JSON.
  const count = messages.findIndex((message) => {
    bytes += Buffer.byteLength(JSON.stringify(message)) + 1;
    return bytes > maxPayloadBytes;
  });
  return count === -1 ? messages.length : Math.max(count, 1);
}

function parseMessages(text: string): string[] {
  try {
    const messages: unknown = JSON.parse(text);
    return Array.isArray(messages) ? messages.filter((message) => typeof message === 'string') : [];
  } catch {
    return [];
  }
}

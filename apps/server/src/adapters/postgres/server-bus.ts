import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

/** Carries messages between the servers of one installation, through PostgreSQL's notifications. */
export interface ServerBus {
  /** Sends what `take` returns to every server, this one included, in order, as soon as the database accepts it. */
  wake(): void;
  /**
   * Returns the messages of a notification's payload; an empty list if the row that contains them has been deleted.
   * @throws if the row cannot be read
   */
  read(payload: string): Promise<string[]>;
  /** Deletes stored messages that every server has had time to read. */
  deleteOldMessages(): Promise<void>;
  /** Resolves once all messages are sent, or the database refuses them. */
  flush(): Promise<void>;
}

export interface ServerBusOptions {
  pool: pg.Pool;
  /**
   * Returns the next message; undefined if there is none. It is called only when the database can accept the message,
   * so the sender decides what happens to waiting messages.
   */
  take(): string | undefined;
  onError(error: unknown): void;
  /** Milliseconds between two attempts to reach the database. */
  retryAfter?: number;
}

/** The notification channel of the messages. */
export const serverBusChannel = 'keyturn_servers';

export function createServerBus({ pool, take, onError, retryAfter = 1_000 }: ServerBusOptions): ServerBus {
  const takeBatch = createBatches(take);
  let sending: Promise<void> | undefined;
  let isFlushing = false;

  /** @returns false if the database refuses the payload while the server stops */
  const send = async (payload: string): Promise<boolean> => {
    for (;;) {
      try {
        await notify(pool, payload);
        return true;
      } catch (error) {
        onError(error);
        if (isFlushing) return false;
        await pause(retryAfter);
      }
    }
  };
  const sendAll = async () => {
    try {
      for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
        if (!(await send(JSON.stringify(batch)))) break;
      }
    } catch (error) {
      onError(error);
    }
    // Reset here rather than in a callback of the promise, so that a message that arrives in between starts a new
    // run.
    sending = undefined;
  };

  return {
    wake: () => {
      // Messages of the same task share a notification.
      sending ??= Promise.resolve().then(sendAll);
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

/** Thousands of messages at once, such as a list of members, are stored in few rows instead of sent one by one. */
const maxBatchBytes = 64 * 1024;

/** @returns a function that takes as many messages as may be sent together; at least one if there are any */
function createBatches(take: () => string | undefined): () => string[] {
  /** The message that was taken but did not fit. */
  let next: string | undefined;
  return () => {
    const batch: string[] = [];
    let bytes = 2;
    for (let message = next ?? take(); message !== undefined; message = take()) {
      next = undefined;
      // Counts the messages as they are sent: escaped, in JSON.
      bytes += Buffer.byteLength(JSON.stringify(message)) + 1;
      if (bytes > maxBatchBytes && batch.length > 0) {
        next = message;
        break;
      }
      batch.push(message);
    }
    return batch;
  };
}

function parseMessages(text: string): string[] {
  try {
    const messages: unknown = JSON.parse(text);
    return Array.isArray(messages) ? messages.filter((message) => typeof message === 'string') : [];
  } catch {
    return [];
  }
}

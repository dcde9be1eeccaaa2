import type pg from 'pg';

/** What the servers of one installation say to each other, through the database that they share. */
export interface ServerBus {
  /** Goes to every server, this one too, in the order in which it was said; as soon as the database takes it. */
  tell(word: string): void;
  /**
   * What was told, from a notification's payload; nothing where a parcel is gone already.
   * @throws where a parcel cannot be read
   */
  read(payload: string): Promise<string[]>;
  /** Forgets parcels that everybody has had time to read. */
  sweep(): Promise<void>;
  /** Resolves when all that was said is on its way, or cannot be sent. */
  finish(): Promise<void>;
}

/** Of the notification that carries them. */
export const serverBusChannel = 'keyturn_servers';

/** @param retryAfter milliseconds between two tries to reach the database */
export function createServerBus(
  pool: pg.Pool,
  onError: (error: unknown) => void,
  retryAfter = 1_000,
): ServerBus {
  const waiting: string[] = [];
  let underWay: Promise<void> | undefined;
  let isFinishing = false;

  const send = async () => {
    while (waiting.length > 0) {
      const together = waiting.splice(0, countTogether(waiting));
      try {
        await notify(pool, JSON.stringify(together));
      } catch (error) {
        onError(error);
        if (isFinishing) break;
        waiting.unshift(...together);
        await new Promise((resolve) => setTimeout(resolve, retryAfter));
      }
    }
    // Here, and not when somebody hears of the end: what is told in between would wait for the next word.
    underWay = undefined;
  };

  return {
    tell: (word) => {
      // A database that is gone for so long has everybody come back anew when it returns.
      if (waiting.length >= mostWaiting) waiting.shift();
      waiting.push(word);
      underWay ??= send();
    },
    read: async (payload) => {
      if (!/^\d+$/.test(payload)) return wordsOf(payload);
      const { rows } = await pool.query<{ body: string }>('select body from server_parcels where id = $1', [
        payload,
      ]);
      return rows.flatMap(({ body }) => wordsOf(body));
    },
    sweep: async () => {
      await pool.query("delete from server_parcels where created_at < now() - interval '5 minutes'");
    },
    finish: async () => {
      isFinishing = true;
      await underWay;
    },
  };
}

/** What is too long for a notification is put down, and the notification names it. */
async function notify(pool: pg.Pool, payload: string): Promise<void> {
  if (Buffer.byteLength(payload) <= longestPayload) {
    await pool.query('select pg_notify($1, $2)', [serverBusChannel, payload]);
    return;
  }
  await pool.query(
    `with parcel as (insert into server_parcels (body) values ($2) returning id)
     select pg_notify($1, id::text) from parcel`,
    [serverBusChannel, payload],
  );
}

/** Bytes: PostgreSQL takes less than 8,000. */
const longestPayload = 7_900;

/** Words. */
const mostWaiting = 10_000;

/** As many of the first as fit into one notification, and one at the least. */
function countTogether(words: readonly string[]): number {
  let bytes = 2;
  // Quotes are written with a backslash each: what is counted is what is written.
  const count = words.findIndex((word) => {
    bytes += Buffer.byteLength(JSON.stringify(word)) + 1;
    return bytes > longestPayload;
  });
  return count === -1 ? words.length : Math.max(count, 1);
}

function wordsOf(text: string): string[] {
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) ? words.filter((word) => typeof word === 'string') : [];
  } catch {
    return [];
  }
}

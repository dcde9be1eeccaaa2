import type pg from 'pg';

/** What the servers of one installation say to each other, through the database that they share. */
export interface ServerWords {
  /** Goes to every server, this one too, in the order in which it was said. */
  tell(word: string): void;
  /** What was told, from a notification's payload; nothing where a parcel is gone already. */
  read(payload: string): Promise<string[]>;
  /** Forgets parcels that everybody has had time to read. */
  sweep(): Promise<void>;
  /** Resolves when all that was said is on its way. */
  settled(): Promise<void>;
}

/** Of the notification that carries them. */
export const wordsChannel = 'keyturn_servers';

export function createServerWords(pool: pg.Pool, onError: (error: unknown) => void): ServerWords {
  let waiting: string[] = [];
  let underWay: Promise<void> | undefined;

  const send = async () => {
    while (waiting.length > 0) {
      const together = takeTogether(waiting);
      waiting = waiting.slice(together.length);
      const payload = JSON.stringify(together);
      try {
        if (Buffer.byteLength(payload) <= longestPayload) {
          await pool.query('select pg_notify($1, $2)', [wordsChannel, payload]);
        } else {
          await pool.query(
            `with parcel as (insert into server_parcels (body) values ($2) returning id)
             select pg_notify($1, id::text) from parcel`,
            [wordsChannel, payload],
          );
        }
      } catch (error) {
        // Whoever listens notices the same break, and asks everybody anew.
        onError(error);
      }
    }
  };

  return {
    tell: (word) => {
      waiting.push(word);
      underWay ??= send().finally(() => {
        underWay = undefined;
      });
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
    settled: async () => {
      await underWay;
    },
  };
}

/** Bytes: PostgreSQL takes less than 8,000. */
const longestPayload = 7_900;

/** As many of the first as fit into one notification, and one at the least. */
function takeTogether(words: string[]): string[] {
  let bytes = 2;
  // Quotes are written with a backslash each: what is counted is what is written.
  const count = words.findIndex((word) => {
    bytes += Buffer.byteLength(JSON.stringify(word)) + 1;
    return bytes > longestPayload;
  });
  return words.slice(0, count === -1 ? words.length : Math.max(count, 1));
}

function wordsOf(text: string): string[] {
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) ? words.filter((word) => typeof word === 'string') : [];
  } catch {
    return [];
  }
}

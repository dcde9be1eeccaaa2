import type pg from 'pg';
import type { NetworkReceiver, ServerNetwork } from '../../live/channels/ports.ts';
import { createListener } from './listen.ts';

export interface NotifyNetworkOptions {
  /** The address of the connection that listens. */
  url: string;
  pool: pg.Pool;
  /** The notification channel of the events. */
  eventsChannel: string;
  receiver: NetworkReceiver;
}

/** Uses PostgreSQL's notifications: every server receives all events and messages. */
export function createNotifyNetwork({
  url,
  pool,
  eventsChannel,
  receiver,
}: NotifyNetworkOptions): ServerNetwork {
  const { events, onError } = receiver;
  const receive = createTextReader(pool, receiver);
  let received = 0;
  const listener = createListener({
    url,
    channels: [eventsChannel, textsChannel],
    onNotification: (channel, payload) => {
      if (channel !== eventsChannel) return receive(payload);
      received += 1;
      events.deliver(payload);
    },
    onCheck: events.onCheck,
    onGap: (position) => {
      receiver.onMissedTexts();
      events.replay(position);
    },
    onError,
  });
  return {
    start: listener.start,
    send: (text) => notify(pool, text),
    follow: () => {},
    deleteOldTexts: async () => {
      await pool.query("delete from oversized_messages where created_at < now() - interval '5 minutes'");
    },
    state: () => ({ received, redis: null }),
    stop: listener.stop,
  };
}

/** The notification channel of texts between servers. */
const textsChannel = 'keyturn_servers';

/** Passes on texts of other servers in the order of their notifications, even if one has to be fetched first. */
function createTextReader(pool: pg.Pool, { onText, onError }: NetworkReceiver) {
  let lastReceived: Promise<void> = Promise.resolve();
  return (payload: string) => {
    const reading = readText(pool, payload).catch((error: unknown) => {
      onError(error);
      return null;
    });
    lastReceived = lastReceived
      .then(async () => {
        const text = await reading;
        if (text !== undefined) onText(text);
      })
      // One text that fails must not block the later ones.
      .catch(onError);
  };
}

/** @returns undefined if the row that contains the text has been deleted @throws if it cannot be read */
async function readText(pool: pg.Pool, payload: string): Promise<string | undefined> {
  if (!/^\d+$/.test(payload)) return payload;
  const { rows } = await pool.query<{ body: string }>('select body from oversized_messages where id = $1', [
    payload,
  ]);
  return rows[0]?.body;
}

/** Sends a payload in a notification; if it is too long, stores it and sends the row's id. */
async function notify(pool: pg.Pool, payload: string): Promise<void> {
  if (Buffer.byteLength(payload) <= maxPayloadBytes) {
    await pool.query('select pg_notify($1, $2)', [textsChannel, payload]);
    return;
  }
  await pool.query(
    `with stored as (insert into oversized_messages (body) values ($2) returning id)
     select pg_notify($1, id::text) from stored`,
    [textsChannel, payload],
  );
}

/** PostgreSQL limits payloads to fewer than 8,000 bytes. */
const maxPayloadBytes = 7_900;

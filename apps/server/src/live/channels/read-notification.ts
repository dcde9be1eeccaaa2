import type { StoredEvent } from './events-store.ts';

/** A committed transaction with events. */
export interface NotifiedTransaction {
  transactionId: string;
  /** Null if they were too long for the notification. */
  events: StoredEvent[] | null;
}

/**
 * Reads the payload that `notify_of_events` sends for a transaction: the events as `[id, channel, event, ids, except_socket]`,
 * or only the transaction's id.
 * @throws Error if it has another form, because every role of the database can send notifications
 */
export function readNotification(payload: string): NotifiedTransaction {
  const isLong = !payload.startsWith('{');
  const { transaction, events } = isLong
    ? { transaction: payload, events: [] }
    : (JSON.parse(payload) as { transaction: string; events: SentEvent[] });
  if (typeof transaction !== 'string' || !/^\d{1,20}$/.test(transaction) || !events.every(isSentEvent))
    throw new Error('a notification of events has an unknown form');
  if (isLong) return { transactionId: transaction, events: null };
  return {
    transactionId: transaction,
    events: events.map(([id, channel, event, ids, exceptSocket]) => ({
      id,
      transactionId: transaction,
      channel,
      event,
      ids,
      exceptSocket,
    })),
  };
}

/** Writes events of a transaction in the form that `readNotification` reads. */
export const writeNotification = (transactionId: string, events: readonly StoredEvent[]): string =>
  JSON.stringify({
    transaction: transactionId,
    events: events.map(({ id, channel, event, ids, exceptSocket }) => [
      id,
      channel,
      event,
      ids,
      exceptSocket,
    ]),
  });

type SentEvent = [id: number, channel: string, event: string, ids: string[], exceptSocket: string | null];

function isSentEvent(sent: unknown): sent is SentEvent {
  if (!Array.isArray(sent) || sent.length !== 5) return false;
  const [id, channel, event, ids, exceptSocket] = sent;
  return (
    Number.isSafeInteger(id) &&
    typeof channel === 'string' &&
    typeof event === 'string' &&
    Array.isArray(ids) &&
    ids.every((value) => typeof value === 'string') &&
    (exceptSocket === null || typeof exceptSocket === 'string')
  );
}

import type { StoredEvent } from './events-store.ts';

/** A committed transaction with events. */
export interface NotifiedTransaction {
  transactionId: string;
  /** Null if they were too long for the notification. */
  events: StoredEvent[] | null;
}

/**
 * Reads the payload that migration 39 sends for a transaction: the events as `[id, channel, event, ids, except_socket]`,
 * or only the transaction's id.
 */
export function readNotification(payload: string): NotifiedTransaction {
  if (!payload.startsWith('{')) return { transactionId: payload, events: null };
  const { transaction, events } = JSON.parse(payload) as {
    transaction: string;
    events: [number, string, string, string[], string | null][];
  };
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

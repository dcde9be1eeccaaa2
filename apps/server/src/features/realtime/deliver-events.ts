import type { EventContent } from '@keyturn/contract';
import type { Database } from '../../platform/database.ts';
import { findEventsOfTransactions, type StoredEvent } from './events-store.ts';
import type { ChannelEvent, Channels } from './ports.ts';

export interface DeliveryDependencies {
  database: Database;
  channels: Channels;
  /** `App.Events` */
  namespace: string;
  onError(error: unknown): void;
  /** Milliseconds before the first retry of a failed query. */
  retryAfter?: number;
}

/**
 * Delivers the events of committed transactions to the subscribers on this server. Transactions that commit at the
 * same time share one query, and only one query runs at a time, so events keep their order.
 *
 * @returns accepts the id of each transaction that has written events
 */
export function createEventDelivery(dependencies: DeliveryDependencies): (transactionId: string) => void {
  let waiting: string[] = [];
  let isRunning = false;

  const deliver = async () => {
    while (waiting.length > 0) {
      const next = waiting;
      waiting = [];
      const events = await findEventsWithRetries(dependencies, next);
      // The events are unknown, so all clients fetch their data again.
      if (events === null) dependencies.channels.reconnectAll();
      else for (const event of events) deliverEvent(dependencies, event);
    }
  };
  return (transactionId) => {
    waiting.push(transactionId);
    if (isRunning) return;
    isRunning = true;
    void deliver().finally(() => {
      isRunning = false;
    });
  };
}

/** @returns null if all attempts failed */
async function findEventsWithRetries(
  { database, onError, retryAfter = 300 }: DeliveryDependencies,
  transactionIds: string[],
): Promise<StoredEvent[] | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await findEventsOfTransactions(database, transactionIds);
    } catch (error) {
      onError(error);
      if (attempt === maxAttempts) return null;
      await new Promise((resolve) => setTimeout(resolve, retryAfter * attempt));
    }
  }
}

const maxAttempts = 3;

function deliverEvent({ channels, namespace }: DeliveryDependencies, stored: StoredEvent): void {
  // Channels that start with # are internal: migration 12 writes them for servers.
  if (stored.channel === '#sessions') channels.endSessions(stored.ids);
  else if (stored.channel === '#access') channels.reconnectClients(stored.ids);
  else channels.publish(toChannelEvent(stored, namespace));
}

/** Converts a stored event to the form that clients receive. */
export function toChannelEvent(stored: StoredEvent, namespace: string): ChannelEvent {
  const content: EventContent = { version: stored.id, ids: stored.ids };
  return {
    channel: stored.channel,
    event: `${namespace.replaceAll('.', '\\')}\\${stored.event}`,
    data: JSON.stringify(content),
    except: stored.exceptSocket,
  };
}

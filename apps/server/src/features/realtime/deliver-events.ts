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
  /** Milliseconds until the database is asked again. */
  retryAfter?: number;
}

/**
 * Takes what committed transactions have told to those of this server who listen. Many that commit together are read
 * together; one reading is under way at a time, so that events keep their order.
 * @returns to be called with the id of each transaction that told something
 */
export function createEventDelivery(dependencies: DeliveryDependencies): (transactionId: string) => void {
  let waiting: string[] = [];
  let isUnderWay = false;

  const deliver = async () => {
    while (waiting.length > 0) {
      const next = waiting;
      waiting = [];
      const events = await findEventsWithRetries(dependencies, next);
      // Nobody knows what it was: everybody asks for themself.
      if (events === null) dependencies.channels.reconnectAll();
      else for (const event of events) deliverEvent(dependencies, event);
    }
  };
  return (transactionId) => {
    waiting.push(transactionId);
    if (isUnderWay) return;
    isUnderWay = true;
    void deliver().finally(() => {
      isUnderWay = false;
    });
  };
}

/** A database that is busy is asked again; null where it cannot say. */
async function findEventsWithRetries(
  { database, onError, retryAfter = 300 }: DeliveryDependencies,
  transactionIds: string[],
): Promise<StoredEvent[] | null> {
  for (let tries = 1; ; tries++) {
    try {
      return await findEventsOfTransactions(database, transactionIds);
    } catch (error) {
      onError(error);
      if (tries === maxAttempts) return null;
      await new Promise((resolve) => setTimeout(resolve, retryAfter * tries));
    }
  }
}

const maxAttempts = 3;

function deliverEvent({ channels, namespace }: DeliveryDependencies, stored: StoredEvent): void {
  // Channels that begin with # are for servers alone: migration 12 writes them.
  if (stored.channel === '#sessions') channels.endSessions(stored.ids);
  else if (stored.channel === '#access') channels.reconnectClients(stored.ids);
  else channels.publish(toChannelEvent(stored, namespace));
}

/** An event as clients get it. */
export function toChannelEvent(stored: StoredEvent, namespace: string): ChannelEvent {
  const content: EventContent = { version: stored.id, ids: stored.ids };
  return {
    channel: stored.channel,
    event: `${namespace.replaceAll('.', '\\')}\\${stored.event}`,
    data: JSON.stringify(content),
    except: stored.exceptSocket,
  };
}

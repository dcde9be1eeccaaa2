import type { EventContent } from '@keyturn/contract';
import { deskChannel } from '@keyturn/contract/staff';
import type { Database } from '../../platform/database.ts';
import { createDeskAnnouncer } from './announce-to-desk.ts';
import { createDeliveryHistory } from './delivery-history.ts';
import { findEventsOfTransactions, findEventsSince, type StoredEvent } from './events-store.ts';
import type { ChannelEvent, Channels, DatabasePosition } from './ports.ts';
import { type NotifiedTransaction, readNotification } from './read-notification.ts';

export interface DeliveryDependencies {
  database: Database;
  channels: Channels;
  /** `App.Events` */
  namespace: string;
  onError(error: unknown): void;
  /** Milliseconds before the first retry of a failed query. */
  retryAfter?: number;
}

export interface EventDelivery {
  /** Delivers the events of a committed transaction: the payload of its notification. */
  deliver(payload: string): void;
  /** Records the position up to which all notifications have certainly arrived. */
  onCheck(position: DatabasePosition): void;
  /** Delivers the events whose notifications were lost while this server was not listening. */
  replay(position: DatabasePosition): void;
}

/**
 * Creates the delivery of committed events to the subscribers on this server, in the order of the commits. Only events
 * that were too long for their notification are read: transactions that commit at the same time share one query, only
 * one query runs at a time, and later notifications wait for it.
 */
export function createEventDelivery(dependencies: DeliveryDependencies): EventDelivery {
  const { channels } = dependencies;
  const history = createDeliveryHistory();
  const desk = createDeskAnnouncer((event) =>
    channels.publish(toChannelEvent(event, dependencies.namespace)),
  );
  let waiting: NotifiedTransaction[] = [];
  let replayFrom: bigint | null = null;
  let isRunning = false;
  let isReplaying = false;

  const deliverOnce = (events: readonly StoredEvent[]) => {
    const missing = events.filter((event) => history.add(event));
    for (const event of missing) deliverEvent(dependencies, event);
    desk.note(missing);
  };
  const replayMissed = async (transactionId: bigint) => {
    const query = { transactionId: String(transactionId), limit: maxReplayedEvents };
    const events = await readWithRetries(dependencies, ({ database }) => findEventsSince(database, query));
    // With more events, fetching everything again is cheaper.
    if (events === null || events.length === maxReplayedEvents) channels.reconnectAll();
    else deliverOnce(events);
  };
  const deliverWaiting = async () => {
    const next = waiting;
    waiting = [];
    const found = await readMissing(dependencies, next);
    for (const { transactionId, events } of next) deliverOnce(events ?? found?.get(transactionId) ?? []);
    // Some events are unknown, so all clients fetch their data again.
    if (found === null) channels.reconnectAll();
  };
  const run = async () => {
    while (waiting.length > 0 || replayFrom !== null) {
      const missed = replayFrom;
      replayFrom = null;
      isReplaying = missed !== null;
      if (missed !== null) await replayMissed(missed);
      else await deliverWaiting();
      isReplaying = false;
    }
  };
  const start = () => {
    if (isRunning) return;
    isRunning = true;
    void run()
      .catch(dependencies.onError)
      .finally(() => {
        isRunning = false;
      });
  };
  return {
    deliver: (payload) => {
      try {
        waiting.push(readNotification(payload));
      } catch (error) {
        // The payload is not from this version's migrations, so the changes are unknown.
        dependencies.onError(error);
        channels.reconnectAll();
        return;
      }
      start();
    },
    onCheck: (position) => {
      // A replay must recognise events that were already delivered.
      if (!isReplaying) history.onCheck(position);
    },
    replay: (position) => {
      const from = history.findReplayStart(position);
      if (from === null) {
        channels.reconnectAll();
        return;
      }
      replayFrom = from;
      channels.onGap();
      start();
    },
  };
}

/** @returns the events that these notifications do not contain, by transaction; null if they could not be read */
async function readMissing(
  dependencies: DeliveryDependencies,
  transactions: readonly NotifiedTransaction[],
): Promise<Map<string, StoredEvent[]> | null> {
  const ids = transactions.filter(({ events }) => !events).map(({ transactionId }) => transactionId);
  const found = new Map<string, StoredEvent[]>();
  if (ids.length === 0) return found;
  const read = await readWithRetries(dependencies, ({ database }) => findEventsOfTransactions(database, ids));
  for (const event of read ?? []) {
    const others = found.get(event.transactionId);
    if (others) others.push(event);
    else found.set(event.transactionId, [event]);
  }
  return read && found;
}

/** @returns null if all attempts failed */
async function readWithRetries(
  dependencies: DeliveryDependencies,
  read: (dependencies: DeliveryDependencies) => Promise<StoredEvent[]>,
): Promise<StoredEvent[] | null> {
  const { onError, retryAfter = 300 } = dependencies;
  for (let attempt = 1; ; attempt++) {
    try {
      return await read(dependencies);
    } catch (error) {
      onError(error);
      if (attempt === maxAttempts) return null;
      await new Promise((resolve) => setTimeout(resolve, retryAfter * attempt));
    }
  }
}

const maxAttempts = 3;

const maxReplayedEvents = 10_000;

function deliverEvent({ channels, namespace }: DeliveryDependencies, stored: StoredEvent): void {
  // Channels that start with # are internal: migration 12 writes them for servers.
  if (stored.channel === '#sessions') channels.endSessions(stored.ids);
  else if (stored.channel === '#access') channels.reconnectClients(stored.ids);
  else if (stored.channel === deskChannel) return;
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

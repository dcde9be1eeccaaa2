import type { EventContent } from '@keyturn/contract';
import { deskChannel } from '@keyturn/contract/staff';
import type { Database } from '../../platform/database.ts';
import { createDeskAnnouncer } from './announce-to-desk.ts';
import { createDeliveryHistory, type DeliveryHistory } from './delivery-history.ts';
import { findEventsOfTransactions, findEventsSince, type StoredEvent } from './events-store.ts';
import type { ChannelEvent, Channels, DatabasePosition, EventDelivery } from './ports.ts';
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

/**
 * Creates the delivery of committed events to the subscribers on this server, in the order of the commits. Only events
 * that were too long for their notification are read: transactions that commit at the same time share one query, only
 * one query runs at a time, and later notifications wait for it.
 */
export function createEventDelivery(dependencies: DeliveryDependencies): EventDelivery {
  const { channels } = dependencies;
  const history = createDeliveryHistory();
  const deliverOnce = createSingleDelivery(dependencies, history);
  let waiting: NotifiedTransaction[] = [];
  let replays: Replay[] = [];
  /** The latest check during a replay, which must recognise events that were already delivered. */
  let postponedCheck: DatabasePosition | null = null;
  let isRunning = false;
  let isReplaying = false;

  const replay = async ({ from, channels: missed }: Replay) => {
    const query = {
      transactionId: String(from),
      // The desk is notified about the events of every case.
      channels: missed && !missed.includes(deskChannel) ? missed : null,
      limit: maxReplayedEvents,
    };
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
    while (waiting.length > 0 || replays.length > 0) {
      const next = replays.shift();
      isReplaying = next !== undefined;
      if (next) await replay(next);
      else await deliverWaiting();
      isReplaying = false;
      if (postponedCheck && replays.length === 0) {
        history.onCheck(postponedCheck);
        postponedCheck = null;
      }
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
        // The payload is not from this version's functions, so the changes are unknown.
        dependencies.onError(error);
        channels.reconnectAll();
        return;
      }
      start();
    },
    onCheck: (position) => {
      if (isReplaying || replays.length > 0) postponedCheck = position;
      else history.onCheck(position);
    },
    replay: (position, missed) => {
      const from = history.findReplayStart(position);
      postponedCheck = null;
      if (from === null) {
        channels.reconnectAll();
        return;
      }
      // A replay of all channels that is still waiting would read the same events.
      replays = replays.filter(({ isOfAll }) => !isOfAll);
      replays.push({ from, channels: missed ?? null, isOfAll: true });
      start();
    },
    replayChannels: (missed) => {
      const from = history.confirmed();
      if (from === null) return;
      replays.push({ from, channels: missed, isOfAll: false });
      start();
    },
  };
}

interface Replay {
  from: bigint;
  /** Null: the events of all channels. */
  channels: readonly string[] | null;
  /** Whether events of all channels that this server follows may be missing. */
  isOfAll: boolean;
}

/** @returns a function that delivers those of some events that were not delivered before */
function createSingleDelivery(dependencies: DeliveryDependencies, history: DeliveryHistory) {
  const desk = createDeskAnnouncer((event) =>
    dependencies.channels.publish(toChannelEvent(event, dependencies.namespace)),
  );
  return (events: readonly StoredEvent[]) => {
    // The desk’s events may combine others, whose numbers they have.
    const missing = events.filter((event) => event.channel === deskChannel || history.add(event));
    for (const event of missing) deliverEvent(dependencies, event);
    desk.note(missing);
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
  // Channels that start with # are internal: triggers write them for servers.
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

import type { Database } from '../../platform/database.ts';
import { toChannelEvent } from './deliver-events.ts';
import { findClientsOfSessions, lockUnsentEvents, markSent } from './events-store.ts';
import type { ExternalBroadcaster } from './ports.ts';

export interface ForwardingDependencies {
  database: Database;
  broadcaster: ExternalBroadcaster;
  namespace: string;
}

/**
 * Hands what was told, and not sent yet, to the outside broadcaster. One server sends an event; where it dies on the
 * way another one does, and the event may come twice.
 * @returns whether there may be more
 * @throws what the broadcaster throws: all of it stays unsent
 */
export async function forwardEvents(dependencies: ForwardingDependencies): Promise<boolean> {
  const { database, broadcaster, namespace } = dependencies;
  return database.transaction(async (transaction) => {
    const events = await lockUnsentEvents(transaction, maxEventsPerBatch);
    if (events.length === 0) return false;
    const idsOn = (channel: string) =>
      events.filter((event) => event.channel === channel).flatMap(({ ids }) => ids);
    await broadcaster.send(
      events
        .filter(({ channel }) => !channel.startsWith('#'))
        .map((event) => toChannelEvent(event, namespace)),
    );
    // A client's other devices come back by themselves.
    const ended = await findClientsOfSessions(transaction, idsOn('#sessions'));
    const leaving = new Set([...ended, ...idsOn('#access')]);
    await Promise.all([...leaving].map((clientId) => broadcaster.disconnectClient(clientId)));
    await markSent(
      transaction,
      events.map(({ id }) => id),
    );
    return events.length === maxEventsPerBatch;
  });
}

/**
 * Events in one transaction, and in one request: PostgreSQL ends a transaction that idles for 15 seconds, and what a slow
 * server had taken by then would be sent again for ever.
 */
const maxEventsPerBatch = 10;

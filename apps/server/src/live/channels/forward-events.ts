import { deskChannel } from '@keyturn/contract/staff';
import type { Database } from '../../platform/database.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { toDeskEvent } from './announce-to-desk.ts';
import { toChannelEvent } from './deliver-events.ts';
import { findClientsOfSessions, lockUnsentEvents, markEventsSent } from './events-store.ts';
import type { ExternalBroadcaster } from './ports.ts';

export interface ForwardingDependencies {
  database: Database;
  broadcaster: ExternalBroadcaster;
  namespace: string;
}

/**
 * Forwards unsent events from the outbox to the external broadcaster. Row locks keep two servers from sending the
 * same event; if a server dies meanwhile another one retries, so the event may be sent twice.
 *
 * @returns whether there may be more unsent events
 * @throws the broadcaster's error; all events of the batch then stay unsent
 */
export async function forwardEvents(dependencies: ForwardingDependencies): Promise<boolean> {
  const { database, broadcaster, namespace } = dependencies;
  return runTransaction(database, async (transaction) => {
    const events = await lockUnsentEvents(transaction, maxEventsPerBatch);
    if (events.length === 0) return false;
    const idsOn = (channel: string) =>
      events.filter((event) => event.channel === channel).flatMap(({ ids }) => ids);
    const deskEvent = toDeskEvent(events);
    await broadcaster.send(
      [
        ...events.filter(({ channel }) => !channel.startsWith('#') && channel !== deskChannel),
        ...(deskEvent ? [deskEvent] : []),
      ].map((event) => toChannelEvent(event, namespace)),
    );
    // The client's other devices are disconnected too, and reconnect.
    const signedOut = await findClientsOfSessions(transaction, idsOn('#sessions'));
    const disconnected = new Set([...signedOut, ...idsOn('#access')]);
    await Promise.all([...disconnected].map((clientId) => broadcaster.disconnectClient(clientId)));
    await markEventsSent(
      transaction,
      events.map(({ id }) => id),
    );
    return events.length === maxEventsPerBatch;
  });
}

/**
 * Maximum events of one transaction, which with the desk’s event are one request. PostgreSQL aborts a transaction after 15 idle seconds: with larger
 * batches, a slow external server would receive the same events repeatedly.
 */
const maxEventsPerBatch = 9;

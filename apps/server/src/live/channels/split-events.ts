import { deskChannel } from '@keyturn/contract/staff';
import type { Database } from '../../platform/database.ts';
import { toDeskEvent } from './announce-to-desk.ts';
import { findEventsOfTransactions, type StoredEvent } from './events-store.ts';
import { readNotification, writeNotification } from './read-notification.ts';

/** The events of a transaction on one channel. */
export interface ChannelEvents {
  channel: string;
  /** In the form of a notification: see `readNotification`. */
  payload: string;
}

/**
 * Splits the notification of a transaction by channel. Events of cases are combined into one for the desk as well, so
 * that a server with staff need not receive those of every case.
 * @throws if the notification has an unknown form, or its events cannot be read
 */
export async function splitEvents(database: Database, payload: string): Promise<ChannelEvents[]> {
  const { transactionId, events } = readNotification(payload);
  const all = events ?? (await findEventsOfTransactions(database, [transactionId]));
  const deskEvent = toDeskEvent(all);
  const byChannel = new Map<string, StoredEvent[]>();
  for (const event of [
    ...all.filter(({ channel }) => channel !== deskChannel),
    ...(deskEvent ? [deskEvent] : []),
  ]) {
    const others = byChannel.get(event.channel);
    if (others) others.push(event);
    else byChannel.set(event.channel, [event]);
  }
  return [...byChannel].map(([channel, own]) => ({
    channel,
    payload: writeNotification(transactionId, own),
  }));
}

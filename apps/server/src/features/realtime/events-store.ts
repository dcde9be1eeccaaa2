import { and, asc, inArray, isNull, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import { prepareStatement } from '../../platform/prepared-statement.ts';
import { deleteExpiredRows } from '../../platform/tables/delete-expired-rows.ts';
import { broadcastEvents, sessions } from '../../platform/tables/tables.ts';

export type StoredEvent = Pick<
  typeof broadcastEvents.$inferSelect,
  'id' | 'channel' | 'event' | 'ids' | 'exceptSocket' | 'transactionId'
>;

const eventColumns = {
  id: broadcastEvents.id,
  transactionId: broadcastEvents.transactionId,
  channel: broadcastEvents.channel,
  event: broadcastEvents.event,
  ids: broadcastEvents.ids,
  exceptSocket: broadcastEvents.exceptSocket,
};

/** Finds the events of these transactions, oldest first. */
export const findEventsOfTransactions = (
  connection: Connection,
  transactionIds: string[],
): Promise<StoredEvent[]> => selectEventsOfTransactions(connection, { transactionIds });

const selectEventsOfTransactions = prepareStatement('find_events_of_transactions', (builder) =>
  builder
    .select(eventColumns)
    .from(broadcastEvents)
    .where(sql`${broadcastEvents.transactionId} = any(${sql.placeholder('transactionIds')}::text[]::xid8[])`)
    .orderBy(asc(broadcastEvents.id)),
);

/** Finds the events of this transaction and all later ones, oldest event first; at most `limit`. */
export const findEventsSince = (
  connection: Connection,
  query: { transactionId: string; limit: number },
): Promise<StoredEvent[]> => selectEventsSince(connection, query);

const selectEventsSince = prepareStatement('find_events_since', (builder) =>
  builder
    .select(eventColumns)
    .from(broadcastEvents)
    .where(sql`${broadcastEvents.transactionId} >= ${sql.placeholder('transactionId')}::text::xid8`)
    .orderBy(asc(broadcastEvents.id))
    .limit(sql.placeholder('limit')),
);

/** Finds and locks events that were not sent to the external broadcaster yet, skipping those another server sends. */
export const lockUnsentEvents = (transaction: Transaction, limit: number): Promise<StoredEvent[]> =>
  transaction
    .select(eventColumns)
    .from(broadcastEvents)
    .where(isNull(broadcastEvents.sentAt))
    .orderBy(asc(broadcastEvents.id))
    .limit(limit)
    .for('update', { skipLocked: true });

export async function markSent(transaction: Transaction, ids: number[]): Promise<void> {
  await transaction
    .update(broadcastEvents)
    .set({ sentAt: sql`now()` })
    .where(inArray(broadcastEvents.id, ids));
}

/** Deletes events created up to a time, in batches. */
export const deleteEventsBefore = (connection: Connection, before: Date): Promise<number> =>
  deleteExpiredRows(connection, { table: broadcastEvents, age: broadcastEvents.createdAt }, before);

/** Finds which of these sessions are valid now, each with its expected end. */
export async function findLiveSessions(
  connection: Connection,
  query: { hashes: string[]; now: Date; idleAfter: number },
): Promise<Map<string, Date>> {
  const rows = await selectLiveSessions(connection, { ...query, now: query.now.toISOString() });
  return new Map(rows.map(({ hash, endsAt }) => [hash, new Date(endsAt)]));
}

const idleAt = sql`${sessions.lastUsedAt} + make_interval(secs => ${sql.placeholder('idleAfter')}::double precision)`;

const selectLiveSessions = prepareStatement('find_live_sessions', (builder) =>
  builder
    .select({
      hash: sql<string>`encode(${sessions.tokenHash}, 'hex')`,
      endsAt: sql<string>`least(${sessions.expiresAt}, ${idleAt})`,
    })
    .from(sessions)
    .where(
      and(
        sql`${sessions.tokenHash} in
          (select decode(h, 'hex') from unnest(${sql.placeholder('hashes')}::text[]) as h)`,
        isNull(sessions.revokedAt),
        sql`least(${sessions.expiresAt}, ${idleAt}) > ${sql.placeholder('now')}::timestamptz`,
      ),
    ),
);

/** Finds the clients of these sessions, including ended sessions that are still stored. */
export async function findClientsOfSessions(connection: Connection, hashes: string[]): Promise<string[]> {
  if (hashes.length === 0) return [];
  const rows = await connection
    .select({ clientId: sessions.clientId })
    .from(sessions)
    .where(hasHashIn(hashes));
  return rows.map(({ clientId }) => clientId);
}

/** @param hashes token hashes in hex */
const hasHashIn = (hashes: string[]) =>
  sql`${sessions.tokenHash} in (select decode(h, 'hex') from unnest(${sql.param(hashes)}::text[]) as h)`;

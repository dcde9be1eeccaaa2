import { and, asc, inArray, isNull, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import { prepareStatement } from '../../platform/prepared-statement.ts';
import { deleteExpiredRows } from '../../schema/tables/delete-expired-rows.ts';
import { staffSessions } from '../../schema/tables/staff-tables.ts';
import { broadcastEvents, sessions } from '../../schema/tables/tables.ts';

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

/**
 * Finds the events of this transaction and all later ones, oldest event first; at most `limit`.
 * @param query.channels null: of all channels
 */
export const findEventsSince = (
  connection: Connection,
  query: { transactionId: string; channels: readonly string[] | null; limit: number },
): Promise<StoredEvent[]> => selectEventsSince(connection, query);

const selectEventsSince = prepareStatement('find_events_since', (builder) =>
  builder
    .select(eventColumns)
    .from(broadcastEvents)
    .where(
      and(
        sql`${broadcastEvents.transactionId} >= ${sql.placeholder('transactionId')}::text::xid8`,
        sql`(${sql.placeholder('channels')}::text[] is null
          or ${broadcastEvents.channel} = any(${sql.placeholder('channels')}::text[]))`,
      ),
    )
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

export async function markEventsSent(transaction: Transaction, ids: number[]): Promise<void> {
  await transaction
    .update(broadcastEvents)
    .set({ sentAt: sql`now()` })
    .where(inArray(broadcastEvents.id, ids));
}

/**
 * Deletes events older than this, in batches. The database’s clock decides, because a server whose own clock is ahead
 * would delete events that others still replay.
 * @param age milliseconds
 */
export const deleteOldBroadcasts = (connection: Connection, age: number): Promise<number> =>
  deleteExpiredRows(
    connection,
    { table: broadcastEvents, age: broadcastEvents.createdAt },
    sql`now() - ${age} * interval '1 millisecond'`,
  );

/**
 * Finds which of these sessions of clients and staff are valid now, each with its expected end.
 * @param query.idleAfter seconds without activity after which a client’s session ends
 * @param query.staffIdleAfter the same for staff
 */
export async function findLiveSessions(
  connection: Connection,
  query: { hashes: string[]; now: Date; idleAfter: number; staffIdleAfter: number },
): Promise<Map<string, Date>> {
  const rows = await selectLiveSessions(connection, { ...query, now: query.now.toISOString() });
  return new Map(rows.map(({ hash, endsAt }) => [hash, new Date(endsAt)]));
}

const selectLiveSessions = prepareStatement('find_live_sessions', (builder) => {
  const hashes = sql`(select decode(h, 'hex') from unnest(${sql.placeholder('hashes')}::text[]) as h)`;
  const endOf = (table: typeof sessions | typeof staffSessions, idleAfter: string) =>
    sql<string>`least(${table.expiresAt},
      ${table.lastUsedAt} + make_interval(secs => ${sql.placeholder(idleAfter)}::double precision))`;
  const selectFrom = (table: typeof sessions | typeof staffSessions, idleAfter: string) =>
    builder
      .select({ hash: sql<string>`encode(${table.tokenHash}, 'hex')`, endsAt: endOf(table, idleAfter) })
      .from(table)
      .where(
        and(
          sql`${table.tokenHash} in ${hashes}`,
          isNull(table.endedAt),
          sql`${endOf(table, idleAfter)} > ${sql.placeholder('now')}::timestamptz`,
        ),
      );
  return selectFrom(sessions, 'idleAfter').unionAll(selectFrom(staffSessions, 'staffIdleAfter'));
});

/** Finds the clients of these sessions, including ended sessions that are still stored. @param hashes in hex */
export async function findClientsOfSessions(connection: Connection, hashes: string[]): Promise<string[]> {
  if (hashes.length === 0) return [];
  const rows = await connection
    .select({ clientId: sessions.ownerId })
    .from(sessions)
    .where(
      sql`${sessions.tokenHash} in (select decode(h, 'hex') from unnest(${sql.param(hashes)}::text[]) as h)`,
    );
  return rows.map(({ clientId }) => clientId);
}

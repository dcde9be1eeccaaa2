import { and, asc, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import { broadcastEvents, caseClients, clients, sessions } from '../../platform/tables.ts';

/** The SQL of what is told in real time. */

export type StoredEvent = Pick<
  typeof broadcastEvents.$inferSelect,
  'id' | 'channel' | 'event' | 'ids' | 'exceptSocket'
>;

const eventColumns = {
  id: broadcastEvents.id,
  channel: broadcastEvents.channel,
  event: broadcastEvents.event,
  ids: broadcastEvents.ids,
  exceptSocket: broadcastEvents.exceptSocket,
};

/** What these transactions have told, the oldest first. */
export const findEventsOfTransactions = (
  connection: Connection,
  transactionIds: string[],
): Promise<StoredEvent[]> =>
  connection
    .select(eventColumns)
    .from(broadcastEvents)
    .where(sql`${broadcastEvents.transactionId} = any(${sql.param(transactionIds)}::text[]::xid8[])`)
    .orderBy(asc(broadcastEvents.id));

/** What no server has sent to the outside broadcaster yet; locked, so that no other one sends it meanwhile. */
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

/** Forgets what was told before. */
export async function deleteEventsBefore(connection: Connection, before: Date): Promise<void> {
  await connection.delete(broadcastEvents).where(lt(broadcastEvents.createdAt, before));
}

/** The client's first name, where they are on this case; null where the case is none of theirs. */
export async function findClientOnCase(
  connection: Connection,
  of: { clientId: string; caseId: string },
): Promise<{ firstName: string } | null> {
  const [row] = await connection
    .select({ firstName: clients.firstName })
    .from(caseClients)
    .innerJoin(clients, eq(clients.id, caseClients.clientId))
    .where(and(eq(caseClients.clientId, of.clientId), sql`${caseClients.caseId}::text = ${of.caseId}`));
  return row ?? null;
}

/** Of these sessions, those that hold at this moment, each with the first moment at which it may be over. */
export async function findLiveSessions(
  connection: Connection,
  of: { hashes: string[]; now: Date; idleAfter: number },
): Promise<Map<string, Date>> {
  const idle = sql`${sessions.lastUsedAt} + make_interval(secs => ${of.idleAfter})`;
  const rows = await connection
    .select({
      hash: sql<string>`encode(${sessions.tokenHash}, 'hex')`,
      endsAt: sql<string>`least(${sessions.expiresAt}, ${idle})`,
    })
    .from(sessions)
    .where(
      and(
        hasHashIn(of.hashes),
        isNull(sessions.revokedAt),
        sql`least(${sessions.expiresAt}, ${idle}) > ${of.now.toISOString()}::timestamptz`,
      ),
    );
  return new Map(rows.map(({ hash, endsAt }) => [hash, new Date(endsAt)]));
}

/** Whose these sessions are, or were while they are still known. */
export async function findClientsOfSessions(connection: Connection, hashes: string[]): Promise<string[]> {
  if (hashes.length === 0) return [];
  const rows = await connection
    .select({ clientId: sessions.clientId })
    .from(sessions)
    .where(hasHashIn(hashes));
  return rows.map(({ clientId }) => clientId);
}

/** @param hashes in hex */
const hasHashIn = (hashes: string[]) =>
  sql`${sessions.tokenHash} in (select decode(h, 'hex') from unnest(${sql.param(hashes)}::text[]) as h)`;

import { and, asc, eq, inArray, isNotNull, lt, ne, or, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import {
  disputeLookups,
  disputeReminders,
  disputes,
  ignoredDisputeObjects,
} from '../../schema/tables/dispute-tables.ts';
import { payments } from '../../schema/tables/payment-tables.ts';
import { conveyancingCases } from '../../schema/tables/tables.ts';
import type { DisputeRow, PaymentRow } from './rows.ts';

/** The SQL of disputes. */

/** The stored state of a dispute. */
export type DisputeRecord = Omit<DisputeRow, 'id' | 'createdAt' | 'updatedAt'>;

export const findDisputesOfPayment = (connection: Connection, paymentId: string): Promise<DisputeRow[]> =>
  connection.select().from(disputes).where(eq(disputes.paymentId, paymentId));

/** Finds the firm's reference of a case. */
export async function findCaseReference(connection: Connection, caseId: string): Promise<string> {
  const [row] = await connection
    .select({ reference: conveyancingCases.reference })
    .from(conveyancingCases)
    .where(eq(conveyancingCases.id, caseId));
  if (!row) throw new Error(`there is no case ${caseId}`);
  return row.reference;
}

/** Finds the disputes of these payments. */
export const findDisputesOfPayments = (
  connection: Connection,
  paymentIds: readonly string[],
): Promise<DisputeRow[]> =>
  // Passed as an array, because a statement can have at most 65,535 parameters.
  connection
    .select()
    .from(disputes)
    .where(sql`${disputes.paymentId} = any(${sql.param(paymentIds)}::uuid[])`);

/** Stores the state of a dispute. @returns our id of it */
export async function storeDispute(transaction: Transaction, record: DisputeRecord): Promise<string> {
  const [row] = await transaction
    .insert(disputes)
    .values({ id: newId(), ...record })
    .onConflictDoUpdate({
      target: [disputes.provider, disputes.providerDisputeId],
      set: { ...record, updatedAt: sql`now()` },
    })
    .returning({ id: disputes.id });
  if (!row) throw new Error('the dispute was not stored');
  return row.id;
}

/** Finds a dispute by our id or by the provider's. */
export async function findDispute(connection: Connection, id: string): Promise<DisputeRow | undefined> {
  const [row] = await connection
    .select()
    .from(disputes)
    .where(or(sql`${disputes.id}::text = ${id}`, eq(disputes.providerDisputeId, id)))
    .limit(1);
  return row;
}

/** Finds the intents of the disputes that can still change: those that are open, or were closed after a time. */
export async function findIntentsOfUnsettledDisputes(
  connection: Connection,
  query: { provider: PaymentRow['provider']; closedAfter: Date },
): Promise<string[]> {
  const rows = await connection
    .selectDistinct({ intentId: payments.providerIntentId })
    .from(disputes)
    .innerJoin(payments, eq(payments.id, disputes.paymentId))
    .where(
      and(
        eq(disputes.provider, query.provider),
        isNotNull(payments.providerIntentId),
        or(ne(disputes.status, 'closed'), sql`${disputes.closedAt} > ${query.closedAfter.toISOString()}`),
      ),
    );
  return rows.flatMap(({ intentId }) => intentId ?? []);
}

/** Returns the time of the last lookup at a provider; null if there was none. */
export async function findLastLookup(
  connection: Connection,
  { provider, subject }: Omit<typeof disputeLookups.$inferSelect, 'lookedAt'>,
): Promise<Date | null> {
  const [row] = await connection
    .select({ lookedAt: disputeLookups.lookedAt })
    .from(disputeLookups)
    .where(and(eq(disputeLookups.provider, provider), eq(disputeLookups.subject, subject)));
  return row?.lookedAt ?? null;
}

export async function storeLookup(
  connection: Connection,
  lookup: typeof disputeLookups.$inferInsert,
): Promise<void> {
  await connection
    .insert(disputeLookups)
    .values(lookup)
    .onConflictDoUpdate({
      target: [disputeLookups.provider, disputeLookups.subject],
      set: { lookedAt: lookup.lookedAt },
    });
}

/** Records that an object of the provider is about no payment of this installation. @returns false if that is recorded */
export async function ignoreObject(
  connection: Connection,
  ignored: typeof ignoredDisputeObjects.$inferInsert,
): Promise<boolean> {
  const { rowCount } = await connection.insert(ignoredDisputeObjects).values(ignored).onConflictDoNothing();
  return rowCount === 1;
}

/** Finds which of these objects are known to be about no payment of this installation. */
export async function findIgnoredObjects(
  connection: Connection,
  { provider, objectIds }: { provider: PaymentRow['provider']; objectIds: string[] },
): Promise<Set<string>> {
  if (objectIds.length === 0) return new Set();
  const rows = await connection
    .select({ objectId: ignoredDisputeObjects.objectId })
    .from(ignoredDisputeObjects)
    .where(
      and(eq(ignoredDisputeObjects.provider, provider), inArray(ignoredDisputeObjects.objectId, objectIds)),
    );
  return new Set(rows.map(({ objectId }) => objectId));
}

/** Locks the disputes that need an answer before a time until the end of the transaction. */
export const lockUnansweredDisputes = (transaction: Transaction, dueBefore: Date): Promise<DisputeRow[]> =>
  transaction
    .select()
    .from(disputes)
    .where(and(eq(disputes.status, 'needs_response'), lt(disputes.evidenceDueBy, dueBefore)))
    .orderBy(asc(disputes.evidenceDueBy))
    .for('update');

/** Finds the reminders of these disputes that were sent. */
export async function findReminders(connection: Connection, disputeIds: string[]) {
  if (disputeIds.length === 0) return [];
  return connection.select().from(disputeReminders).where(inArray(disputeReminders.disputeId, disputeIds));
}

export async function storeReminders(
  transaction: Transaction,
  reminders: (typeof disputeReminders.$inferInsert)[],
): Promise<void> {
  if (reminders.length === 0) return;
  await transaction.insert(disputeReminders).values(reminders).onConflictDoNothing();
}

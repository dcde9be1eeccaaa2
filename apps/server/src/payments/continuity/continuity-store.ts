import { isNull, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { prepareSql } from '../../platform/prepared-statement.ts';
import { paymentContinuity, payments } from '../../schema/tables/payment-tables.ts';

/** SQL for the continuity of the record of payments. */

export interface ContinuityState {
  rounds: number;
  checkedUntil: Date;
  pausedAt: Date | null;
  pausedReason: string | null;
  /** Intents without a payment here that an operator has dealt with. */
  leftIntents: string[];
  /** PostgreSQL's timeline, which changes when a standby takes over or a backup is rolled forward. */
  timeline: string;
  /** The number of the given payments that exist, or were erased. */
  found: number;
}

/** Reads the state, and counts which of these payments exist, in one statement: it runs before every payment. */
export async function readContinuity(
  connection: Connection,
  paymentIds: readonly string[] = [],
): Promise<ContinuityState> {
  const { rows } = await selectContinuity(connection, { paymentIds });
  const [row] = rows;
  if (!row) throw new Error('the table payment_continuity has no row');
  return {
    rounds: Number(row.rounds),
    checkedUntil: new Date(row.checked_until),
    pausedAt: row.closed_at === null ? null : new Date(row.closed_at),
    pausedReason: row.closed_reason,
    leftIntents: row.left_intents,
    timeline: row.timeline,
    found: row.found,
  };
}

const selectContinuity = prepareSql<
  {
    rounds: string;
    checked_until: string | Date;
    closed_at: string | Date | null;
    closed_reason: string | null;
    left_intents: string[];
    timeline: string;
    found: number;
  },
  { paymentIds: readonly string[] }
>(
  'read_payment_continuity',
  () => sql`
    select rounds, checked_until, closed_at, closed_reason, left_intents,
      left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline,
      (select count(*)::int from ${payments} where id = any(${sql.placeholder('paymentIds')}::uuid[]))
        + (select count(*)::int from erased_payments
          where payment_id = any(${sql.placeholder('paymentIds')}::uuid[])) as found
    from ${paymentContinuity}`,
);

/**
 * Records that the record and the provider agree up to a moment, unless payments are paused.
 * @returns the number of rounds so far
 */
export async function storeComparison(connection: Connection, checkedUntil: Date): Promise<number | null> {
  const [row] = await connection
    .update(paymentContinuity)
    .set({ rounds: sql`${paymentContinuity.rounds} + 1`, checkedUntil })
    .where(isNull(paymentContinuity.pausedAt))
    .returning({ rounds: paymentContinuity.rounds });
  return row?.rounds ?? null;
}

/** Pauses payments on all servers. @returns false if they were paused before */
export async function pausePayments(
  connection: Connection,
  { at, reason }: { at: Date; reason: string },
): Promise<boolean> {
  const { rowCount } = await connection
    .update(paymentContinuity)
    .set({ pausedAt: at, pausedReason: reason })
    .where(isNull(paymentContinuity.pausedAt));
  return rowCount === 1;
}

/** Larger than the number of rounds between a backup and its restore, so that the number never decreases. */
const roundsOfRecovery = 1_000_000_000;

/** Returns how many recoveries a number of rounds contains. */
export const recoveriesIn = (rounds: number): number => Math.floor(rounds / roundsOfRecovery);

/** Resumes payments after a recovery. @param recovery.left intents that are no longer reported as missing */
export async function resumePayments(
  connection: Connection,
  { checkedUntil, left }: { checkedUntil: Date; left: readonly string[] },
): Promise<void> {
  await connection.update(paymentContinuity).set({
    rounds: sql`${paymentContinuity.rounds} + ${roundsOfRecovery}`,
    checkedUntil,
    leftIntents: sql`${paymentContinuity.leftIntents} || ${sql.param([...left])}::text[]`,
    pausedAt: null,
    pausedReason: null,
  });
}

/** Reads when this installation started to write its id into intents; its earlier intents lack the id. */
export async function readLabelsSince(connection: Connection): Promise<Date> {
  const { rows } = await connection.execute<{ applied_at: string | Date }>(
    sql`select applied_at from schema_migrations where number = 1`,
  );
  const [row] = rows;
  if (!row) throw new Error('the tables of the baseline were not created');
  return new Date(row.applied_at);
}

/** Finds which of these payments, cases and intents this database has. */
export async function findKnownIntents(
  connection: Connection,
  query: { paymentIds: string[]; caseIds: string[] },
): Promise<{ paymentIds: Set<string>; caseIds: Set<string> }> {
  const { rows } = await connection.execute<{ payment_id: string | null; case_id: string | null }>(sql`
    select id as payment_id, null::uuid as case_id from ${payments}
      where id = any(${sql.param(query.paymentIds)}::uuid[])
    union all
    select null, id from conveyancing_cases where id = any(${sql.param(query.caseIds)}::uuid[])`);
  return {
    paymentIds: new Set(rows.flatMap(({ payment_id }) => payment_id ?? [])),
    caseIds: new Set(rows.flatMap(({ case_id }) => case_id ?? [])),
  };
}

import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Connection } from '../../platform/database.ts';

interface BatchLimits {
  /** Rows of a statement; 1,000 by default. */
  batchSize?: number;
  /** The maximum number of statements, for callers that wait; by default there is none. */
  maxBatches?: number;
}

/**
 * Deletes rows up to a time, the oldest first. Each batch is a separate statement, so that locks and transactions are
 * short. Locked rows are left to the next call.
 * @param rows.age an indexed column
 * @param rows.where leaves out the other rows; by default none
 * @param until rows up to and including this time are deleted; SQL for a time of the database’s clock
 * @returns how many were deleted
 */
export async function deleteExpiredRows(
  connection: Connection,
  rows: { table: PgTable; age: AnyPgColumn; where?: SQL },
  until: Date | SQL,
  { batchSize = 1_000, maxBatches = Number.POSITIVE_INFINITY }: BatchLimits = {},
): Promise<number> {
  let deleted = 0;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const { rowCount } = await connection.execute(deleteBatch(rows, until, batchSize));
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < batchSize) break;
  }
  return deleted;
}

const deleteBatch = (
  { table, age, where = sql`true` }: { table: PgTable; age: AnyPgColumn; where?: SQL },
  until: Date | SQL,
  batchSize: number,
): SQL => sql`
  delete from ${table} where ctid = any(array(
    select ctid from ${table} where ${age} <= ${until instanceof Date ? sql`${until.toISOString()}::timestamptz` : until} and ${where}
    order by ${age} limit ${batchSize} for update skip locked))`;

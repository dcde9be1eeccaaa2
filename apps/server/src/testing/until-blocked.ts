import type { TestDatabase } from '@keyturn/testkit';

/** Waits until this many sessions of the database wait for a lock. */
export async function untilBlocked({ pool }: Pick<TestDatabase, 'pool'>, sessions = 1): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length >= sessions) return;
  }
}

/**
 * Starts work while no one can write to a table, and waits until each has come to a lock, so that all of it has read what it
 * decides by before any is written.
 */
export async function startTogether<Result>(
  database: Pick<TestDatabase, 'pool'>,
  table: string,
  work: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  const other = await database.pool.connect();
  await other.query(`begin; lock table ${table} in exclusive mode`);
  const started = work.map((start) => start());
  await untilBlocked(database, work.length);
  await other.query('commit');
  other.release();
  return Promise.all(started);
}

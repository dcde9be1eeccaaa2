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

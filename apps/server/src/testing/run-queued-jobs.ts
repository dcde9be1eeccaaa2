import type pg from 'pg';

/**
 * Does the work of the queued jobs of one name, in their order. A job that fails stays queued.
 * @returns how many there were
 */
export async function runQueuedJobs(
  pool: pg.Pool,
  name: string,
  work: (payload: unknown) => Promise<void>,
): Promise<number> {
  const { rows } = await pool.query(
    `select j.id, j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = $1 order by j.id`,
    [name],
  );
  for (const { id, payload } of rows) {
    await work(payload);
    await pool.query('delete from graphile_worker._private_jobs where id = $1', [id]);
  }
  return rows.length;
}

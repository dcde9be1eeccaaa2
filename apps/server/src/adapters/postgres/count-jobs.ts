import type pg from 'pg';

/** Counts the jobs in the queue by state: `waiting`, `retrying`, and `failed` (permanently). */
export async function countJobs(pool: pg.Pool): Promise<{ labels: { state: string }; value: number }[]> {
  const { rows } = await pool.query<{ waiting: number; retrying: number; failed: number }>(
    `select count(*) filter (where attempts = 0)::int as waiting,
       count(*) filter (where attempts between 1 and max_attempts - 1)::int as retrying,
       count(*) filter (where attempts >= max_attempts)::int as failed
     from graphile_worker.jobs`,
  );
  const [{ waiting, retrying, failed } = { waiting: 0, retrying: 0, failed: 0 }] = rows;
  return [
    { labels: { state: 'waiting' }, value: waiting },
    { labels: { state: 'retrying' }, value: retrying },
    { labels: { state: 'failed' }, value: failed },
  ];
}

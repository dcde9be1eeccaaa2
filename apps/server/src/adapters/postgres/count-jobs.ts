import type pg from 'pg';

/** How many jobs are in the queue, by how they fare: `waiting`, `failing` (tried again), `given-up`. */
export async function countJobs(pool: pg.Pool): Promise<{ labels: { state: string }; value: number }[]> {
  const { rows } = await pool.query<{ waiting: number; failing: number; given_up: number }>(
    `select count(*) filter (where attempts = 0)::int as waiting,
       count(*) filter (where attempts between 1 and max_attempts - 1)::int as failing,
       count(*) filter (where attempts >= max_attempts)::int as given_up
     from graphile_worker.jobs`,
  );
  const [{ waiting, failing, given_up } = { waiting: 0, failing: 0, given_up: 0 }] = rows;
  return [
    { labels: { state: 'waiting' }, value: waiting },
    { labels: { state: 'failing' }, value: failing },
    { labels: { state: 'given-up' }, value: given_up },
  ];
}

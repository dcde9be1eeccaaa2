import type { World } from './start-system.ts';

const hour = 3_600_000;

/** The periodic jobs about payments, and their intervals in milliseconds. */
const intervals = { 'sync-refunds': hour / 6, 'check-disputes': hour, 'fetch-balance': hour };

/**
 * Queues the periodic jobs that are due after a jump of the clock: the job queue's own schedule follows the machine's
 * clock, which the histories do not move.
 */
export async function runPeriodicJobs({ pool }: Pick<World, 'pool'>, jumped: number): Promise<void> {
  const due = Object.entries(intervals).flatMap(([name, interval]) => (jumped >= interval ? [name] : []));
  const add = 'select graphile_worker.add_job(name, job_key => name) from unnest($1::text[]) as name';
  // While the database is down, no job is queued either.
  await pool.query(add, [due]).catch(() => {});
}

/** @returns whether periodic jobs wait or run */
export async function isPeriodicJobQueued({ pool }: Pick<World, 'pool'>): Promise<boolean> {
  const { rows } = await pool.query<{ queued: boolean }>(
    'select exists (select 1 from graphile_worker.jobs where task_identifier = any($1)) as queued',
    [Object.keys(intervals)],
  );
  return rows[0]?.queued ?? true;
}

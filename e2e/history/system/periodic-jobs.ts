import { setTimeout as pause } from 'node:timers/promises';
import type { World } from './start-system.ts';
import { within } from './within.ts';

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

/** Waits until no periodic job is due or runs. Jobs that failed permanently or wait for a retry are not due. */
export async function waitForPeriodicJobs({ pool }: Pick<World, 'pool'>): Promise<void> {
  const findDue = async () => {
    const { rows } = await pool.query<{ job: string }>(
      `select task_identifier || ', attempt ' || attempts || ', locked at ' || coalesce(locked_at::text, '-')
         as job
       from graphile_worker.jobs
       where task_identifier = any($1)
         and (locked_at is not null or (run_at <= now() and attempts < max_attempts))`,
      [Object.keys(intervals)],
    );
    return rows.map(({ job }) => job);
  };
  let due: string[];
  const waitUntilNoneIsDue = async () => {
    do {
      await pause(500);
      due = await findDue();
    } while (due.length > 0);
  };
  await within(150, 'Running the periodic jobs', waitUntilNoneIsDue(), () => due.join('; '));
}

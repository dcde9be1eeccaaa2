import type { Job } from 'graphile-worker';
import type pg from 'pg';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import { describeError } from '../../platform/describe-error.ts';

export interface JobLockOptions {
  pool: pg.Pool;
  alertOperator: AlertOperator;
  /** Milliseconds: an older lock belongs to a server that died. */
  maxLockAge?: number;
  /** Milliseconds for which the lock of a job is renewed: one that runs for longer does not end any more. */
  maxRun?: number;
}

export interface JobLocks {
  /** Releases the jobs of dead servers, immediately and repeatedly, and renews the locks of the jobs in progress here. */
  start(): Promise<void>;
  /** Runs the work of a job, whose lock is renewed meanwhile. */
  during<Result>(job: Job, work: () => Promise<Result>): Promise<Result>;
  /** Returns the jobs in progress here to the queue. */
  release(): Promise<void>;
  stop(): void;
}

/**
 * Creates the locks of one server. The queue itself releases the jobs of a dead server only after four hours, and
 * never renews a lock. All times are those of the database.
 */
export function createJobLocks(options: JobLockOptions): JobLocks {
  const { pool, alertOperator, maxLockAge = 60_000, maxRun = 3_600_000 } = options;
  const inProgress = new Map<Job, number>();
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;

  /** Ends the renewal of jobs that have run for too long, so that another server can run them. */
  const expire = () => {
    for (const [job, startedAt] of inProgress) {
      if (performance.now() - startedAt < maxRun) continue;
      inProgress.delete(job);
      alertOperator('a job does not end, and may run a second time', {
        job: job.task_identifier,
        id: job.id,
      });
    }
  };
  const renew = () =>
    pool.query(
      `update graphile_worker._private_jobs as job set locked_at = now()
       from unnest($1::bigint[], $2::text[]) as own (id, worker)
       where job.id = own.id and job.locked_by = own.worker`,
      [[...inProgress.keys()].map(({ id }) => id), [...inProgress.keys()].map(({ locked_by }) => locked_by)],
    );
  const unlock = () =>
    pool.query(
      `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
       from graphile_worker.jobs where locked_at < now() - $1 * interval '1 millisecond'`,
      [maxLockAge],
    );
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      expire();
      if (inProgress.size > 0) await renew();
      await unlock();
    } catch (error) {
      alertOperator('the locks of jobs could not be renewed or released', {
        reason: describeError(error).message,
      });
    } finally {
      isRunning = false;
    }
  };
  return {
    start: async () => {
      await run();
      timer = setInterval(() => void run(), maxLockAge / 3);
    },
    during: async (job, work) => {
      inProgress.set(job, performance.now());
      try {
        return await work();
      } finally {
        inProgress.delete(job);
      }
    },
    release: async () => {
      const workers = [...inProgress.keys()].map(({ locked_by }) => locked_by);
      await pool.query('select graphile_worker.force_unlock_workers($1)', [workers]);
    },
    stop: () => clearInterval(timer),
  };
}

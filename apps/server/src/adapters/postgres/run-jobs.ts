import { setTimeout as pause } from 'node:timers/promises';
import type { JobHelpers, LogFunctionFactory, Runner } from 'graphile-worker';
import type pg from 'pg';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import { describeError } from '../../platform/describe-error.ts';
import type { JobHandler } from '../../platform/jobs.ts';
import { inSpan } from '../../platform/tracing/spans.ts';
import { withRetriedStatements } from './retried-statements.ts';

export interface JobRunnerOptions {
  pool: pg.Pool;
  handlers: JobHandler[];
  /** Called for jobs that failed permanently, and for problems of the queue. */
  alertOperator: AlertOperator;
}

export interface JobRunner {
  start(): Promise<void>;
  /** Waits a few seconds for jobs in progress, then returns them to the queue. */
  stop(): Promise<void>;
}

/** Milliseconds, longer than any job may take: an older lock belongs to a server that died. */
const maxLockAge = 60_000;
/** Milliseconds that a stop waits for jobs in progress. */
const stopTimeout = 4_000;

/** Creates the worker of the job queue, which runs a few jobs at a time as soon as they are committed. */
export function createJobRunner({ pool, handlers, alertOperator }: JobRunnerOptions): JobRunner {
  let runner: Runner | undefined;
  let unlocking: NodeJS.Timeout | undefined;
  const ownLocks = new Set<string>();
  // The queue itself releases the jobs of a dead server only after four hours.
  const unlock = () =>
    pool
      .query(
        `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
         from graphile_worker.jobs where locked_at < now() - $1 * interval '1 millisecond'`,
        [maxLockAge],
      )
      .catch((error: unknown) =>
        alertOperator('jobs of a dead server could not be unlocked', {
          reason: describeError(error).message,
        }),
      );
  return {
    start: async () => {
      await unlock();
      unlocking = setInterval(() => void unlock(), maxLockAge / 2);
      // Loaded only once the server is listening, because the package loads slowly.
      const { Logger, parseCronItems, run } = await import('graphile-worker');
      const factory: LogFunctionFactory = () => (level, message) => {
        if (level === 'error')
          alertOperator('the job queue reported a problem', { reason: message.split('\n')[0] });
      };
      runner = await run({
        pgPool: withRetriedStatements(pool),
        concurrency: 3,
        noHandleSignals: true,
        // Only one of the servers adds each run; runs missed while no server was up are skipped.
        parsedCronItems: parseCronItems(
          handlers.flatMap(({ name, schedule }) =>
            schedule === undefined
              ? []
              : [{ match: schedule, task: name, options: { backfillPeriod: 0, maxAttempts: 3 } }],
          ),
        ),
        logger: new Logger(factory),
        taskList: Object.fromEntries(
          handlers.map(({ name, work }) => [
            name,
            async (payload: unknown, { job }: JobHelpers) => {
              if (job.locked_by) ownLocks.add(job.locked_by);
              try {
                await inSpan({ name: `job ${name}`, kind: 'consumer' }, () => work(payload));
              } catch (error) {
                if (job.attempts >= job.max_attempts) {
                  alertOperator('a job failed permanently and needs manual action', {
                    job: name,
                    id: job.id,
                  });
                }
                // The queue stores the error message, which must not contain values.
                throw new Error(describeError(error).message);
              }
            },
          ]),
        ),
      });
      // Rejects only if the runner stops; the logger reports all other problems.
      runner.promise.catch((error: unknown) =>
        alertOperator('the job queue has stopped', { reason: describeError(error).message }),
      );
    },
    stop: async () => {
      clearInterval(unlocking);
      const stopping = runner?.stop().then(
        () => 'stopped',
        () => 'stopped',
      );
      const outcome = await Promise.race([stopping, pause(stopTimeout)]);
      if (outcome === 'stopped') return;
      await pool.query('select graphile_worker.force_unlock_workers($1)', [[...ownLocks]]).catch(() => {});
      await Promise.race([runner?.kill().catch(() => {}), pause(1_000)]);
    },
  };
}

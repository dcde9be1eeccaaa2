import { setTimeout as pause } from 'node:timers/promises';
import type { JobHelpers, LogFunctionFactory, Runner } from 'graphile-worker';
import type pg from 'pg';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import { describeError } from '../../platform/describe-error.ts';
import type { JobHandler } from '../../platform/jobs.ts';

export interface JobRunnerOptions {
  pool: pg.Pool;
  handlers: JobHandler[];
  /** Told of every failed attempt. */
  alertOperator: AlertOperator;
}

export interface JobRunner {
  start(): Promise<void>;
  /** Lets the work under way finish. */
  stop(): Promise<void>;
}

/** Milliseconds: longer than any job may take. A lock that is older belongs to a server that died. */
const longestLock = 60_000;
/** Milliseconds that a stop waits for the jobs under way; then they are handed back. */
const patience = 4_000;

/** Does the jobs of the queue, a few at a time, as soon as they are committed. */
export function createJobRunner({ pool, handlers, alertOperator }: JobRunnerOptions): JobRunner {
  let runner: Runner | undefined;
  let unlocking: NodeJS.Timeout | undefined;
  const ownLocks = new Set<string>();
  // The queue itself gives the jobs of a dead server back after four hours only.
  const unlock = () =>
    pool
      .query(
        `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
         from graphile_worker.jobs where locked_at < now() - $1 * interval '1 millisecond'`,
        [longestLock],
      )
      .catch((error: unknown) =>
        alertOperator('jobs of a dead server stay locked', { reason: describeError(error).message }),
      );
  return {
    start: async () => {
      await unlock();
      unlocking = setInterval(() => void unlock(), longestLock / 2);
      // Not before the server serves: the package takes a moment to load.
      const { Logger, parseCronItems, run } = await import('graphile-worker');
      const factory: LogFunctionFactory = () => (level, message) => {
        if (level === 'error')
          alertOperator('the job queue has a problem', { reason: message.split('\n')[0] });
      };
      runner = await run({
        pgPool: pool,
        concurrency: 3,
        noHandleSignals: true,
        // One server of all of them asks for it each time; what was missed while none ran is not made up for.
        parsedCronItems: parseCronItems(
          handlers.flatMap(({ name, at }) =>
            at === undefined
              ? []
              : [{ match: at, task: name, options: { backfillPeriod: 0, maxAttempts: 3 } }],
          ),
        ),
        logger: new Logger(factory),
        taskList: Object.fromEntries(
          handlers.map(({ name, work }) => [
            name,
            async (payload: unknown, { job }: JobHelpers) => {
              if (job.locked_by) ownLocks.add(job.locked_by);
              try {
                await work(payload);
              } catch (error) {
                if (job.attempts >= job.max_attempts) {
                  alertOperator('a job is given up: a person has to do it', { job: name, id: job.id });
                }
                // The queue keeps the message of what is thrown: it gets one without values.
                throw new Error(describeError(error).message);
              }
            },
          ]),
        ),
      });
      // Ends with the runner; what breaks it is told by the logger, and it goes on by itself.
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
      const outcome = await Promise.race([stopping, pause(patience)]);
      if (outcome === 'stopped') return;
      await pool.query('select graphile_worker.force_unlock_workers($1)', [[...ownLocks]]).catch(() => {});
      await Promise.race([runner?.kill().catch(() => {}), pause(1_000)]);
    },
  };
}

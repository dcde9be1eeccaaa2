import { setTimeout as pause } from 'node:timers/promises';
import type { JobHelpers, LogFunctionFactory, Runner } from 'graphile-worker';
import type pg from 'pg';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import { describeError } from '../../platform/describe-error.ts';
import type { JobHandler } from '../../platform/jobs.ts';
import { inSpan } from '../../platform/tracing/spans.ts';
import { createJobLocks, type JobLockOptions, type JobLocks } from './job-locks.ts';
import { withRetriedStatements } from './retried-statements.ts';

export interface JobRunnerOptions {
  pool: pg.Pool;
  handlers: JobHandler[];
  /** Called for jobs that failed permanently, and for problems of the queue. */
  alertOperator: AlertOperator;
  locks?: Pick<JobLockOptions, 'maxLockAge' | 'maxRun'>;
}

export interface JobRunner {
  start(): Promise<void>;
  /** Waits a few seconds for jobs in progress, then returns them to the queue. */
  stop(): Promise<void>;
}

/** Milliseconds that a stop waits for jobs in progress. */
const stopTimeout = 4_000;

/** Creates the worker of the job queue, which runs a few jobs at a time as soon as they are committed. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { pool, alertOperator } = options;
  const locks = createJobLocks({ pool, alertOperator, ...options.locks });
  let starting: Promise<Runner> | undefined;
  const start = async () => {
    await locks.start();
    return startRunner(options, locks);
  };
  return {
    start: async () => {
      starting = start();
      const runner = await starting;
      // Rejects only if the runner stops; the logger reports all other problems.
      runner.promise.catch((error: unknown) =>
        alertOperator('the job queue has stopped', { reason: describeError(error).message }),
      );
    },
    stop: async () => {
      const runner = await starting?.catch(() => undefined);
      const stopping = runner?.stop().then(
        () => 'stopped',
        () => 'stopped',
      );
      const outcome = await Promise.race([stopping, pause(stopTimeout, undefined, { ref: false })]);
      locks.stop();
      if (runner === undefined || outcome === 'stopped') return;
      await locks.release().catch(() => {});
      await Promise.race([runner.kill().catch(() => {}), pause(1_000, undefined, { ref: false })]);
    },
  };
}

async function startRunner(
  { pool, handlers, alertOperator }: JobRunnerOptions,
  locks: JobLocks,
): Promise<Runner> {
  // Loaded only once the server is listening, because the package loads slowly.
  const { Logger, parseCronItems, run } = await import('graphile-worker');
  const factory: LogFunctionFactory = () => (level, message) => {
    if (level === 'error')
      alertOperator('the job queue reported a problem', { reason: message.split('\n')[0] });
  };
  return run({
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
          try {
            await locks.during(job, () =>
              inSpan({ name: `job ${name}`, kind: 'consumer' }, () => work(payload)),
            );
          } catch (error) {
            if (job.attempts >= job.max_attempts) {
              alertOperator('a job failed permanently and needs manual action', { job: name, id: job.id });
            }
            // The queue stores the error message, which must not contain values.
            throw new Error(describeError(error).message);
          }
        },
      ]),
    ),
  });
}

import type { LogFunctionFactory, Runner } from 'graphile-worker';
import type pg from 'pg';
import { describeError } from '../../platform/describe-error.ts';
import type { JobHandler } from '../../platform/jobs.ts';

export interface JobRunnerOptions {
  pool: pg.Pool;
  handlers: JobHandler[];
  /** Told of every failed attempt. */
  onFailure(message: string, details: Record<string, unknown>): void;
}

export interface JobRunner {
  start(): Promise<void>;
  /** Lets the work under way finish. */
  stop(): Promise<void>;
}

/** Does the jobs of the queue, a few at a time, as soon as they are committed. */
export function createJobRunner({ pool, handlers, onFailure }: JobRunnerOptions): JobRunner {
  let runner: Runner | undefined;
  return {
    start: async () => {
      // Not before the server serves: the package takes a moment to load.
      const { Logger, run } = await import('graphile-worker');
      const factory: LogFunctionFactory = () => (level, message) => {
        if (level === 'error') onFailure('the job queue has a problem', { reason: message.split('\n')[0] });
      };
      runner = await run({
        pgPool: pool,
        concurrency: 3,
        noHandleSignals: true,
        parsedCronItems: [],
        logger: new Logger(factory),
        taskList: Object.fromEntries(
          handlers.map(({ name, work }) => [
            name,
            async (payload: unknown) => {
              try {
                await work(payload);
              } catch (error) {
                // The queue keeps the message of what is thrown: it gets one without values.
                throw new Error(describeError(error).message);
              }
            },
          ]),
        ),
      });
      // Ends with the runner; what breaks it is told by the logger, and it goes on by itself.
      runner.promise.catch((error: unknown) =>
        onFailure('the job queue has stopped', { reason: describeError(error).message }),
      );
    },
    stop: async () => {
      await runner?.stop().catch(() => {});
    },
  };
}

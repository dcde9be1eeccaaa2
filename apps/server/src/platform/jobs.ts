import { sql } from 'drizzle-orm';
import type { Connection } from './database.ts';

/**
 * Work that one of the servers does after the transaction commits, and retries until it succeeds; handlers must be
 * idempotent. The queue is part of the database (graphile-worker), so that a job is as durable as the change that
 * added it.
 */
export interface Job<Payload extends object> {
  name: string;
  /**
   * Adds a job within the caller's transaction. The payload is stored as JSON and must not contain secrets.
   * @param options.key at most one job with this key waits in the queue, with the last payload
   * @param options.delay seconds before the work; a job that waits already keeps its time
   */
  add(connection: Connection, payload: Payload, options?: { key?: string; delay?: number }): Promise<void>;
  /** Returns a handler that does the work of the job. */
  handledBy(work: (payload: Payload) => Promise<void>): JobHandler;
}

export interface JobHandler {
  name: string;
  /** Cron schedule in UTC for a recurring job: `7 * * * *` is seven minutes past each hour. */
  schedule?: string;
  work(payload: unknown): Promise<void>;
}

export function defineJob<Payload extends object>(name: string): Job<Payload> {
  return {
    name,
    add: async (connection, payload, { key, delay } = {}) => {
      await connection.execute(sql`
        select graphile_worker.add_job(
          ${name}, ${JSON.stringify(payload)}::json, job_key => ${key ?? null}::text,
          run_at => now() + make_interval(secs => ${delay ?? 0}),
          job_key_mode => ${delay === undefined ? 'replace' : 'preserve_run_at'})`);
    },
    handledBy: (work) => ({ name, work: (payload) => work(payload as Payload) }),
  };
}

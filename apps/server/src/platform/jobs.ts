import { sql } from 'drizzle-orm';
import type { Connection } from './database.ts';

/**
 * Work that is done after the commit, on whichever server comes first, and again until it succeeds: so every handler
 * tolerates a repeat. The queue is a part of the database (graphile-worker), and a job is as durable as the change that
 * asked for it.
 */
export interface Job<Payload extends object> {
  name: string;
  /**
   * Asks for the work within the caller's transaction. The payload is kept as JSON: no secrets in it.
   * @param key at most one job with this key waits at a time
   */
  add(connection: Connection, payload: Payload, options?: { key?: string }): Promise<void>;
  /** Binds the work to the job, for whoever runs them. */
  handledBy(work: (payload: Payload) => Promise<void>): JobHandler;
}

export interface JobHandler {
  name: string;
  /** When it is done by itself, as cron writes it, in UTC: `7 * * * *` is seven minutes past each hour. */
  at?: string;
  work(payload: unknown): Promise<void>;
}

export function defineJob<Payload extends object>(name: string): Job<Payload> {
  return {
    name,
    add: async (connection, payload, { key } = {}) => {
      await connection.execute(sql`
        select graphile_worker.add_job(
          ${name}, ${JSON.stringify(payload)}::json, job_key => ${key ?? null}::text)`);
    },
    handledBy: (work) => ({ name, work: (payload) => work(payload as Payload) }),
  };
}

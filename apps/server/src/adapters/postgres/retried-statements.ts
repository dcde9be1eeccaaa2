import type pg from 'pg';
import { isTemporaryFailure } from '../../platform/temporary-failure.ts';
import { replaceMethod } from './replace-method.ts';

/** PostgreSQL's code for "cannot connect now", after which graphile-worker repeats a statement. */
const retriedCode = '57P03';

/**
 * Wraps a pool for the job queue so that statements are repeated after a lost connection. graphile-worker repeats
 * only after errors with certain codes, and `pg` gives a lost connection none. Without this, losing the connection
 * just when the end of a job is recorded would end the process, because graphile-worker does not handle that error.
 */
export function withRetriedStatements(pool: pg.Pool): pg.Pool {
  type OnConnect = Parameters<pg.Pool['connect']>[0];
  const connect = (onConnect?: OnConnect) => {
    // For notifications: graphile-worker connects again by itself.
    if (onConnect) return pool.connect(onConnect);
    // A stopping server has left this job to the next one. graphile-worker does not handle a rejection here.
    if (pool.ending) return new Promise<never>(() => {});
    return withRetriedCode(async () => {
      const client = await pool.connect();
      return replaceMethod(client, 'query', (...values: unknown[]) =>
        withRetriedCode(() => Reflect.apply(client.query, client, values)),
      );
    });
  };
  return replaceMethod(pool, 'connect', connect);
}

async function withRetriedCode<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && isTemporaryFailure(error)) Object.assign(error, { code: retriedCode });
    throw error;
  }
}

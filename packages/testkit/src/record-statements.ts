import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

export interface SentStatement {
  /** The name of a prepared statement. */
  name?: string;
  text: string;
  values: unknown[];
}

const recording = new AsyncLocalStorage<SentStatement[]>();
// Must run before any connection is opened, because the server's pools wrap the method of each connection.
recordQueries();

/** Lists the statements that `work` sends to PostgreSQL, over any pool of this process. */
export async function recordStatements(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  await recording.run(sent, work);
  return sent;
}

function recordQueries() {
  const query = pg.Client.prototype.query as (...values: unknown[]) => unknown;
  pg.Client.prototype.query = function recorded(this: pg.Client, ...args: unknown[]) {
    recording.getStore()?.push(toStatement(args as [string | pg.QueryConfig, unknown]));
    return query.apply(this, args);
  } as typeof pg.Client.prototype.query;
}

function toStatement([config, second]: [string | pg.QueryConfig, unknown]): SentStatement {
  const values = Array.isArray(second) ? second : [];
  if (typeof config === 'string') return { text: config, values };
  const { name, text } = config;
  return { ...(name ? { name } : {}), text, values: config.values ?? values };
}

import { type ConnectedDatabase, connectDatabase } from '@keyturn/server/adapters/postgres/connect.ts';
import type { QueryConfig } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { TestDatabase } from './test-database.ts';

export interface CountingDatabase extends ConnectedDatabase {
  /** Counts the statements sent while `work` runs, including `begin` and `commit`. */
  countStatementsOf(work: () => Promise<unknown>): Promise<number>;
  /** Lists the statements sent while `work` runs: the name of a prepared one, or the start of its SQL. */
  listStatementsOf(work: () => Promise<unknown>): Promise<string[]>;
}

/** Opens a second pool on a test database that counts the statements sent to PostgreSQL. */
export function countStatements(url: string): CountingDatabase {
  const connected = connectDatabase({ url, size: 2 });
  const sent: string[] = [];
  connected.pool.on('connect', (client) => {
    const query = client.query;
    client.query = function counted(this: unknown, ...args: unknown[]) {
      sent.push(describe(args[0] as string | QueryConfig));
      return Reflect.apply(query, this, args);
    } as typeof query;
  });
  return {
    ...connected,
    countStatementsOf: async (work) => {
      const before = sent.length;
      await work();
      return sent.length - before;
    },
    listStatementsOf: async (work) => {
      const before = sent.length;
      await work();
      return sent.slice(before);
    },
  };
}

const describe = (query: string | QueryConfig): string =>
  typeof query === 'string' ? query : (query.name ?? query.text.trim().split(/\s+/, 2).join(' '));

/** Opens a counting pool on a database for all tests of a file. */
export function withStatementCount(testDatabase: TestDatabase): CountingDatabase {
  const counting = {} as CountingDatabase;
  beforeAll(() => {
    Object.assign(counting, countStatements(testDatabase.url));
  });
  afterAll(() => counting.close());
  return counting;
}

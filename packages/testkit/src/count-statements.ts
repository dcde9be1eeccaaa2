import { type ConnectedDatabase, connectDatabase } from '@keyturn/server/adapters/postgres/connect.ts';
import { afterAll, beforeAll } from 'vitest';
import type { TestDatabase } from './test-database.ts';

export interface CountingDatabase extends ConnectedDatabase {
  /** Counts the statements sent while `work` runs, including `begin` and `commit`. */
  countStatementsOf(work: () => Promise<unknown>): Promise<number>;
}

/** Opens a second pool on a test database that counts the statements sent to PostgreSQL. */
export function countStatements(url: string): CountingDatabase {
  const connected = connectDatabase({ url, size: 2 });
  let sent = 0;
  connected.pool.on('connect', (client) => {
    const query = client.query;
    client.query = function counted(this: unknown, ...args: unknown[]) {
      sent++;
      return Reflect.apply(query, this, args);
    } as typeof query;
  });
  return {
    ...connected,
    countStatementsOf: async (work) => {
      const before = sent;
      await work();
      return sent - before;
    },
  };
}

/** Opens a counting pool on a database for all tests of a file. */
export function withStatementCount(testDatabase: TestDatabase): CountingDatabase {
  const counting = {} as CountingDatabase;
  beforeAll(() => {
    Object.assign(counting, countStatements(testDatabase.url));
  });
  afterAll(() => counting.close());
  return counting;
}

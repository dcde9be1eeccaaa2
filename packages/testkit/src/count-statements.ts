import { type ConnectedDatabase, connectDatabase } from '@keyturn/server/adapters/postgres/connect.ts';
import { afterAll, beforeAll } from 'vitest';
import type { TestDatabase } from './test-database.ts';

export interface CountingDatabase extends ConnectedDatabase {
  /** Statements sent while `work` ran; those of a transaction's frame count too. */
  countStatementsOf(work: () => Promise<unknown>): Promise<number>;
}

/** A second pool on a test database, which tells how many statements went to PostgreSQL. */
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

/** For a test file: `countStatements` of its database, from its first test to its last. */
export function withStatementCount(testDatabase: TestDatabase): CountingDatabase {
  const counted = {} as CountingDatabase;
  beforeAll(() => {
    Object.assign(counted, countStatements(testDatabase.url));
  });
  afterAll(() => counted.close());
  return counted;
}

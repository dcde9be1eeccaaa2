import { withTestDatabase } from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runTransaction } from './run-transaction.ts';

const testDatabase = withTestDatabase();
beforeAll(async () => {
  await testDatabase.pool.query('create table counted (name text primary key, n integer not null)');
});
beforeEach(() =>
  testDatabase.pool
    .query("truncate counted; insert into counted values ('one', 0), ('other', 0)")
    .then(() => {}),
);

const total = async () =>
  (await testDatabase.pool.query('select sum(n)::int as n from counted')).rows[0].n as number;

/** Runs two transactions that lock two rows in opposite order, so that PostgreSQL aborts one of them. */
function deadlock(run: typeof runTransaction) {
  let arrived = 0;
  let release = () => {};
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  const count = (names: [string, string]) =>
    run(testDatabase.database, async (transaction) => {
      await transaction.execute(sql`update counted set n = n + 1 where name = ${names[0]}`);
      arrived += 1;
      if (arrived === 2) release();
      await both;
      await transaction.execute(sql`update counted set n = n + 1 where name = ${names[1]}`);
    });
  return Promise.allSettled([count(['one', 'other']), count(['other', 'one'])]);
}

describe('runTransaction', () => {
  test('fault 34: retries a transaction that was aborted by a deadlock, and commits it once', async () => {
    expect((await deadlock(runTransaction)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await total()).toBe(4);
  });

  test('control: without the retry, the deadlock fails one transaction', async () => {
    const outcomes = await deadlock((database, work) => database.transaction(work));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('does not retry a transaction that fails for another reason', async () => {
    let times = 0;
    const failing = runTransaction(testDatabase.database, async (transaction) => {
      times += 1;
      await transaction.execute(sql`insert into counted values ('one', 1)`);
    });
    await expect(failing).rejects.toMatchObject({ cause: { code: '23505' } });
    expect(times).toBe(1);
  });

  test('fault 34: a transaction throws the last error after four failed attempts', async () => {
    let times = 0;
    const failing = runTransaction(testDatabase.database, async (transaction) => {
      times += 1;
      await transaction.execute(sql`do $$ begin raise exception using errcode = '40001'; end $$`);
    });
    await expect(failing).rejects.toMatchObject({ cause: { code: '40001' } });
    expect(times).toBe(4);
  });
});

import { withTestDatabase } from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runTransaction } from './run-transaction.ts';

const stored = withTestDatabase();
beforeAll(async () => {
  await stored.pool.query('create table counted (name text primary key, n integer not null)');
});
beforeEach(() =>
  stored.pool.query("truncate counted; insert into counted values ('one', 0), ('other', 0)").then(() => {}),
);

const total = async () =>
  (await stored.pool.query('select sum(n)::int as n from counted')).rows[0].n as number;

/** Two that count in opposite order, each only once the other has counted first: one of them is given up. */
function deadlock(run: typeof runTransaction) {
  let arrived = 0;
  let release = () => {};
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  const count = (names: [string, string]) =>
    run(stored.database, async (transaction) => {
      await transaction.execute(sql`update counted set n = n + 1 where name = ${names[0]}`);
      arrived += 1;
      if (arrived === 2) release();
      await both;
      await transaction.execute(sql`update counted set n = n + 1 where name = ${names[1]}`);
    });
  return Promise.allSettled([count(['one', 'other']), count(['other', 'one'])]);
}

describe('a transaction', () => {
  test('that PostgreSQL gave up for a deadlock is done again, and once', async () => {
    expect((await deadlock(runTransaction)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await total()).toBe(4);
  });

  test('without that is lost to the deadlock', async () => {
    const outcomes = await deadlock((database, work) => database.transaction(work));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('that fails for another reason is not done again', async () => {
    let times = 0;
    const failing = runTransaction(stored.database, async (transaction) => {
      times += 1;
      await transaction.execute(sql`insert into counted values ('one', 1)`);
    });
    await expect(failing).rejects.toMatchObject({ cause: { code: '23505' } });
    expect(times).toBe(1);
  });

  test('that is given up every time ends with the reason', async () => {
    let times = 0;
    const failing = runTransaction(stored.database, async (transaction) => {
      times += 1;
      await transaction.execute(sql`do $$ begin raise exception using errcode = '40001'; end $$`);
    });
    await expect(failing).rejects.toMatchObject({ cause: { code: '40001' } });
    expect(times).toBe(4);
  });
});

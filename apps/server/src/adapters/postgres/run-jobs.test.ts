import { withFreshTestDatabase } from '@keyturn/testkit';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defineJob } from '../../platform/jobs.ts';
import { createJobRunner, type JobRunner, type JobRunnerOptions } from './run-jobs.ts';

const testDatabase = withFreshTestDatabase();
let runners: JobRunner[];
const done: number[] = [];
const failures: Record<string, unknown>[] = [];
beforeEach(() => {
  runners = [];
  done.length = 0;
  failures.length = 0;
});
afterEach(async () => {
  for (const runner of runners) await runner.stop();
});

const count = defineJob<{ number: number }>('count');

async function run(
  work: (number: number) => Promise<void>,
  { pool = testDatabase.pool, ...options }: Partial<JobRunnerOptions> = {},
) {
  const runner = createJobRunner({
    pool,
    ...options,
    handlers: [count.handledBy(({ number }) => work(number))],
    alertOperator: (_message, details) => failures.push(details),
  });
  runners.push(runner);
  await runner.start();
  return runner;
}
/** Wraps a pool so that it refuses one connection. */
function poolWithLosses(real: pg.Pool) {
  let isNextLost = false;
  const connect = async (onConnect?: Parameters<pg.Pool['connect']>[0]) => {
    if (onConnect) return real.connect(onConnect);
    if (!isNextLost) return real.connect();
    isNextLost = false;
    throw new Error('Connection terminated unexpectedly');
  };
  const pool = new Proxy(real, {
    get: (original, name) => {
      if (name === 'connect') return connect;
      const member: unknown = Reflect.get(original, name);
      return typeof member === 'function' ? member.bind(original) : member;
    },
  });
  const loseNext = () => {
    isNextLost = true;
  };
  return { pool, loseNext };
}
const recordRun = async (number: number) => {
  done.push(number);
};
const remainingJobs = async () =>
  (await testDatabase.pool.query('select last_error, attempts, locked_by from graphile_worker.jobs')).rows;

describe('the job runner', () => {
  test('runs a job after its transaction commits, and not after a rollback', async () => {
    await run(recordRun);
    await testDatabase.database
      .transaction(async (transaction) => {
        await count.add(transaction, { number: 1 });
        throw new Error('rolled back');
      })
      .catch(() => {});
    await testDatabase.database.transaction((transaction) => count.add(transaction, { number: 2 }));
    await expect.poll(() => done).toEqual([2]);
    expect(await remainingJobs()).toEqual([]);
  });

  test('keeps at most one waiting job per key', async () => {
    for (const number of [1, 2, 3]) await count.add(testDatabase.database, { number }, { key: 'one' });
    await count.add(testDatabase.database, { number: 4 }, { key: 'other' });
    await run(recordRun);
    await expect.poll(() => [...done].sort()).toEqual([3, 4]);
  });

  test('reports a failed job, stores its error without values, and retries it', async () => {
    await run(async () => {
      throw new Error('the post is closed');
    });
    await count.add(testDatabase.database, { number: 1 });
    await expect.poll(() => failures.length).toBeGreaterThan(0);
    await expect
      .poll(async () => (await remainingJobs())[0])
      .toMatchObject({
        attempts: 1,
        locked_by: null,
        last_error: expect.stringContaining('the post is closed'),
      });
  });

  test.each([
    { outcome: 'succeeded', left: [] },
    { outcome: 'failed', left: [{ attempts: 1, locked_by: null }] },
  ])(
    'the job runner survives a lost connection while it records that a job has $outcome, and records it later',
    async ({ outcome, left }) => {
      const { pool, loseNext } = poolWithLosses(testDatabase.pool);
      await run(
        async (number) => {
          done.push(number);
          loseNext();
          if (outcome === 'failed') throw new Error('the post is closed');
        },
        { pool },
      );
      await count.add(testDatabase.database, { number: 1 });
      await expect.poll(() => done.length).toBe(1);
      await expect.poll(remainingJobs).toMatchObject(left);
    },
  );

  test('alerts the operator when a job fails permanently', async () => {
    await run(async () => {
      throw new Error('the post is closed');
    });
    await count.add(testDatabase.database, { number: 1 });
    await expect.poll(() => failures.length).toBeGreaterThan(0);
    expect(failures).not.toContainEqual(expect.objectContaining({ job: 'count' }));
    await expect.poll(async () => (await remainingJobs())[0]?.locked_by).toBeNull();
    await testDatabase.pool.query(
      'update graphile_worker._private_jobs set attempts = max_attempts - 1, run_at = now()',
    );
    await expect
      .poll(() => failures, { timeout: 15_000 })
      .toContainEqual(expect.objectContaining({ job: 'count' }));
  });

  test('fault 5: another server runs the job of a server that died', async () => {
    await count.add(testDatabase.database, { number: 1 });
    await testDatabase.pool.query(
      "update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now() - interval '61 seconds'",
    );
    await run(recordRun);
    await expect.poll(() => done).toEqual([1]);
  });

  test('fault 5: a job that takes longer than a dead server’s lock is kept runs once, on the server that started it', async () => {
    const locks = { maxLockAge: 400 };
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const work = async (number: number) => {
      done.push(number);
      await released;
    };
    await run(work, { locks });
    await run(work, { locks });
    await count.add(testDatabase.database, { number: 1 });
    await expect.poll(() => done).toEqual([1]);
    const lockedAt = async () =>
      (await testDatabase.pool.query('select locked_at from graphile_worker.jobs')).rows[0].locked_at;
    const first = await lockedAt();
    await expect.poll(async () => (await lockedAt()) - first).toBeGreaterThan(3 * locks.maxLockAge);
    expect(await remainingJobs()).toMatchObject([{ attempts: 1 }]);
    release();
    await expect.poll(remainingJobs).toEqual([]);
    expect(done).toEqual([1]);
  });

  test('fault 5: a job that does not end runs again after its longest time, and alerts the operator', async () => {
    const locks = { maxLockAge: 400, maxRun: 800 };
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await run(
      async (number) => {
        done.push(number);
        if (done.length === 1) await released;
      },
      { locks },
    );
    await count.add(testDatabase.database, { number: 1 });
    await expect.poll(() => done, { timeout: 15_000 }).toEqual([1, 1]);
    await expect.poll(remainingJobs).toEqual([]);
    expect(failures).toEqual([{ job: 'count', id: expect.any(String) }]);
    release();
  });

  test('fault 72: the job runner stops within seconds although a job hangs, and returns the job to the queue', async () => {
    let hasStarted = false;
    const runner = await run(async () => {
      hasStarted = true;
      await new Promise(() => undefined);
    });
    await count.add(testDatabase.database, { number: 1 });
    await expect.poll(() => hasStarted).toBe(true);
    const stoppedAt = Date.now();
    await runner.stop();
    expect(Date.now() - stoppedAt).toBeLessThan(8_000);
    expect(await remainingJobs()).toMatchObject([{ locked_by: null }]);
  });
});

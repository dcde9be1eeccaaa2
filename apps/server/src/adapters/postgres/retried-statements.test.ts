import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { withRetriedStatements } from './retried-statements.ts';

test('the job queue waits instead of failing when it repeats a statement after its pool has ended', async () => {
  const pool = new pg.Pool();
  const queuePool = withRetriedStatements(pool);
  await pool.end();
  expect(await Promise.race([queuePool.connect(), pause(50, 'still waiting')])).toBe('still waiting');
});

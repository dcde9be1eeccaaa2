import type pg from 'pg';
import { expect } from 'vitest';

/** A write that the database blocks, so that a test can kill the server at that point. */
export interface PausedWrite {
  /** Resolves when the server is waiting to write. */
  reached(): Promise<void>;
  /** Terminates the waiting sessions, as the death of their server would, and stops blocking writes. */
  release(): Promise<void>;
}

/**
 * Pauses every session that is about to write to a table. `when` limits it by the old and the new row. Only one pause
 * can be active at a time.
 */
export async function pauseWrites(
  database: pg.Client,
  { table, event, when = 'true' }: { table: string; event: 'insert' | 'update'; when?: string },
): Promise<PausedWrite> {
  await database.query('select pg_advisory_lock($1)', [lock]);
  await database.query(`
    create or replace function hold_here() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(${lock}); return new; end';
    create trigger hold_here before ${event} on ${table} for each row when (${when}) execute function hold_here()`);
  const waiting = async () =>
    (
      await database.query<{ pid: number }>(
        "select pid from pg_locks where locktype = 'advisory' and objid = $1 and not granted",
        [lock],
      )
    ).rows;
  return {
    reached: async () => {
      await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBeGreaterThan(0);
    },
    release: async () => {
      for (let held = await waiting(); held.length > 0; held = await waiting()) {
        for (const { pid } of held) await database.query('select pg_terminate_backend($1, 5000)', [pid]);
      }
      await database.query(`drop trigger hold_here on ${table}`);
      await database.query('select pg_advisory_unlock($1)', [lock]);
    },
  };
}

/** The key of the advisory lock; no other code uses this number. */
const lock = 471_100_815;

import type pg from 'pg';
import type { DatabasePosition } from '../../live/channels/ports.ts';

/** Reads the current position of the database. @throws if it does not answer */
export async function readPosition(client: pg.Client | pg.Pool): Promise<DatabasePosition> {
  const { rows } = await client.query<{ timeline: string; oldest: string }>(
    `select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
       pg_snapshot_xmin(pg_current_snapshot())::text as oldest`,
  );
  const [{ timeline, oldest } = { timeline: '', oldest: '0' }] = rows;
  return { timeline, oldestTransaction: BigInt(oldest) };
}

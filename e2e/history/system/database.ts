import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { EmbeddedCluster } from '../../../apps/server/src/adapters/postgres/embedded-cluster.ts';
import { migrate } from '../../../apps/server/src/schema/migrate.ts';
import { restartDatabase } from './restart-database.ts';

/** The database of a history, which can crash and be restored from an earlier copy. */
export interface HistoryDatabase {
  url: string;
  pool: pg.Pool;
  /** The folder of the cluster. */
  directory: string;
  /** Sets the database's clock, in milliseconds ahead of the real one. */
  setAhead(ahead: number): void;
  /** Stops PostgreSQL as a power cut would, and starts it again. */
  restart(): Promise<void>;
  /** Copies the database, as a snapshot of its disk does. */
  backUp(): Promise<void>;
  hasBackup(): boolean;
  /** Restores the latest copy. */
  restore(): Promise<void>;
}

/** @param options.isClockFixed for measurements: PostgreSQL keeps its own clock */
export async function openHistoryDatabase(
  cluster: EmbeddedCluster,
  { isClockFixed = false }: { isClockFixed?: boolean | undefined } = {},
): Promise<HistoryDatabase> {
  const url = await createDatabase(cluster);
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const { rows } = await pool.query<{ data_directory: string }>('show data_directory');
  const directory = rows[0]?.data_directory ?? '';
  const copy = `${directory}-backup`;
  let ahead = 0;
  const setAhead = (milliseconds: number) => {
    ahead = milliseconds;
    // The rename is atomic, so that no reader finds half a file.
    writeFileSync(join(directory, 'clock_ahead.new'), `${ahead}\n`, { mode: 0o644 });
    renameSync(join(directory, 'clock_ahead.new'), join(directory, 'clock_ahead'));
  };
  setAhead(0);
  if (!isClockFixed) await letTheClockJump(pool);
  return {
    url,
    pool,
    directory,
    setAhead,
    restart: () => restartDatabase(directory, url),
    backUp: () =>
      restartDatabase(directory, url, async () => {
        rmSync(copy, { recursive: true, force: true });
        copyCluster(directory, copy);
      }),
    hasBackup: () => existsSync(copy),
    restore: () =>
      restartDatabase(directory, url, async () => {
        rmSync(directory, { recursive: true, force: true });
        copyCluster(copy, directory);
        // The clock is not part of a backup, so a restore does not reset it.
        setAhead(ahead);
      }),
  };
}

/** Keeps the owner of the files, which is not the test's user when the tests run as root. */
const copyCluster = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);

async function createDatabase(cluster: EmbeddedCluster): Promise<string> {
  const client = new pg.Client({ connectionString: cluster.urlOf('postgres') });
  await client.connect();
  await client.query('create database history');
  await client.end();
  const url = cluster.urlOf('history');
  await migrate(url);
  return url;
}

/** Shadows PostgreSQL's `now()`, so that the database's clock moves with the servers'. */
async function letTheClockJump(pool: pg.Pool) {
  await pool.query(`create function public.now() returns timestamptz language sql stable as
    $$ select pg_catalog.now() + pg_read_file('clock_ahead')::bigint * interval '1 millisecond' $$`);
  await pool.query('alter database history set search_path = public, pg_catalog');
}

import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { StartFault } from '../../platform/start-fault.ts';
import { releases } from './releases.ts';
import { grantServerRole, type ServerRole } from './server-role.ts';

const files = import.meta.glob<string>('./migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export interface Migration {
  /** Consecutive, from 1. */
  number: number;
  name: string;
  sql: string;
  /**
   * The number of the last migration of the oldest build that works after this one; 0: any build that accepts newer
   * databases.
   */
  oldestBuild: number;
}

/** This build's migrations, in order. */
export const migrations: readonly Migration[] = Object.entries(files)
  .map(([path, sql]) => {
    const [, number, name] = /(\d+)_(.+)\.sql$/.exec(path) ?? [];
    return {
      number: Number(number),
      name: name ?? path,
      sql,
      oldestBuild: Math.max(0, ...findRemovals(sql).map(({ since }) => since.lastMigration)),
    };
  })
  .sort((a, b) => a.number - b.number);

/**
 * Reads the lines of a migration that name what it removes, such as `-- Unused since 0.3.0: payments.reason, old_table`.
 * @throws if a line names a version that is not released
 */
export function findRemovals(sql: string) {
  return [...sql.matchAll(/^-- Unused since (\S+): (.+)$/gm)].map(([line, version, names = '']) => {
    const since = releases.find((release) => release.version === version);
    if (!since) throw new Error(`"${line}" names a version that releases.ts lacks`);
    return { since, names: names.split(',').map((name) => name.trim()) };
  });
}

/**
 * Reads the lines of a migration that name what allows more than before, such as `-- Allows more: tasks_kind_check`.
 * Servers of the last release can write what they wrote before, and must be able to read what newer ones write.
 */
export const findWidened = (sql: string): string[] =>
  [...sql.matchAll(/^-- Allows more: (.+)$/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );

/** An arbitrary number for the advisory lock, the same in every build, so that servers migrate one at a time. */
export const migrationLock = 7_208_114_221;

/**
 * Applies the migrations that a database lacks, each in its own transaction, and those of the job queue. Servers that
 * start at the same time migrate one after another. A database that a newer build has migrated is left alone.
 * @param url connects as the owner of the tables
 * @param serverRole the role of the server, if that is not the owner
 * @returns the number of applied migrations
 * @throws StartFault if a newer build has removed something that this build uses, or a migration differs
 */
export function migrate(
  url: string,
  known: readonly Migration[] = migrations,
  serverRole?: ServerRole,
): Promise<number> {
  return withClient(url, async (client) => {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    const { pending, isNewer } = await readState(client, known);
    if (isNewer) return 0;
    await client.query('set lock_timeout = 4000');
    if (pending.length > 0) await prepareMigrationTable(client);
    for (const migration of pending) await apply(client, migration);
    await client.query('reset lock_timeout');
    await migrateJobQueue(url);
    if (serverRole) await grantServerRole(client, serverRole);
    return pending.length;
  });
}

/** A migration that a database lacks: one of this build, or all of those of the job queue. */
export type PendingMigration = Pick<Migration, 'number' | 'name'>;

/** Finds the migrations that a database lacks, without changing it. @throws StartFault as `migrate` */
export const findPendingMigrations = (
  url: string,
  known: readonly Migration[] = migrations,
): Promise<PendingMigration[]> =>
  withClient(url, async (client) => {
    const { pending, isNewer } = await readState(client, known);
    const missing = pending.map(({ number, name }) => ({ number, name }));
    if (isNewer || (await readJobQueueVersion(client)) >= jobQueueVersion) return missing;
    return [...missing, { number: jobQueueVersion, name: 'of the job queue' }];
  });

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: 'keyturn migrate' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

interface AppliedMigration extends Pick<Migration, 'number' | 'name' | 'oldestBuild'> {
  checksum: string;
}

async function readState(
  client: pg.Client,
  known: readonly Migration[],
): Promise<{ pending: Migration[]; isNewer: boolean }> {
  await checkJobQueue(client);
  const applied = await readApplied(client);
  const newest = known.at(-1)?.number ?? 0;
  for (const row of applied) {
    if (row.number > newest && row.oldestBuild > newest) {
      throw new StartFault(
        `The database is newer than this Keyturn (its migration ${row.number}, "${row.name}", needs a build with migration ${row.oldestBuild}; the latest of this build is ${newest}): start the newer Keyturn, or use another data directory.`,
      );
    }
    const same = known.find((migration) => migration.number === row.number);
    if (row.number <= newest && (!same || checksum(same) !== row.checksum)) {
      throw new StartFault(
        `Migration ${row.number} ("${row.name}") of this database differs from this build’s: another build of Keyturn created the database. Start that build, or use another data directory.`,
      );
    }
  }
  const numbers = new Set(applied.map(({ number }) => number));
  return {
    pending: known.filter(({ number }) => !numbers.has(number)),
    isNewer: applied.some(({ number }) => number > newest),
  };
}

async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query("select to_regclass('schema_migrations') is not null as exists");
  if (!rows[0]?.exists) return [];
  // Databases of earlier versions lack the column.
  const applied = await client.query<AppliedMigration>(
    `select number, name, checksum,
       coalesce((to_jsonb(applied) ->> 'oldest_build')::int, ${lastUnmarked}) as "oldestBuild"
     from schema_migrations as applied order by number`,
  );
  return applied.rows;
}

/** The last migration before the rule that older builds must work with newer databases. */
const lastUnmarked = 69;

async function prepareMigrationTable(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists schema_migrations (
       number integer primary key, name text not null, checksum text not null,
       applied_at timestamptz not null default now());
     alter table schema_migrations
       add column if not exists oldest_build integer not null default ${lastUnmarked}`,
  );
}

/**
 * Applies a migration. One that has to wait for a lock gives way after four seconds, because everything that needs the
 * same table waits behind it, and is repeated.
 */
async function apply(client: pg.Client, migration: Migration, attempts = 10): Promise<void> {
  const { number, name, sql, oldestBuild } = migration;
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query(
      'insert into schema_migrations (number, name, checksum, oldest_build) values ($1, $2, $3, $4)',
      [number, name, checksum(migration), number <= lastUnmarked ? lastUnmarked : oldestBuild],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    if ((error as { code?: string }).code !== lockNotAvailable) throw error;
    if (attempts === 1) {
      throw new StartFault(
        `Migration ${number} ("${name}") could not lock its tables, because another connection has used them all the time. Nothing of it was applied: end that connection, and migrate again.`,
      );
    }
    await pause(1_000);
    await apply(client, migration, attempts - 1);
  }
}

const lockNotAvailable = '55P03';

/** The last migration of the installed Graphile Worker; a constant, because loading the package is slow. */
export const jobQueueVersion = 19;

/** Reads the number of the last migration of the job queue; 0 if there is no queue. */
async function readJobQueueVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    "select to_regclass('graphile_worker.migrations') is not null as exists",
  );
  if (!rows[0]?.exists) return 0;
  const applied = await client.query('select max(id) as version from graphile_worker.migrations');
  return applied.rows[0]?.version ?? 0;
}

/**
 * Checks that no newer build has changed the job queue in a way that this build does not know.
 * @throws StartFault
 */
async function checkJobQueue(client: pg.Client): Promise<void> {
  if ((await readJobQueueVersion(client)) <= jobQueueVersion) return;
  const { rows } = await client.query(
    'select max(id) as version from graphile_worker.migrations where breaking and id > $1',
    [jobQueueVersion],
  );
  if (rows[0]?.version) {
    throw new StartFault(
      `The job queue of the database is newer than this Keyturn (its migration ${rows[0].version} needs a newer build; the latest of this build is ${jobQueueVersion}): start the newer Keyturn, or use another data directory.`,
    );
  }
}

/** Applies Graphile Worker's own migrations, in its schema `graphile_worker`. */
async function migrateJobQueue(url: string): Promise<void> {
  const { Logger, runMigrations } = await import('graphile-worker');
  // Our own pool, because Graphile Worker stops listening for errors before its connections have closed.
  const pool = new pg.Pool({ connectionString: url, application_name: 'keyturn migrate' });
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });
  } finally {
    await pool.end();
  }
}

/** Returns the checksum that the database keeps of a migration. */
export const checksum = (migration: Migration) => createHash('sha256').update(migration.sql).digest('hex');

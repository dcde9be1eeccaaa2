import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { StartFault } from '../platform/start-fault.ts';
import { applyCode, type CodeObject, databaseCode, findCodeChanges } from './database-code.ts';
import { type AppliedMigration, adoptFormerSchema, isFormerSchema } from './former-schema.ts';
import { checksum, type Migration, migrations } from './read-migrations.ts';
import { grantServerRole, type ServerRole } from './server-role.ts';

/** What a build makes of a database. */
export interface Schema {
  migrations: readonly Migration[];
  code: readonly CodeObject[];
}

/** The schema of this build. */
export const currentSchema: Schema = { migrations, code: databaseCode };

/**
 * Returns the schema of an older database: its tables only, because this build's functions and triggers may need later
 * ones.
 * @param lastMigration the number of its last migration
 */
export const schemaUpTo = (lastMigration: number): Schema =>
  lastMigration === migrations.length
    ? currentSchema
    : { migrations: migrations.slice(0, lastMigration), code: [] };

/** An arbitrary number for the advisory lock, the same in every build, so that servers migrate one at a time. */
export const migrationLock = 7_208_114_221;

/**
 * Applies the migrations that a database lacks, each in its own transaction, and those of the job queue. The functions
 * and triggers that have changed are applied with the last migration. Servers that start at the same time migrate one
 * after another. A database that a newer build has migrated is left alone.
 * @param url connects as the owner of the tables
 * @param serverRole the role of the server, if that is not the owner
 * @returns the number of applied migrations
 * @throws StartFault if a newer build has removed something that this build uses, or a migration differs
 */
export function migrate(
  url: string,
  schema: Schema = currentSchema,
  serverRole?: ServerRole,
): Promise<number> {
  return withClient(url, async (client) => {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    if (isFormerSchema(await readApplied(client))) await adoptFormerSchema(client);
    const { pending, hasChangedCode, isNewer } = await readState(client, schema);
    if (isNewer) return 0;
    await client.query('set lock_timeout = 4000');
    for (const migration of pending.slice(0, -1)) {
      await inTransaction(client, titleOf(migration), () => apply(client, migration));
    }
    const last = pending.at(-1);
    if (last || hasChangedCode) {
      await inTransaction(client, last ? titleOf(last) : 'The change of functions and triggers', async () => {
        if (last) await apply(client, last);
        await applyCode(client, schema.code);
      });
    }
    await client.query('reset lock_timeout');
    await migrateJobQueue(url);
    if (serverRole) await grantServerRole(client, serverRole);
    return pending.length;
  });
}

/**
 * Brings the tables, functions and triggers of a restored database to those of this build.
 * @param client in a transaction, under the lock of the migrations
 */
export async function upgradeRestored(client: pg.ClientBase): Promise<void> {
  const { pending } = await readState(client, currentSchema);
  for (const migration of pending) await apply(client, migration);
  await applyCode(client, currentSchema.code);
}

/** What a database lacks: a migration, all of those of the job queue, or functions and triggers. */
export type PendingMigration = Pick<Migration, 'number' | 'name'>;

/** Finds what a database lacks, without changing it. @throws StartFault as `migrate` */
export const findPendingMigrations = (
  url: string,
  schema: Schema = currentSchema,
): Promise<PendingMigration[]> =>
  withClient(url, async (client) => {
    if (isFormerSchema(await readApplied(client))) return schema.migrations.map(nameOf);
    const { pending, hasChangedCode, isNewer } = await readState(client, schema);
    const missing = pending.map(nameOf);
    if (isNewer) return [];
    if (missing.length === 0 && hasChangedCode)
      missing.push({ number: schema.migrations.length, name: 'changed functions and triggers' });
    if ((await readJobQueueVersion(client)) < jobQueueVersion)
      missing.push({ number: jobQueueVersion, name: 'of the job queue' });
    return missing;
  });

const nameOf = ({ number, name }: Migration): PendingMigration => ({ number, name });

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

async function readState(
  client: pg.ClientBase,
  { migrations: known, code }: Schema,
): Promise<{ pending: Migration[]; hasChangedCode: boolean; isNewer: boolean }> {
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
  const { changed, removed, isNewer } = await findCodeChanges(client, code);
  return {
    pending: known.filter(({ number }) => !numbers.has(number)),
    hasChangedCode: changed.length + removed.length > 0,
    isNewer: isNewer || applied.some(({ number }) => number > newest),
  };
}

async function readApplied(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query("select to_regclass('schema_migrations') is not null as exists");
  if (!rows[0]?.exists) return [];
  const applied = await client.query<AppliedMigration>(
    'select number, name, checksum, oldest_build as "oldestBuild" from schema_migrations order by number',
  );
  return applied.rows;
}

/** Applies a migration in a transaction. */
async function apply(client: pg.ClientBase, migration: Migration): Promise<void> {
  const { number, name, sql, oldestBuild } = migration;
  await client.query(
    `create table if not exists schema_migrations (
       number integer primary key, name text not null, checksum text not null,
       applied_at timestamptz not null default now(), oldest_build integer not null)`,
  );
  await client.query(sql);
  await client.query(
    'insert into schema_migrations (number, name, checksum, oldest_build) values ($1, $2, $3, $4)',
    [number, name, checksum(migration), oldestBuild],
  );
}

const titleOf = ({ number, name }: Migration): string => `Migration ${number} ("${name}")`;

/**
 * Runs work in a transaction. One that has to wait for a lock gives way after four seconds, because everything that
 * needs the same table waits behind it, and is repeated.
 */
async function inTransaction(
  client: pg.Client,
  title: string,
  work: () => Promise<void>,
  attempts = 10,
): Promise<void> {
  try {
    await client.query('begin');
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    if ((error as { code?: string }).code !== lockNotAvailable) throw error;
    if (attempts === 1) {
      throw new StartFault(
        `${title} could not lock its tables, because another connection has used them all the time. Nothing of it was applied: end that connection, and migrate again.`,
      );
    }
    await pause(1_000);
    await inTransaction(client, title, work, attempts - 1);
  }
}

const lockNotAvailable = '55P03';

/** The last migration of the installed Graphile Worker; a constant, because loading the package is slow. */
export const jobQueueVersion = 19;

/** Reads the number of the last migration of the job queue; 0 if there is no queue. */
async function readJobQueueVersion(client: pg.ClientBase): Promise<number> {
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
async function checkJobQueue(client: pg.ClientBase): Promise<void> {
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

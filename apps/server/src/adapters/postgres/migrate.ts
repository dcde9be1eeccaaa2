import { createHash } from 'node:crypto';
import pg from 'pg';
import { StartFault } from '../../platform/start-fault.ts';
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
}

/** This build's migrations, in order. */
export const migrations: readonly Migration[] = Object.entries(files)
  .map(([path, sql]) => {
    const [, number, name] = /(\d+)_(.+)\.sql$/.exec(path) ?? [];
    return { number: Number(number), name: name ?? path, sql };
  })
  .sort((a, b) => a.number - b.number);

/** An arbitrary number for the advisory lock, the same in every build, so that servers migrate one at a time. */
const migrationLock = 7_208_114_221;

/**
 * Applies the migrations that a database lacks, each in its own transaction, and those of the job queue. Servers that
 * start at the same time migrate one after another.
 * @param url connects as the owner of the tables
 * @param serverRole the role of the server, if that is not the owner
 * @returns the number of applied migrations
 * @throws StartFault if a newer build has migrated the database, or a migration differs from this build's
 */
export async function migrate(
  url: string,
  known: readonly Migration[] = migrations,
  serverRole?: ServerRole,
): Promise<number> {
  const client = new pg.Client({ connectionString: url, application_name: 'keyturn migrate' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await createMigrationTable(client);
    const { rows } = await client.query<{ number: number; name: string; checksum: string }>(
      'select number, name, checksum from schema_migrations order by number',
    );
    const newest = known.at(-1)?.number ?? 0;
    for (const row of rows) {
      if (row.number > newest) {
        throw new StartFault(
          `The database is newer than this Keyturn (it has migration ${row.number}, "${row.name}"; the latest of this build is ${newest}): start the newer Keyturn, or use another data directory.`,
        );
      }
      const same = known.find((migration) => migration.number === row.number);
      if (!same || checksum(same) !== row.checksum) {
        throw new StartFault(
          `Migration ${row.number} ("${row.name}") of this database differs from this build’s: another build of Keyturn created the database. Start that build, or use another data directory.`,
        );
      }
    }
    let applied = 0;
    for (const migration of known) {
      if (rows.some((row) => row.number === migration.number)) continue;
      await client.query('begin');
      await client.query(migration.sql);
      await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
        migration.number,
        migration.name,
        checksum(migration),
      ]);
      await client.query('commit');
      applied += 1;
    }
    await migrateJobQueue(url);
    if (serverRole) await grantServerRole(client, serverRole);
    return applied;
  } finally {
    await client.end();
  }
}

/** A role that may not create tables can still find that nothing is left to migrate. */
async function createMigrationTable(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select to_regclass('schema_migrations') is not null as exists");
  if (rows[0]?.exists) return;
  await client.query(
    `create table schema_migrations (
       number integer primary key, name text not null, checksum text not null,
       applied_at timestamptz not null default now())`,
  );
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

const checksum = (migration: Migration) => createHash('sha256').update(migration.sql).digest('hex');

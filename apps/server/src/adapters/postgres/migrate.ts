import { createHash } from 'node:crypto';
import pg from 'pg';
import { StartFault } from '../../platform/start-fault.ts';

const files = import.meta.glob<string>('./migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export interface Migration {
  /** 1, 2, 3 … without a gap. */
  number: number;
  name: string;
  sql: string;
}

/** The migrations that this build knows, in order. */
export const migrations: readonly Migration[] = Object.entries(files)
  .map(([path, sql]) => {
    const [, number, name] = /(\d+)_(.+)\.sql$/.exec(path) ?? [];
    return { number: Number(number), name: name ?? path, sql };
  })
  .sort((a, b) => a.number - b.number);

/** Any number; the same in every Keyturn server, so that one migrates while the others wait. */
const migrationLock = 7_208_114_221;

/**
 * Brings a database up to this build: each migration in a transaction of its own, one server at a time.
 * Refuses a database that a newer build has migrated, and one whose migrations are not the ones known here.
 * @returns how many migrations were applied
 */
export async function migrate(url: string, known: readonly Migration[] = migrations): Promise<number> {
  const client = new pg.Client({ connectionString: url, application_name: 'keyturn migrate' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(
      `create table if not exists schema_migrations (
         number integer primary key, name text not null, checksum text not null,
         applied_at timestamptz not null default now())`,
    );
    const { rows } = await client.query<{ number: number; name: string; checksum: string }>(
      'select number, name, checksum from schema_migrations order by number',
    );
    const newest = known.at(-1)?.number ?? 0;
    for (const row of rows) {
      if (row.number > newest) {
        throw new StartFault(
          `The database is newer than this Keyturn (it has migration ${row.number}, "${row.name}"; this build ends at ${newest}): start the newer Keyturn, or use another data directory.`,
        );
      }
      const same = known.find((migration) => migration.number === row.number);
      if (!same || checksum(same) !== row.checksum) {
        throw new StartFault(
          `Migration ${row.number} ("${row.name}") of this database is not the one of this build: it was made by another Keyturn. Use that one, or another data directory.`,
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
    return applied;
  } finally {
    await client.end();
  }
}

/** The queue's own schema, `graphile_worker`, by its own migrations; nothing to do is one look. */
async function migrateJobQueue(url: string): Promise<void> {
  const { Logger, runMigrations } = await import('graphile-worker');
  await runMigrations({ connectionString: url, logger: new Logger(() => () => {}) });
}

const checksum = (migration: Migration) => createHash('sha256').update(migration.sql).digest('hex');

import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  BackupFault,
  type DatabaseLoad,
  type KnownSchema,
  type RestoreTarget,
} from '../../../records/backup/ports.ts';
import {
  currentSchema,
  migrate,
  migrationLock,
  schemaUpTo,
  upgradeRestored,
} from '../../../schema/migrate.ts';
import { checksum, migrations } from '../../../schema/read-migrations.ts';
import type { ServerRole } from '../../../schema/server-role.ts';
import * as paymentTables from '../../../schema/tables/payment-tables.ts';
import * as tables from '../../../schema/tables/tables.ts';
import {
  connectForBackup,
  findTables,
  quoteColumns,
  quoteName,
  readTable,
  sessionOfBackup,
} from './backed-up-tables.ts';
import { checksumOf } from './open-snapshot.ts';

export const knownSchema: KnownSchema = {
  newestMigration: migrations.length,
  checksumUpTo: (migration) => checksumOf(migrations.slice(0, migration).map(checksum)),
};

/**
 * Creates the target of a restore.
 * @param url connects as the owner of the tables
 * @param serverRole the role of the server, if that is not the owner
 */
export function createRestoreTarget(url: string, serverRole?: ServerRole): RestoreTarget {
  return {
    checkEmpty: (migration) => inTransaction(url, (client) => checkEmpty(client, migration)),
    load: async (migration, { fill, finish }) => {
      await inTransaction(url, (client) => checkEmpty(client, migration));
      await migrate(url, schemaUpTo(migration));
      await inTransaction(url, async (client) => {
        await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
        await checkEmpty(client, migration);
        const restored = await findTables(client);
        const connection = drizzle(client, { schema: { ...tables, ...paymentTables } });
        const keys = await takeOffForeignKeys(client);
        for (const { name } of restored) {
          await client.query(`alter table ${quoteName(name)} disable trigger user`);
          // The rows that migrations have added are in the backup too. A truncated table is filled from its first page to
          // its last, so it is read in the order of the backup; after `delete`, PostgreSQL also fills older free space.
          await client.query(`truncate ${quoteName(name)}`);
        }
        await fill({ ...loadInto(client), tables: restored, connection });
        for (const { name } of restored)
          await client.query(`alter table ${quoteName(name)} enable trigger user`);
        for (const { add } of keys) await client.query(add);
        await upgradeRestored(client);
        await finish(connection);
      });
    },
    upgrade: async () => {
      await migrate(url, currentSchema, serverRole);
      await inTransaction(url, (client) => client.query('analyze'));
    },
    finish: async (work) => {
      const client = await connectForBackup(url, 'keyturn restore');
      try {
        return await work(drizzle(client, { schema: { ...tables, ...paymentTables } }));
      } finally {
        await client.end();
      }
    },
  };
}

const loadInto = (client: pg.Client): Pick<DatabaseLoad, 'fill' | 'read' | 'setSequences'> => ({
  fill: async (table, content) => {
    const target = client.query(
      copyFrom(`copy ${quoteName(table.name)} (${quoteColumns(table)}) from stdin`),
    );
    await pipeline(content, target);
    return target.rowCount;
  },
  read: (table) => readTable(client, table),
  setSequences: async (positions) => {
    for (const { name, lastValue, isCalled } of positions)
      await client.query('select setval($1::regclass, $2, $3)', [quoteName(name), lastValue, isCalled]);
  },
});

async function inTransaction(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = await connectForBackup(url, 'keyturn restore');
  try {
    await client.query('begin');
    await client.query(sessionOfBackup);
    await work(client);
    await client.query('commit');
  } finally {
    // Without a commit, PostgreSQL rolls back.
    await client.end().catch(() => {});
  }
}

/** @throws BackupFault unless the database has no tables, or the empty ones of this version, and no server uses it */
async function checkEmpty(client: pg.Client, migration: number): Promise<void> {
  await waitForServers(client);
  const { rows } = await client.query<{ tables: number; isKeyturn: boolean }>(
    `select count(*)::int as tables, coalesce(bool_or(relname = 'installation'), false) as "isKeyturn"
     from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')`,
  );
  const [found] = rows;
  if (!found || found.tables === 0) return;
  if (!found.isKeyturn) throw new BackupFault(notEmpty('It contains tables of another program'));
  const { rows: contents } = await client.query<{ newest: number; isEmpty: boolean }>(
    `select (select max(number) from schema_migrations) as newest,
       (select holds from installation) = 'nothing' and not exists (select from conveyancing_cases)
         and not exists (select from clients) and not exists (select from staff)
         and not exists (select from payments) and not exists (select from audit_entries) as "isEmpty"`,
  );
  const [content] = contents;
  if (!content?.isEmpty) throw new BackupFault(notEmpty('It contains data of a Keyturn installation'));
  if (content.newest !== migration)
    throw new BackupFault(notEmpty('It contains the tables of another version of Keyturn'));
}

/** The connections of a server that has just stopped may take a moment to end. @throws BackupFault if they do not */
async function waitForServers(client: pg.Client): Promise<void> {
  for (let left = 20; ; left -= 1) {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database()
         and application_name in ('keyturn', 'keyturn listen', 'keyturn backup')`,
    );
    if (rowCount === 0) return;
    if (left === 0) throw new BackupFault('A server or command uses this database: stop it first.');
    await pause(100);
    // A transaction keeps the statistics that it reads first.
    await client.query('select pg_stat_clear_snapshot()');
  }
}

const notEmpty = (reason: string): string =>
  `A backup is only restored into an empty database. ${reason}: create a new database, or set KEYTURN_DATA_DIR to an empty folder.`;

/** Removes all foreign keys, because only a superuser could leave them unchecked. Adding them again checks every row. */
async function takeOffForeignKeys(client: pg.Client): Promise<{ add: string }[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint where contype = 'f' and conparentid = 0
       and connamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) order by oid`,
  );
  for (const { drop } of rows) await client.query(drop);
  return rows;
}

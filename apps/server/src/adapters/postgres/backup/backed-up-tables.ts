import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { BackedUpTable, Bytes, TableContent } from '../../../records/backup/ports.ts';

/** Opens a connection for a backup or a restore, whose statements take as long as they need. */
export async function connectForBackup(url: string, applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: applicationName });
  // The statement under way fails with the same error.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The text of a value must not depend on the server, because its checksum is compared with another server's. */
export const sessionOfBackup = `set local statement_timeout = 0; set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0; set local timezone = 'UTC'; set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres'; set local bytea_output = 'hex'; set local extra_float_digits = 1;
  set local synchronize_seqscans = off`;

/**
 * Tables whose rows mean nothing in another database: events of the last minutes are ordered by PostgreSQL's transaction
 * ids, files are reserved for servers that are storing them, servers publish the files of their builds when they start,
 * each build applies its own functions and triggers, and the job queue knows its own version.
 */
const leftOut = [
  'public.broadcast_events',
  'public.oversized_messages',
  'public.file_reservations',
  'public.build_files',
  'public.schema_code',
  'graphile_worker.migrations',
];

/** Finds the tables of a backup. Unlogged tables are emptied by a crash, so they contain nothing to keep. */
export async function findTables(client: pg.Client): Promise<BackedUpTable[]> {
  const { rows } = await client.query<BackedUpTable>(
    `select n.nspname || '.' || c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where n.nspname in ('public', 'graphile_worker') and c.relkind = 'r' and c.relpersistence = 'p'
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and n.nspname || '.' || c.relname <> all($1)
     group by n.nspname, c.relname order by 1`,
    [leftOut],
  );
  return rows;
}

/** Writes the quoted name of a table or sequence. */
export const quoteName = (name: string): string => name.split('.').map(pg.escapeIdentifier).join('.');

/** Writes the quoted names of the columns of a table. */
export const quoteColumns = ({ columns }: BackedUpTable): string =>
  columns.map(pg.escapeIdentifier).join(', ');

/** Streams the rows of a table. */
export const readTable = (client: pg.Client, table: BackedUpTable): TableContent =>
  client.query(copyTo(`copy ${quoteName(table.name)} (${quoteColumns(table)}) to stdout`));

/** Streams the rows of a query. */
export const readQuery = (client: pg.Client, query: string): Bytes =>
  client.query(copyTo(`copy (${query}) to stdout`));

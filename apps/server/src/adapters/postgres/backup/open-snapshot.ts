import { hash } from 'node:crypto';
import type pg from 'pg';
import type {
  DatabaseSnapshot,
  ErasedSubject,
  SchemaVersion,
  SequencePosition,
} from '../../../records/backup/ports.ts';
import {
  connectForBackup,
  findTables,
  quoteName,
  readQuery,
  readTable,
  sessionOfBackup,
} from './backed-up-tables.ts';

/** Opens a snapshot of the database in a transaction that changes nothing and waits for no one. */
export async function openSnapshot(url: string): Promise<DatabaseSnapshot> {
  const client = await connectForBackup(url, 'keyturn backup');
  try {
    await client.query('begin transaction isolation level repeatable read, read only');
    await client.query(sessionOfBackup);
    const { rows } = await client.query<{ takenAt: Date; id: string; secret: string }>(
      `select now() as "takenAt", installation_id as id, secret from installation`,
    );
    const [installation] = rows;
    if (!installation) throw new Error('the installation table has no row');
    const { takenAt, ...named } = installation;
    return {
      takenAt,
      installation: named,
      schema: await readSchemaVersion(client),
      tables: await findTables(client),
      read: (table) => readTable(client, table),
      readStoredFiles: () => readQuery(client, storedFiles),
      readSequences: () => readSequences(client),
      readErasures: () => readErasures(client),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Every table with the SHA-256 of a stored file. */
export const tablesOfStoredFiles = ['documents', 'signed_files', 'receipt_files', 'feed_files'];

const storedFiles = `select sha256, max(size) from (${tablesOfStoredFiles
  .map((table) => `select sha256, size from ${table}`)
  .join(' union all ')}) stored group by sha256 order by sha256`;

/** Finds which files the database records now. */
export async function findRecordedFiles(
  database: pg.Pool,
  sha256s: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ sha256: string }>(
    tablesOfStoredFiles.map((table) => `select sha256 from ${table} where sha256 = any($1)`).join(' union '),
    [sha256s],
  );
  return new Set(rows.map(({ sha256 }) => sha256));
}

async function readSchemaVersion(client: pg.Client): Promise<SchemaVersion> {
  const { rows } = await client.query<{ number: number; checksum: string }>(
    'select number, checksum from schema_migrations order by number',
  );
  return { migration: rows.at(-1)?.number ?? 0, checksum: checksumOf(rows.map(({ checksum }) => checksum)) };
}

/** Computes the checksum of the version of the tables. @param checksums of its migrations, in their order */
export const checksumOf = (checksums: readonly string[]): string => hash('sha256', checksums.join('\n'));

/** A database that is backed up before its upgrade has none. */
async function readErasures(client: pg.Client): Promise<ErasedSubject[]> {
  const { rows: tables } = await client.query("select where to_regclass('public.erasures') is not null");
  if (tables.length === 0) return [];
  const { rows } = await client.query<ErasedSubject>(
    'select subject_kind as kind, subject_id as id from erasures group by 1, 2 order by min(id)',
  );
  return rows;
}

async function readSequences(client: pg.Client): Promise<SequencePosition[]> {
  const { rows: names } = await client.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'graphile_worker') and c.relkind = 'S' order by 1`,
  );
  const positions: SequencePosition[] = [];
  for (const { name } of names) {
    const { rows } = await client.query<Omit<SequencePosition, 'name'>>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${quoteName(name)}`,
    );
    if (rows[0]) positions.push({ name, ...rows[0] });
  }
  return positions;
}

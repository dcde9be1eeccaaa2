import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedCluster } from '../../apps/server/src/adapters/postgres/embedded-cluster.ts';
import { migrate } from '../../apps/server/src/schema/migrate.ts';
import { projectDirectory } from '../harness/start-product.ts';
import { readCpuTime, readPostmaster } from '../history/cpu-time.ts';
import { makeFeed } from './make-feed.ts';
import { readPeakMemory } from './read-peak-memory.ts';

export { measureBatch } from './measure-batch.ts';

/** The measurements of a run of `keyturn import`. */
export interface MeasuredRun {
  /** Milliseconds from the start of the command to its end. */
  time: number;
  /** Milliseconds of CPU time; null where they cannot be read. */
  commandCpu: number | null;
  postgresCpu: number | null;
  /** Peak resident memory of the command in megabytes; null where it cannot be read. */
  peakMemory: number | null;
  /** The last line that the command printed. */
  result: string;
}

export interface ImportMeasurement {
  /** Records of the feed. */
  records: number;
  first: MeasuredRun;
  /** The second import of the same feed. */
  second: MeasuredRun;
  /** Milliseconds that `insert … select from unnest(…)` takes to write the same rows, before and after the import. */
  floor: { before: number; after: number };
}

/**
 * Measures importing a generated feed into an empty database of an embedded PostgreSQL that waits for the disk, as in
 * production, and importing it again. The floor inserts the same rows into copies of the tables, with their indexes and
 * triggers, a thousand rows in each transaction.
 */
export async function measureImport({
  records,
  seed,
}: {
  records: number;
  seed: number;
}): Promise<ImportMeasurement> {
  const folder = await mkdtemp(join(tmpdir(), 'keyturn-import-'));
  const cluster = await startEmbeddedCluster({ dataDirectory: join(folder, 'data') });
  try {
    const { file, count } = await makeFeed({ folder: join(folder, 'feed'), records, seed });
    const create = async (name: string) => {
      await execute(cluster.urlOf('postgres'), (client) => client.query(`create database ${name}`));
      await migrate(cluster.urlOf(name));
      return cluster.urlOf(name);
    };
    // The rows of the floor before the import come from an import that is not measured.
    const urls = [await create('warm_up'), await create('floor_before'), await create('imported')] as const;
    const directory = await execute(cluster.urlOf('postgres'), async (client) => {
      const { rows } = await client.query('show data_directory');
      return rows[0].data_directory;
    });
    const postmaster = { pid: readPostmaster(directory), withChildren: true };
    const run = (databaseUrl: string) =>
      runImport(file, { DATABASE_URL: databaseUrl, KEYTURN_DATA_DIR: join(folder, 'command') }, postmaster);
    await run(urls[0]);
    const before = await copyRows(urls[0], urls[1]);
    const first = await run(urls[2]);
    const second = await run(urls[2]);
    const after = await copyRows(urls[2], await create('floor_after'));
    return { records: count, first, second, floor: { before, after } };
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runImport(
  file: string,
  environment: Record<string, string>,
  postmaster: { pid: number; withChildren: boolean },
): Promise<MeasuredRun> {
  const command = join(projectDirectory, 'apps/server/dist/cli.js');
  const postgresBefore = readCpuTime(postmaster);
  const start = performance.now();
  const child = spawn(process.execPath, [command, 'import', file], {
    env: { ...process.env, KEYTURN_DEMONSTRATION: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  let isRunning = true;
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve)).finally(() => {
    isRunning = false;
  });
  const pid = child.pid ?? 0;
  let commandCpu: number | null = null;
  let peakMemory: number | null = null;
  while (isRunning) {
    commandCpu = readCpuTime({ pid, withChildren: false }) ?? commandCpu;
    peakMemory = readPeakMemory(pid) ?? peakMemory;
    await pause(20);
  }
  const time = performance.now() - start;
  if ((await ended) !== 0) throw new Error(`keyturn import failed: ${output.slice(-2_000)}`);
  const postgresAfter = readCpuTime(postmaster);
  const postgresCpu =
    postgresBefore === null || postgresAfter === null ? null : postgresAfter - postgresBefore;
  return { time, commandCpu, postgresCpu, peakMemory, result: output.trim().split('\n').at(-1) ?? '' };
}

const importedTables = [
  'clients',
  'conveyancing_cases',
  'case_clients',
  'matters',
  'milestones',
  'documents',
  'case_searches',
  'tasks',
  'bills',
  'history_entries',
];
const rowsPerStatement = 1_000;

/** Inserts all imported rows of one database into another. @returns the milliseconds that this took */
function copyRows(from: string, to: string): Promise<number> {
  return execute(from, (source) =>
    execute(to, async (target) => {
      await target.query('set synchronous_commit = off');
      let time = 0;
      for (const table of importedTables) {
        const { rows: columns } = await source.query<{ name: string; type: string }>(
          `select column_name as name, udt_name as type from information_schema.columns
           where table_schema = 'public' and table_name = $1 order by ordinal_position`,
          [table],
        );
        const names = columns.map(({ name }) => `"${name}"`);
        const { rows } = await source.query<(string | null)[]>({
          text: `select ${names.map((name) => `${name}::text`).join(', ')} from ${table} order by ctid`,
          rowMode: 'array',
        });
        // `unnest` takes arrays of arrays apart, so a column that is an array is sent as text.
        const isArray = (type: string) => type.startsWith('_');
        const insert = `insert into ${table} (${names.join(', ')})
          select ${columns.map(({ name, type }) => `"${name}"${isArray(type) ? `::${type}` : ''}`).join(', ')}
          from unnest(${columns
            .map(({ type }, index) => `$${index + 1}::${isArray(type) ? 'text' : type}[]`)
            .join(', ')}) as sent (${names.join(', ')})`;
        for (let start = 0; start < rows.length; start += rowsPerStatement) {
          const part = rows.slice(start, start + rowsPerStatement);
          const values = columns.map((_column, index) => part.map((row) => row[index]));
          const startedAt = performance.now();
          await target.query(insert, values);
          time += performance.now() - startedAt;
        }
      }
      return time;
    }),
  );
}

async function execute<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

import pg from 'pg';
import { StartFault } from '../../platform/start-fault.ts';
import { type ClusterMembership, joinCluster, type RunningServer } from './claim-data-directory.ts';
import { type EmbeddedCluster, startEmbeddedCluster } from './embedded-cluster.ts';
import { migrate } from './migrate.ts';

export interface OpenDatabase {
  url: string;
  /** Says where the server on this database is to be found. */
  announce(holder: RunningServer): void;
  /** Leaves it; whoever is the last to leave the embedded one stops it. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** A real cluster; null: the embedded one. */
  databaseUrl: string | null;
  dataDirectory: string;
}

/**
 * The database for a server, migrated. The embedded one belongs to one server at a time.
 * @throws StartFault when it cannot be reached, is held by another server, or is newer than this build
 */
export async function openDatabaseForServer(options: OpenOptions): Promise<OpenDatabase> {
  if (options.databaseUrl) {
    await reach(options.databaseUrl);
    await migrate(options.databaseUrl);
    return { url: options.databaseUrl, announce: () => {}, close: async () => {} };
  }
  const entered = await enter(options);
  try {
    const claimed = await entered.use.claim();
    if (claimed !== 'claimed') throw new StartFault(heldText(claimed.heldBy, options.dataDirectory));
    return await prepare(entered);
  } catch (error) {
    await entered.leave();
    throw error;
  }
}

/** The database for a command beside, or without, a running server or other commands. */
export async function openDatabaseForCommand(options: OpenOptions): Promise<OpenDatabase> {
  if (options.databaseUrl) return openDatabaseForServer(options);
  const entered = await enter(options);
  try {
    return await prepare(entered);
  } catch (error) {
    await entered.leave();
    throw error;
  }
}

const databaseName = 'keyturn';

interface Entered {
  cluster: EmbeddedCluster;
  use: ClusterMembership;
  leave(): Promise<void>;
}

/** Milliseconds for somebody else's stop to end. */
const stopTime = 40_000;

/** Starts the cluster, or joins it. One that is just being stopped is started anew. */
async function enter(options: OpenOptions): Promise<Entered> {
  const deadline = Date.now() + stopTime;
  for (;;) {
    const cluster = await startEmbeddedCluster(options);
    const use = await joinCluster(cluster.urlOf('postgres'), options.dataDirectory);
    if (use) return { cluster, use, leave: () => use.leave(cluster.stop) };
    if (Date.now() > deadline) {
      throw new StartFault(
        `PostgreSQL on the data directory ${options.dataDirectory} is being stopped and does not end: wait for it, then start again.`,
      );
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function prepare({ cluster, use, leave }: Entered): Promise<OpenDatabase> {
  await createDatabase(cluster);
  await migrate(cluster.urlOf(databaseName));
  return { url: cluster.urlOf(databaseName), announce: use.announce, close: leave };
}

function heldText(heldBy: RunningServer | null, dataDirectory: string): string {
  const holder = heldBy ? `at ${heldBy.address} (process ${heldBy.pid})` : 'already';
  return `Keyturn is running ${holder} on the data directory ${dataDirectory}: use that one, stop it, or set another KEYTURN_DATA_DIR and PORT.`;
}

async function createDatabase(cluster: EmbeddedCluster) {
  const client = new pg.Client({ connectionString: cluster.urlOf('postgres') });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
  } catch (error) {
    // Two commands at once: the other one made it.
    if ((error as { code?: string }).code !== '42P04' && (error as { code?: string }).code !== '23505')
      throw error;
  } finally {
    await client.end();
  }
}

async function reach(url: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw new StartFault(
      `The database at ${host}${pathname} cannot be reached (${error instanceof Error ? error.message || (error as { code?: string }).code : error}): check DATABASE_URL and that PostgreSQL runs there.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

import pg from 'pg';
import { StartFault } from '../../platform/start-fault.ts';
import { type ClusterMembership, joinCluster, type RunningServer } from './claim-data-directory.ts';
import { type EmbeddedCluster, startEmbeddedCluster } from './embedded-cluster.ts';
import { migrate, migrations } from './migrate.ts';

export interface OpenDatabase {
  /** Connects as the server's role, which cannot alter the record of payments and signatures. */
  url: string;
  /** Stores the address of this server, for the error message of a second one. */
  announce(server: RunningServer): void;
  /** Ends the use. The last process that uses the embedded cluster stops it. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** An external database; null: the embedded one. */
  databaseUrl: string | null;
  /** The same database for the owner of its tables; null: `databaseUrl` is the owner's. */
  databaseOwnerUrl?: string | null;
  dataDirectory: string;
}

/**
 * Opens and migrates the database for a server. Only one server at a time can use the embedded one.
 * @throws StartFault if the database is unreachable, is used by another server, or is newer than this build
 */
export async function openDatabaseForServer(options: OpenOptions): Promise<OpenDatabase> {
  if (options.databaseUrl) {
    const { databaseUrl, databaseOwnerUrl } = options;
    await checkConnection(databaseUrl, 'DATABASE_URL');
    if (databaseOwnerUrl) {
      await checkConnection(databaseOwnerUrl, 'KEYTURN_DATABASE_OWNER_URL');
      await migrate(databaseOwnerUrl, migrations, {
        name: decodeURIComponent(new URL(databaseUrl).username),
      });
    } else await migrate(databaseUrl);
    return { url: options.databaseUrl, announce: () => {}, close: async () => {} };
  }
  const joined = await join(options);
  try {
    const claimed = await joined.membership.claim();
    if (claimed !== 'claimed') throw new StartFault(inUseMessage(claimed.claimedBy, options.dataDirectory));
    return await prepare(joined);
  } catch (error) {
    await joined.leave();
    throw error;
  }
}

/**
 * Opens and migrates the database for a command. Commands share the embedded one with each other and with a server.
 * @throws StartFault if the database is unreachable or newer than this build
 */
export async function openDatabaseForCommand(options: OpenOptions): Promise<OpenDatabase> {
  if (options.databaseUrl) return openDatabaseForServer(options);
  const joined = await join(options);
  try {
    return await prepare(joined);
  } catch (error) {
    await joined.leave();
    throw error;
  }
}

const databaseName = 'keyturn';

interface JoinedCluster {
  cluster: EmbeddedCluster;
  membership: ClusterMembership;
  leave(): Promise<void>;
}

/** Milliseconds to wait while another process stops the cluster. */
const stopTimeout = 40_000;

/** Starts or joins the cluster. If another process is stopping it, waits and starts it again. */
async function join(options: OpenOptions): Promise<JoinedCluster> {
  const deadline = Date.now() + stopTimeout;
  for (;;) {
    const cluster = await startEmbeddedCluster(options);
    const membership = await joinCluster(cluster.urlOf('postgres'), options.dataDirectory);
    if (membership) return { cluster, membership, leave: () => membership.leave(cluster.stop) };
    if (Date.now() > deadline) {
      throw new StartFault(
        `PostgreSQL on the data directory ${options.dataDirectory} is taking too long to stop: wait until it has stopped, then start again.`,
      );
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function prepare({ cluster, membership, leave }: JoinedCluster): Promise<OpenDatabase> {
  await createDatabase(cluster);
  await migrate(cluster.urlOf(databaseName), migrations, cluster.serverRole);
  return { url: cluster.serverUrlOf(databaseName), announce: membership.announce, close: leave };
}

function inUseMessage(server: RunningServer | null, dataDirectory: string): string {
  const place = server ? `at ${server.address} (process ${server.pid})` : 'already';
  return `Keyturn is running ${place} on the data directory ${dataDirectory}: use that one, stop it, or set another KEYTURN_DATA_DIR and PORT.`;
}

async function createDatabase(cluster: EmbeddedCluster) {
  const client = new pg.Client({ connectionString: cluster.urlOf('postgres') });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
  } catch (error) {
    // A concurrent command has created it.
    if ((error as { code?: string }).code !== '42P04' && (error as { code?: string }).code !== '23505')
      throw error;
  } finally {
    await client.end();
  }
}

async function checkConnection(url: string, setting: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw new StartFault(
      `The database at ${host}${pathname} cannot be reached (${error instanceof Error ? error.message || (error as { code?: string }).code : error}): check ${setting}, and that PostgreSQL is running there.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

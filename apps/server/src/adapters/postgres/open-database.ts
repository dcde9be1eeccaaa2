import pg from 'pg';
import { StartFault } from '../../platform/start-fault.ts';
import { type Claim, claimInstallation, type InstallationHolder } from './claim-installation.ts';
import { type EmbeddedCluster, startEmbeddedCluster } from './embedded-cluster.ts';
import { migrate } from './migrate.ts';

export interface OpenDatabase {
  url: string;
  /** Says where the server on this database is to be found. */
  announce(holder: InstallationHolder): void;
  /** Stops what was started for it. */
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
  const cluster = await startEmbeddedCluster(options);
  const claimed = await claimInstallation(cluster.urlOf('postgres'), options.dataDirectory);
  if ('heldBy' in claimed) {
    const holder = claimed.heldBy
      ? `at ${claimed.heldBy.address} (process ${claimed.heldBy.pid})`
      : 'already';
    throw new StartFault(
      `Keyturn is running ${holder} on the data directory ${options.dataDirectory}: use that one, stop it, or set another KEYTURN_DATA_DIR and PORT.`,
    );
  }
  try {
    await createDatabase(cluster);
    await migrate(cluster.urlOf(databaseName));
  } catch (error) {
    await leave(cluster, claimed.claim);
    throw error;
  }
  return {
    url: cluster.urlOf(databaseName),
    announce: claimed.claim.announce,
    close: () => leave(cluster, claimed.claim),
  };
}

/** The database for a command beside, or without, a running server. */
export async function openDatabaseForCommand(options: OpenOptions): Promise<OpenDatabase> {
  if (options.databaseUrl) return openDatabaseForServer(options);
  const cluster = await startEmbeddedCluster(options);
  await createDatabase(cluster);
  await migrate(cluster.urlOf(databaseName));
  return {
    url: cluster.urlOf(databaseName),
    announce: () => {},
    close: async () => {
      // A server may have come meanwhile: then the cluster is its own.
      const claimed = await claimInstallation(cluster.urlOf('postgres'), options.dataDirectory);
      if ('claim' in claimed) await leave(cluster, claimed.claim);
    },
  };
}

const databaseName = 'keyturn';

async function leave(cluster: EmbeddedCluster, claim: Claim) {
  await cluster.stop();
  await claim.release();
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

import pg from 'pg';
import { StartFault } from '../../platform/start-fault.ts';
import {
  currentSchema,
  findPendingMigrations,
  migrate,
  type PendingMigration,
} from '../../schema/migrate.ts';
import type { ServerRole } from '../../schema/server-role.ts';
import { checkConnection } from './check-connection.ts';
import { joinCluster, type RunningServer } from './claim-data-directory.ts';
import { type EmbeddedCluster, startEmbeddedCluster } from './embedded-cluster.ts';
import { type JoinedCluster, keepClusterRunning } from './keep-cluster-running.ts';

export interface OpenDatabase {
  /** Connects as the server's role, which cannot alter the record of payments and signatures. */
  url: string;
  /** How many migrations were applied. */
  applied: number;
  /** The migrations that the database lacks. */
  pending: readonly PendingMigration[];
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
  /** What to do with migrations that the database lacks: apply them, refuse to open it, or leave it as it is. */
  onPending?: 'apply' | 'refuse' | 'leave';
  /** Called when the embedded PostgreSQL of a server ends, and when it runs again. */
  report?: (message: string) => void;
}

/**
 * Opens and migrates the database for a server. Only one server at a time can use the embedded one.
 * @throws StartFault if the database is unreachable, is used by another server, or is newer than this build
 */
export async function openDatabaseForServer(options: OpenOptions): Promise<OpenDatabase> {
  if (options.databaseUrl) {
    const { databaseUrl, databaseOwnerUrl } = options;
    await checkConnection(databaseUrl, 'DATABASE_URL');
    const serverRole = databaseOwnerUrl ? roleOf(databaseUrl) : undefined;
    if (databaseOwnerUrl) await checkConnection(databaseOwnerUrl, 'KEYTURN_DATABASE_OWNER_URL');
    const state = await bringUpToDate(options, databaseOwnerUrl ?? databaseUrl, serverRole);
    return { ...state, url: databaseUrl, announce: () => {}, close: async () => {} };
  }
  const joined = await join(options.dataDirectory);
  try {
    const claimed = await joined.membership.claim();
    if (claimed !== 'claimed') throw new StartFault(inUseMessage(claimed.claimedBy, options.dataDirectory));
    const opened = await prepare(options, joined);
    const rejoin = () => join(options.dataDirectory, joined.cluster.port);
    const { leave } = keepClusterRunning(joined, rejoin, options.report ?? (() => {}));
    return { ...opened, close: leave };
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
  const joined = await join(options.dataDirectory);
  try {
    return await prepare(options, joined);
  } catch (error) {
    await joined.leave();
    throw error;
  }
}

/** A database that a backup can be restored into. It may have no tables yet. */
export interface OpenDatabaseForRestore {
  /** Connects as the owner of the tables. */
  ownerUrl: string;
  /** The role of the server, if that is not the owner. */
  serverRole: ServerRole | undefined;
  close(): Promise<void>;
}

/**
 * Opens the database for a restore, without migrating it.
 * @throws StartFault if the database is unreachable, or a server uses the embedded one
 */
export async function openDatabaseForRestore(options: OpenOptions): Promise<OpenDatabaseForRestore> {
  const { databaseUrl, databaseOwnerUrl, dataDirectory } = options;
  if (databaseUrl) {
    await checkConnection(
      databaseOwnerUrl ?? databaseUrl,
      databaseOwnerUrl ? 'KEYTURN_DATABASE_OWNER_URL' : 'DATABASE_URL',
    );
    const serverRole = databaseOwnerUrl ? roleOf(databaseUrl) : undefined;
    return { ownerUrl: databaseOwnerUrl ?? databaseUrl, serverRole, close: async () => {} };
  }
  const { cluster, membership, leave } = await join(options.dataDirectory);
  try {
    const claimed = await membership.claim();
    if (claimed !== 'claimed') throw new StartFault(inUseMessage(claimed.claimedBy, dataDirectory));
    await createDatabase(cluster);
    return { ownerUrl: cluster.urlOf(databaseName), serverRole: cluster.serverRole, close: leave };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** Asks the driver, because an address may have a user without a host, or none. */
const roleOf = (url: string): ServerRole => ({ name: new pg.Client({ connectionString: url }).user ?? '' });

const databaseName = 'keyturn';

/** Milliseconds to wait while another process stops the cluster. */
const stopTimeout = 40_000;

/**
 * Starts or joins the cluster. If another process is stopping it, waits and starts it again.
 * @param port of the cluster; a free one by default
 */
async function join(dataDirectory: string, port?: number): Promise<JoinedCluster> {
  const deadline = performance.now() + stopTimeout;
  for (;;) {
    const cluster = await startEmbeddedCluster({ dataDirectory, ...(port === undefined ? {} : { port }) });
    const membership = await joinCluster(cluster.urlOf('postgres'), dataDirectory);
    if (membership) return { cluster, membership, leave: () => membership.leave(cluster.stop) };
    if (performance.now() > deadline) {
      throw new StartFault(
        `PostgreSQL on the data directory ${dataDirectory} is taking too long to stop: wait until it has stopped, then start again.`,
      );
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function prepare(
  options: OpenOptions,
  { cluster, membership, leave }: JoinedCluster,
): Promise<OpenDatabase> {
  await createDatabase(cluster);
  const state = await bringUpToDate(options, cluster.urlOf(databaseName), cluster.serverRole);
  return { ...state, url: cluster.serverUrlOf(databaseName), announce: membership.announce, close: leave };
}

/** Migrates a database, or only finds what it lacks. @param url connects as the owner of the tables */
async function bringUpToDate(
  { onPending = 'apply' }: OpenOptions,
  url: string,
  serverRole: ServerRole | undefined,
): Promise<Pick<OpenDatabase, 'applied' | 'pending'>> {
  if (onPending === 'apply') return { applied: await migrate(url, currentSchema, serverRole), pending: [] };
  const pending = await findPendingMigrations(url);
  const [first] = pending;
  if (first && onPending === 'refuse') {
    throw new StartFault(
      `The database lacks migrations of this Keyturn, from ${first.number} ("${first.name}"), and KEYTURN_MIGRATE_AT_START is off: run "npx keyturn migrate", then start again.`,
    );
  }
  return { applied: 0, pending };
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

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** The server that uses a data directory, for the error message of a second server. */
export interface RunningServer {
  pid: number;
  address: string;
}

/** One process's use of the embedded cluster. While any process uses it, none stops it. */
export interface ClusterMembership {
  /** Resolves when PostgreSQL has ended the use, because it stopped or crashed, or after `leave`. */
  ended: Promise<void>;
  /**
   * Claims the data directory for this server. If another server has claimed it, returns that server, or null if it
   * has no address yet.
   */
  claim(): Promise<'claimed' | { claimedBy: RunningServer | null }>;
  /** Stores the address of this server, for the error message of a second one. */
  announce(server: RunningServer): void;
  /** Releases the cluster and the claim. The last process stops the cluster; no process can join while it stops. */
  leave(stopCluster: () => Promise<void>): Promise<void>;
}

/** Arbitrary numbers for advisory locks; each data directory has its own cluster. */
const claimLock = 7_208_114_222;
const useLock = 7_208_114_224;

/**
 * Registers this process as a user of the embedded cluster. Use and claim are advisory locks on a separate connection,
 * so PostgreSQL releases them even if the process is killed.
 * @param url any database of the embedded cluster
 * @returns null if the cluster is stopping: start it again
 */
export async function joinCluster(url: string, dataDirectory: string): Promise<ClusterMembership | null> {
  const file = join(dataDirectory, 'server.json');
  const client = new pg.Client({ connectionString: url, application_name: 'keyturn claim', keepAlive: true });
  client.on('error', () => {});
  const ended = new Promise<void>((done) => client.once('end', done));
  const callLockFunction = async (name: string, lock: number) => {
    const { rows } = await client.query<{ is_done: boolean }>(`select ${name}($1) as is_done`, [lock]);
    return rows[0]?.is_done === true;
  };
  try {
    await client.connect();
    if (!(await callLockFunction('pg_try_advisory_lock_shared', useLock))) {
      await client.end();
      return null;
    }
  } catch (error) {
    await client.end().catch(() => {});
    if (isShutdownError(error)) return null;
    throw error;
  }
  let isClaimed = false;
  return {
    ended,
    claim: async () => {
      isClaimed = await callLockFunction('pg_try_advisory_lock', claimLock);
      return isClaimed ? 'claimed' : { claimedBy: readRunningServer(file) };
    },
    announce: (server) => writeFileSync(file, `${JSON.stringify(server)}\n`, { mode: 0o600 }),
    leave: async (stopCluster) => {
      if (isClaimed) rmSync(file, { force: true });
      try {
        await callLockFunction('pg_advisory_unlock_shared', useLock);
        if (await callLockFunction('pg_try_advisory_lock', useLock)) await stopCluster();
      } catch (error) {
        // PostgreSQL has stopped or crashed, which released the locks.
        if (!isShutdownError(error)) throw error;
      } finally {
        await client.end().catch(() => {});
      }
    },
  };
}

/** Whether the error means that PostgreSQL is stopping or has stopped. */
function isShutdownError(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'].includes(code ?? '') ||
    /connection (was )?(terminated|ended|error)|not queryable/i.test(message ?? '')
  );
}

function readRunningServer(file: string): RunningServer | null {
  try {
    const server = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunningServer>;
    return typeof server.pid === 'number' && typeof server.address === 'string'
      ? { pid: server.pid, address: server.address }
      : null;
  } catch {
    return null;
  }
}

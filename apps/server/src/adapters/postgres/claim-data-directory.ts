import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** What the server on a data directory says of itself, for whoever finds the directory taken. */
export interface RunningServer {
  pid: number;
  address: string;
}

/** Whoever works on the embedded cluster, a server or a command: while there is one, nobody stops it. */
export interface ClusterMembership {
  /** Makes it ours, for one server. @returns who holds it (null where the holder has not yet said) */
  claim(): Promise<'claimed' | { heldBy: RunningServer | null }>;
  /** Tells later starts where to find us, the server that claimed it. */
  announce(holder: RunningServer): void;
  /** Ends the use and the claim; the last one out stops the cluster, and nobody comes in meanwhile. */
  leave(stopCluster: () => Promise<void>): Promise<void>;
}

/** Any numbers that nobody else locks; within the cluster of one data directory. */
const claimLock = 7_208_114_222;
const useLock = 7_208_114_224;

/**
 * Enters the embedded cluster. PostgreSQL itself keeps the use and the claim, on a connection of their own, so that
 * they end with the process however that ends.
 * @param url a database of the embedded cluster
 * @returns null when the cluster is just being stopped: start it again
 */
export async function joinCluster(url: string, dataDirectory: string): Promise<ClusterMembership | null> {
  const file = join(dataDirectory, 'server.json');
  const client = new pg.Client({ connectionString: url, application_name: 'keyturn claim', keepAlive: true });
  client.on('error', () => {});
  const ask = async (statement: string, lock: number) => {
    const { rows } = await client.query<{ done: boolean }>(`select ${statement}($1) as done`, [lock]);
    return rows[0]?.done === true;
  };
  try {
    await client.connect();
    if (!(await ask('pg_try_advisory_lock_shared', useLock))) {
      await client.end();
      return null;
    }
  } catch (error) {
    await client.end().catch(() => {});
    if (isGoing(error)) return null;
    throw error;
  }
  let isOurs = false;
  return {
    claim: async () => {
      isOurs = await ask('pg_try_advisory_lock', claimLock);
      return isOurs ? 'claimed' : { heldBy: readHolder(file) };
    },
    announce: (holder) => writeFileSync(file, `${JSON.stringify(holder)}\n`, { mode: 0o600 }),
    leave: async (stopCluster) => {
      if (isOurs) rmSync(file, { force: true });
      try {
        await ask('pg_advisory_unlock_shared', useLock);
        if (await ask('pg_try_advisory_lock', useLock)) await stopCluster();
      } catch (error) {
        // Somebody else has stopped it, or it died: there is nothing left to leave.
        if (!isGoing(error)) throw error;
      } finally {
        await client.end().catch(() => {});
      }
    },
  };
}

/** A server that stops, or has stopped, under us. */
function isGoing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'].includes(code ?? '') ||
    /connection (was )?(terminated|ended|error)|not queryable/i.test(message ?? '')
  );
}

function readHolder(file: string): RunningServer | null {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunningServer>;
    return typeof holder.pid === 'number' && typeof holder.address === 'string'
      ? { pid: holder.pid, address: holder.address }
      : null;
  } catch {
    return null;
  }
}

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** What the server on a data directory says of itself, for whoever finds the directory taken. */
export interface InstallationHolder {
  pid: number;
  address: string;
}

export interface Claim {
  /** Tells later starts where to find us. */
  announce(holder: InstallationHolder): void;
  release(): Promise<void>;
}

/** Any number that nobody else locks; within the cluster of one data directory. */
const claimLock = 7_208_114_222;

/**
 * Claims the embedded database for one server. PostgreSQL itself keeps the claim, on a connection of its own,
 * so that it ends with the process however that ends.
 * @param url a database of the embedded cluster
 * @returns the claim, or who holds it (null where the holder has not yet said)
 */
export async function claimInstallation(
  url: string,
  dataDirectory: string,
): Promise<{ claim: Claim } | { heldBy: InstallationHolder | null }> {
  const file = join(dataDirectory, 'server.json');
  const client = new pg.Client({ connectionString: url, application_name: 'keyturn claim', keepAlive: true });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    claimLock,
  ]);
  if (!rows[0]?.taken) {
    await client.end();
    return { heldBy: readHolder(file) };
  }
  return {
    claim: {
      announce: (holder) => writeFileSync(file, `${JSON.stringify(holder)}\n`, { mode: 0o600 }),
      release: async () => {
        rmSync(file, { force: true });
        await client.end().catch(() => {});
      },
    },
  };
}

function readHolder(file: string): InstallationHolder | null {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Partial<InstallationHolder>;
    return typeof holder.pid === 'number' && typeof holder.address === 'string'
      ? { pid: holder.pid, address: holder.address }
      : null;
  } catch {
    return null;
  }
}

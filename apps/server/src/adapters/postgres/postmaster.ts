import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { StartFault } from '../../platform/start-fault.ts';
import type { Account, Binaries } from './postgres-installation.ts';

/** A cluster on disk, with everything needed to run it. */
export interface ClusterFiles {
  binaries: Binaries;
  clusterDirectory: string;
  account: Account;
}

/** PostgreSQL's superuser, who owns the databases. */
export const owner = 'keyturn';

/**
 * Finds the PostgreSQL that already runs on the cluster, and waits while it starts, recovers or stops. Never touches
 * another process.
 * @throws StartFault if it does not accept connections within 15 seconds
 */
export async function findRunningPostmaster(
  clusterDirectory: string,
  password: string,
): Promise<{ port: number } | undefined> {
  const file = join(clusterDirectory, 'postmaster.pid');
  const deadline = performance.now() + 15_000;
  while (existsSync(file)) {
    const [pid, , , port] = readFileSync(file, 'utf8').split('\n');
    if (!pid || !isPostmaster(Number(pid))) {
      // The file of a killed postmaster; another process may have its id by now.
      rmSync(file, { force: true });
      return undefined;
    }
    if (port && (await acceptsConnections(Number(port), password, clusterDirectory)))
      return { port: Number(port) };
    if (performance.now() > deadline) {
      throw new StartFault(
        `PostgreSQL (process ${pid}) uses the data directory but does not accept connections: wait for it, or stop that process.`,
      );
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return undefined;
}

/** Returns the folder of the Unix socket of a running cluster, or undefined if there is none that a client can open. */
export function findSocketDirectory({ clusterDirectory }: ClusterFiles, port: number): string | undefined {
  const socket = join(clusterDirectory, `.s.PGSQL.${port}`);
  return Buffer.byteLength(socket) <= maxSocketPath && existsSync(socket) ? clusterDirectory : undefined;
}

/** Bytes of the path of a Unix socket, on the system with the lowest limit. */
const maxSocketPath = 103;

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
  const command = spawnSync('ps', ['-o', 'stat=,args=', '-p', String(pid)], { encoding: 'utf8' });
  // In a container, a process that has ended can remain in the list as a zombie.
  return command.error !== undefined || /^(?!Z).*postgres/.test(command.stdout.trim());
}

async function acceptsConnections(
  port: number,
  password: string,
  clusterDirectory: string,
): Promise<boolean> {
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

/** Settings for a temporary cluster: no durability, no log for replicas, no autovacuum. */
const temporarySettings = [
  '-c fsync=off',
  '-c synchronous_commit=off',
  '-c full_page_writes=off',
  '-c wal_level=minimal',
  '-c max_wal_senders=0',
  '-c autovacuum=off',
];

/** @throws StartFault with the last line of PostgreSQL's log */
export async function startPostmaster(
  { binaries, clusterDirectory, account }: ClusterFiles,
  options: { port: number; isDurable: boolean; maxConnections: number },
): Promise<void> {
  const settings = [
    `-p ${options.port}`,
    '-c listen_addresses=127.0.0.1',
    // The cluster's own folder, where no other user can reach the socket.
    `-c unix_socket_directories=${platform() === 'win32' ? "''" : '.'}`,
    `-c max_connections=${options.maxConnections}`,
    '-c log_min_messages=fatal',
    ...(options.isDurable ? [] : temporarySettings),
  ].join(' ');
  const log = join(clusterDirectory, 'server.log');
  const result = await run(
    binaries.pg_ctl,
    ['start', '-D', clusterDirectory, '-o', settings, '-l', log, '-w', '-t', '60'],
    account,
  );
  if (result.code !== 0) {
    const output = existsSync(log) ? readFileSync(log, 'utf8') : result.output;
    throw (
      diskFullFault(output) ?? new StartFault(`PostgreSQL did not start: ${lastLine(output)} (see ${log})`)
    );
  }
}

/** Stops the cluster with a fast shutdown and waits up to 30 seconds for its end. */
export async function stopPostmaster({ binaries, clusterDirectory, account }: ClusterFiles): Promise<void> {
  const pid = readPostmasterPid(clusterDirectory);
  await run(binaries.pg_ctl, ['stop', '-D', clusterDirectory, '-m', 'fast', '-W'], account);
  // `pg_ctl -w` would also wait for a postmaster that another process has started since.
  const deadline = performance.now() + 30_000;
  while (
    pid !== null &&
    readPostmasterPid(clusterDirectory) === pid &&
    isAlive(pid) &&
    performance.now() < deadline
  ) {
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Returns the process id of the cluster's postmaster; null if there is none. */
function readPostmasterPid(clusterDirectory: string): number | null {
  try {
    return Number(readFileSync(join(clusterDirectory, 'postmaster.pid'), 'utf8').split('\n')[0]) || null;
  } catch {
    return null;
  }
}

/** The variables with which libfaketime runs tests on another day, which then is PostgreSQL’s day too. */
const clockOfTests = () =>
  process.env.LD_PRELOAD?.includes('libfaketime') &&
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(?:LD_PRELOAD|.*FAKE.*)$/.test(name)));

/** Runs a program of PostgreSQL. `pg_ctl` starts the server in its own session, so that Ctrl-C does not reach it. */
export function run(
  program: string,
  args: string[],
  account: Account,
): Promise<{ code: number | null; output: string }> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, {
      ...account,
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...clockOfTests() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', fail);
    // `close` might never come, because the started server may keep the pipes open.
    child.on('exit', (code) => {
      child.stdout.destroy();
      child.stderr.destroy();
      done({ code, output });
    });
  });
}

export function diskFullFault(output: string): StartFault | undefined {
  return /no space left|disk full/i.test(output)
    ? new StartFault('The disk is full: free some space (Keyturn needs at least 200 MB) and start again.')
    : undefined;
}

export const lastLine = (output: string) => output.trim().split('\n').at(-1) ?? 'no reason given';

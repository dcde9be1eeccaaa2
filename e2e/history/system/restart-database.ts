import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { within } from './within.ts';

/**
 * Stops PostgreSQL as a power cut would (immediate mode) and starts it again with its original arguments, on the same
 * port. Resolves when it answers again.
 * @param whileAway runs between stop and start
 */
export function restartDatabase(
  clusterDirectory: string,
  url: string,
  whileAway: () => Promise<unknown> = async () => {},
): Promise<void> {
  return within(120, 'Restarting PostgreSQL', stopAndStart(clusterDirectory, url, whileAway));
}

async function stopAndStart(clusterDirectory: string, url: string, whileAway: () => Promise<unknown>) {
  const pid = Number(readFileSync(join(clusterDirectory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const words = readFileSync(join(clusterDirectory, 'postmaster.opts'), 'utf8').trim();
  process.kill(pid, 'SIGQUIT');
  while (isAlive(pid)) await pause(10);
  const { uid, gid } = statSync(clusterDirectory);
  await whileAway();
  const [program = '', ...args] = [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  const start = () =>
    spawn(program, args, {
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      // PostgreSQL refuses to run as root, and only root can switch to another user.
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
      stdio: 'ignore',
      detached: true,
    });
  // The port may be in use for a moment, because a client that connects to a free port can connect to itself.
  for (let isUp = false; !isUp; ) {
    const postmaster = start();
    postmaster.unref();
    isUp = await answers(url, () => postmaster.exitCode !== null || postmaster.signalCode !== null);
  }
}

/** @returns whether the database accepts connections; false once its process has ended */
async function answers(url: string, hasEnded: () => boolean): Promise<boolean> {
  while (!hasEnded()) {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 2_000,
      query_timeout: 2_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return true;
    } catch {
      await pause(20);
    } finally {
      await client.end().catch(() => {});
    }
  }
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

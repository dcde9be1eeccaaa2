import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/**
 * Stops PostgreSQL as a power cut would (immediate mode) and starts it again with its original arguments, on the same
 * port. Resolves when it answers again.
 * @param whileAway runs between stop and start
 */
export async function restartDatabase(
  clusterDirectory: string,
  url: string,
  whileAway: () => Promise<unknown> = async () => {},
): Promise<void> {
  const pid = Number(readFileSync(join(clusterDirectory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const words = readFileSync(join(clusterDirectory, 'postmaster.opts'), 'utf8').trim();
  process.kill(pid, 'SIGQUIT');
  while (isAlive(pid)) await pause(10);
  const { uid, gid } = statSync(clusterDirectory);
  await whileAway();
  const [program = '', ...args] = [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  spawn(program, args, {
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    // PostgreSQL refuses to run as root, and only root can switch to another user.
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    stdio: 'ignore',
    detached: true,
  }).unref();
  await answers(url);
}

async function answers(url: string) {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch {
      await pause(20);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

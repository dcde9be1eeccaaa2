import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createClient } from '@redis/client';

/** The installed Redis or Valkey server; without one, tests that need it are skipped. */
export const redisProgram =
  ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0) ?? null;

/** A Redis server on a port that stays the same while it is stopped. */
export interface TestRedis {
  url: string;
  port: number;
  start(): Promise<void>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Sends a command to the server. */
  run(...command: string[]): Promise<unknown>;
}

/** Prepares a Redis server, which does not run before `start`. @param options further options of the program */
export async function createTestRedis(options: readonly string[] = []): Promise<TestRedis> {
  if (redisProgram === null) throw new Error('no Redis server is installed');
  const program = redisProgram;
  const port = await findFreePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const run = async (command: string[]): Promise<unknown> => {
    const client = createClient({ url, RESP: 3, socket: { reconnectStrategy: false } });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.sendCommand(command);
    } finally {
      client.destroy();
    }
  };
  return {
    url,
    port,
    start: async () => {
      const started = spawn(
        program,
        ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...options],
        { stdio: 'ignore' },
      );
      child = started;
      while ((await run(['PING']).catch(() => null)) !== 'PONG') {
        if (started.exitCode !== null) throw new Error('the Redis server has ended');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    kill: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise((resolve) => child?.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    },
    run: (...command) => run(command),
  };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { projectDirectory } from '../harness/start-product.ts';
import type { FromServer, ToServer } from './server-process.ts';

/** A server in a process of its own, that may be killed at any moment and started again. */
export interface ServerProcess {
  /** The same after each start. */
  url(): string;
  isUp(): boolean;
  /** SIGKILL: nothing in it gets to run again. */
  kill(): Promise<void>;
  /** Starts it, again and again until it serves: the database may be away. */
  start(): Promise<void>;
  /** Moves its clock; milliseconds ahead of ours. */
  setAhead(ahead: number): void;
  /** What it complained of. */
  errors(): string[];
}

export function createServerProcess(options: { program: string; env: NodeJS.ProcessEnv }): ServerProcess {
  let child: ChildProcess | undefined;
  let url = '';
  let ahead = 0;
  const errors: string[] = [];

  const tryToStart = () =>
    new Promise<boolean>((done) => {
      const { PATH, HOME, LANG } = process.env;
      const started = fork(options.program, [], {
        cwd: projectDirectory,
        execArgv: [],
        env: {
          PATH,
          HOME,
          LANG,
          ...options.env,
          PORT: url === '' ? '0' : new URL(url).port,
          HISTORY_AHEAD: String(ahead),
          HISTORY_PROJECT: projectDirectory,
        },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      const listen = (chunk: Buffer) => {
        errors.push(...String(chunk).split('\n').filter(Boolean));
        errors.splice(0, errors.length - 2_000);
      };
      started.stdout?.on('data', listen);
      started.stderr?.on('data', listen);
      started.once('exit', () => {
        if (child === started) child = undefined;
        done(false);
      });
      started.once('message', (message: FromServer) => {
        child = started;
        url = message.url;
        // The clock may have jumped while it started.
        started.send({ ahead } satisfies ToServer);
        done(true);
      });
    });

  return {
    url: () => url,
    isUp: () => child !== undefined,
    errors: () => errors,
    kill: async () => {
      const killed = child;
      child = undefined;
      if (!killed || killed.exitCode !== null || killed.signalCode !== null) return;
      await new Promise((done) => {
        killed.once('exit', done);
        killed.kill('SIGKILL');
      });
    },
    start: async () => {
      while (!(await tryToStart())) await pause(100);
    },
    setAhead: (milliseconds) => {
      ahead = milliseconds;
      if (child?.connected) child.send({ ahead } satisfies ToServer);
    },
  };
}

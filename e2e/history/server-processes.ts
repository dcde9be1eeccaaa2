import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { projectDirectory } from '../harness/start-product.ts';
import type { FromServer, ToServer } from './server-process.ts';

/** A server in a separate process, which can be killed at any moment and restarted. */
export interface ServerProcess {
  /** Stays the same after a restart. */
  url(): string;
  isUp(): boolean;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Starts it repeatedly until it serves, because the database may be down. */
  start(): Promise<void>;
  /** Sets its clock, in milliseconds ahead of the test's clock. */
  setAhead(ahead: number): void;
  /** Errors in its log. */
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

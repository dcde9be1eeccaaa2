import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { type ClockMessage, forkProgram, killProcess } from './fork-program.ts';
import type { FromServer } from './server-process.ts';
import { within } from './within.ts';

/** A server in a separate process, which can be killed at any moment and restarted. */
export interface ServerProcess {
  /** The address stays the same after a restart. */
  url(): string;
  isUp(): boolean;
  /** The id of the running process; undefined while it is down. */
  pid(): number | undefined;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Starts the server, repeatedly until it is ready, because the database may be down. */
  start(): Promise<void>;
  /** Sets the server's clock, in milliseconds ahead of the test's clock. */
  setAhead(ahead: number): void;
  /** Changes a setting from the server's next start on. */
  setEnv(change: NodeJS.ProcessEnv): void;
  /** The errors in the server's log. */
  errors(): string[];
}

export function createServerProcess(options: { program: string; env: NodeJS.ProcessEnv }): ServerProcess {
  let child: ChildProcess | undefined;
  let url = '';
  let env = options.env;
  let ahead = 0;
  const errors: string[] = [];

  const tryToStart = () =>
    new Promise<boolean>((done) => {
      const started = forkProgram(
        options.program,
        { ...env, PORT: url === '' ? '0' : new URL(url).port },
        ahead,
      );
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
        // The clock may have jumped while the server started.
        started.send({ ahead } satisfies ClockMessage);
        done(true);
      });
    });

  return {
    url: () => url,
    isUp: () => child !== undefined,
    pid: () => child?.pid,
    errors: () => errors,
    kill: async () => {
      const killed = child;
      child = undefined;
      await killProcess(killed);
    },
    start: async () => {
      const startRepeatedly = async () => {
        while (!(await tryToStart())) await pause(100);
      };
      await within(180, 'Starting a server', startRepeatedly(), () => errors.slice(-5).join('\n'));
    },
    setEnv: (change) => {
      env = { ...env, ...change };
    },
    setAhead: (milliseconds) => {
      ahead = milliseconds;
      if (child?.connected) child.send({ ahead } satisfies ClockMessage);
    },
  };
}

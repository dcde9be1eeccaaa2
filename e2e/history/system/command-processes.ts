import type { ChildProcess } from 'node:child_process';
import type { FirmCommand, FromCommandProcess } from './command-process.ts';
import { forkProgram, killProcess } from './fork-program.ts';

/** What a `keyturn` command printed, and its exit code. */
export interface CommandResult {
  exitCode: number;
  lines: string[];
}

/** Runs `keyturn` commands one after the other, in a process that can be killed at any moment. */
export interface CommandProcess {
  /** @returns null if the process was killed during the command */
  run(command: FirmCommand): Promise<CommandResult | null>;
  /** Sends SIGKILL; the next command starts another process. */
  kill(): Promise<void>;
  setAhead(ahead: number): void;
  /** Changes a setting of the next process. */
  setEnv(change: NodeJS.ProcessEnv): void;
}

/** The timeout of a command, in milliseconds. A command that takes longer fails the run. */
const maxDuration = 120_000;

export function createCommandProcess({
  program,
  env: firstEnv,
}: {
  /** Builds the program once. */
  program: () => Promise<string>;
  env: NodeJS.ProcessEnv;
}): CommandProcess {
  let env = firstEnv;
  let child: ChildProcess | undefined;
  let ahead = 0;
  let last: Promise<unknown> = Promise.resolve();

  const startProcess = (file: string): ChildProcess => {
    const started = forkProgram(file, env, ahead);
    child = started;
    started.stdout?.resume();
    started.stderr?.resume();
    started.once('exit', () => {
      if (child === started) child = undefined;
    });
    return started;
  };
  const runNow = async (command: FirmCommand): Promise<CommandResult | null> => {
    const file = await program();
    const running = child ?? startProcess(file);
    return new Promise((done, fail) => {
      const hangs = setTimeout(
        () => fail(new Error(`keyturn ${command.name} did not finish in time`)),
        maxDuration,
      );
      const onExit = () => {
        clearTimeout(hangs);
        done(null);
      };
      running.once('exit', onExit);
      running.once('message', (result: FromCommandProcess) => {
        running.off('exit', onExit);
        clearTimeout(hangs);
        done(result);
      });
      // The IPC channel of a killed process is closed.
      running.send({ ahead, command }, (error) => error && onExit());
    });
  };
  return {
    run: (command) => {
      const result = last.then(() => runNow(command));
      last = result;
      return result;
    },
    kill: () => {
      const killed = child;
      child = undefined;
      return killProcess(killed);
    },
    setAhead: (milliseconds) => {
      ahead = milliseconds;
      if (child?.connected) child.send({ ahead });
    },
    setEnv: (change) => {
      env = { ...env, ...change };
    },
  };
}

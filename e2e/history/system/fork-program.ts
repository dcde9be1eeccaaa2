import { type ChildProcess, fork } from 'node:child_process';
import { projectDirectory } from '../../harness/start-product.ts';

/** A message to a program: how far its clock is ahead of the real one, in milliseconds. */
export interface ClockMessage {
  ahead: number;
}

/** Starts a built program of the histories with only the given environment variables. */
export function forkProgram(program: string, env: NodeJS.ProcessEnv, ahead: number): ChildProcess {
  const { PATH, HOME, LANG } = process.env;
  return fork(program, [], {
    cwd: projectDirectory,
    execArgv: [],
    env: { PATH, HOME, LANG, ...env, HISTORY_AHEAD: String(ahead), HISTORY_PROJECT: projectDirectory },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // By default, dates would become strings.
    serialization: 'advanced',
  });
}

/** Kills a process with SIGKILL. Resolves when it has ended. */
export async function killProcess(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((done) => {
    child.once('exit', done);
    child.kill('SIGKILL');
  });
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface RunningProduct {
  url: string;
  dataDirectory: string;
  process: ChildProcess;
  /** Everything it has printed. */
  output(): string;
  /** Ends it as Ctrl-C would; resolves to its exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL: nothing in it gets to run again. Its PostgreSQL lives on. */
  kill(): Promise<void>;
}

export const projectDirectory = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the built server as a process of its own, on any free port, and waits until it serves. */
export async function startProduct(
  options: { dataDirectory?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<RunningProduct> {
  const holdsNone = options.env?.KEYTURN_DEMONSTRATION === 'off' || options.env?.DATABASE_URL;
  const dataDirectory = options.dataDirectory ?? (holdsNone ? newDataDirectory() : copyDemonstration());
  const child = spawn(process.execPath, [join(projectDirectory, 'apps/server/dist/main.js')], {
    cwd: projectDirectory,
    env: cleanEnvironment({
      PORT: '0',
      KEYTURN_DATA_DIR: dataDirectory,
      // Tests pay more often than people do, all from one address.
      KEYTURN_PAYMENT_STARTS_PER_CLIENT: '1000000',
      KEYTURN_PAYMENT_STARTS_PER_ADDRESS: '1000000',
      KEYTURN_CARD_DECLINES_PER_CLIENT: '1000000',
      KEYTURN_CARD_DECLINES_PER_ADDRESS: '1000000',
      ...options.env,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  const url = await new Promise<string>((done, fail) => {
    const listen = (chunk: Buffer) => {
      output += chunk;
      const address = /ready at (http:\S+)/.exec(output)?.[1];
      if (address) done(address);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', (code) => fail(new Error(`The server ended with ${code}: ${output}`)));
  });
  return {
    url,
    dataDirectory,
    process: child,
    output: () => output,
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export const newDataDirectory = () => mkdtempSync(join(tmpdir(), 'keyturn-e2e-'));

/** A data directory in which the demonstration firm is loaded, where the test run has made one; else an empty one. */
export function copyDemonstration(): string {
  const directory = newDataDirectory();
  const made = process.env[demonstrationVariable];
  // With the owners of the files: PostgreSQL insists on its own.
  if (made) execFileSync('cp', ['-a', `${made}/.`, directory]);
  return directory;
}

/** Says where a stopped product's data directory is, to be copied. */
export const demonstrationVariable = 'TEST_DEMONSTRATION_DATA';

/** Ends the PostgreSQL that a killed server left behind, by the process id in its own data directory. */
export function removeDataDirectory(dataDirectory: string): void {
  const pidFile = join(dataDirectory, 'postgres', 'postmaster.pid');
  if (existsSync(pidFile)) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    if (pid > 1) {
      try {
        process.kill(pid, 'SIGQUIT');
      } catch {
        // It has ended by itself.
      }
    }
  }
  rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** The environment without what the test run, or the machine, sets for its own purposes. */
function cleanEnvironment(overrides: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG } = process.env;
  return { PATH, HOME, LANG, ...overrides };
}

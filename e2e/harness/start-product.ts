import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface RunningProduct {
  url: string;
  dataDirectory: string;
  process: ChildProcess;
  /** Everything that the server has printed so far. */
  output(): string;
  /** Stops the server as Ctrl-C does. Resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Kills the server with SIGKILL, without any clean-up. Its PostgreSQL keeps running. */
  kill(): Promise<void>;
}

/** The products that the current test file has started, for the log of a failed test. */
export const startedProducts = new Set<Pick<RunningProduct, 'output'>>();

export const projectDirectory = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Starts the built server as a separate process on a free port and waits until it accepts requests.
 * @param options.projectDirectory of another version
 */
export async function startProduct(
  options: { dataDirectory?: string; env?: NodeJS.ProcessEnv; projectDirectory?: string } = {},
): Promise<RunningProduct> {
  const directory = options.projectDirectory ?? projectDirectory;
  const startsEmpty = options.env?.KEYTURN_DEMONSTRATION === 'off' || options.env?.DATABASE_URL;
  const dataDirectory = options.dataDirectory ?? (startsEmpty ? newDataDirectory() : copyDemonstration());
  const child = spawn(process.execPath, [join(directory, 'apps/server/dist/main.js')], {
    cwd: directory,
    env: cleanEnvironment({
      PORT: '0',
      KEYTURN_DATA_DIR: dataDirectory,
      // Tests pay more often than people do, and all from one address.
      KEYTURN_PAYMENT_STARTS_PER_CLIENT: '1000000',
      KEYTURN_PAYMENT_STARTS_PER_ADDRESS: '1000000',
      KEYTURN_CARD_DECLINES_PER_CLIENT: '1000000',
      KEYTURN_CARD_DECLINES_PER_ADDRESS: '1000000',
      KEYTURN_REQUESTS_PER_ADDRESS: '1000000',
      KEYTURN_CHANGES_PER_CLIENT: '1000000',
      ...options.env,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  startedProducts.add({ output: () => output });
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

/** Creates a data directory with the demonstration firm, or an empty one where the test run has not prepared any. */
export function copyDemonstration(): string {
  const directory = newDataDirectory();
  const made = process.env[demonstrationVariable];
  // `-a` keeps the owners of the files, which PostgreSQL checks.
  if (made) execFileSync('cp', ['-a', `${made}/.`, directory]);
  return directory;
}

/** Gives a data directory the documents in a folder, which servers of one database share. */
export function shareDocuments(dataDirectory: string, folder: string): void {
  const own = join(dataDirectory, 'documents');
  mkdirSync(folder, { recursive: true });
  mkdirSync(dataDirectory, { recursive: true });
  if (!existsSync(own)) symlinkSync(folder, own);
}

/** Names the data directory of a stopped product that tests copy. */
export const demonstrationVariable = 'TEST_DEMONSTRATION_DATA';

/** Names the day in London on which that product loaded the demonstration firm. */
export const demonstrationDayVariable = 'TEST_DEMONSTRATION_DAY';

/** Stops the PostgreSQL that a killed server left behind, then removes its data directory. */
export function removeDataDirectory(dataDirectory: string): void {
  const pidFile = join(dataDirectory, 'postgres', 'postmaster.pid');
  if (existsSync(pidFile)) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    if (pid > 1) {
      try {
        process.kill(pid, 'SIGQUIT');
      } catch {
        // The process has already ended.
      }
    }
  }
  rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Leaves out the variables that the test run or the machine has set for other purposes. */
function cleanEnvironment(overrides: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|LANG|LD_PRELOAD|FAKETIME.*)$/.test(name),
  );
  return { ...Object.fromEntries(kept), ...overrides };
}

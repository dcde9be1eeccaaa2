// @ts-check
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, root } from './set-up.mjs';

/* Exit statuses of a run that a signal ended, as in shells. */
const interruptedStatus = 130;
const terminatedStatus = 143;

/**
 * Runs Vitest with `runInGroup`.
 * @param {string[]} vitestArguments
 * @param {(folder: string) => void} onFinished reads Vitest's JSON report, `vitest.json` in the folder
 * @param {AbortSignal} [signal] stops it
 * @returns {Promise<number>} the exit status
 */
export function runTests(vitestArguments, onFinished, signal) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  return runInGroup(
    (folder) => [
      vitest,
      'run',
      '--reporter=default',
      `--reporter=${join(root, 'scripts/second-attempts-reporter.mjs')}`,
      '--reporter=json',
      `--outputFile.json=${join(folder, 'vitest.json')}`,
      ...vitestArguments,
    ],
    (folder) => {
      if (existsSync(join(folder, 'vitest.json'))) onFinished(folder);
    },
    signal ? { signal } : {},
  );
}

/**
 * Runs the tests of projects of vitest.config.ts, and prints how many passed.
 * @param {string[]} projects
 * @returns {Promise<number>} the exit status
 */
export const runProjects = (projects) =>
  runTests(
    projects.map((name) => `--project=${name}`),
    printTotals,
  );

/** @param {string} report the folder of Vitest's report */
export function printTotals(report) {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(
    readFileSync(join(report, 'vitest.json'), 'utf8'),
  );
  // A file with a failed set-up reports no failed test.
  const brokenFiles = testResults.filter(
    (/** @type {{ status: string, assertionResults: { status: string }[] }} */ file) =>
      file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const broken = brokenFiles > 0 ? `, ${brokenFiles} files could not run` : '';
  console.log(`\n${numPassedTests} passed, ${numFailedTests} failed${broken}`);
}

/**
 * Runs a Node.js program in a separate process group and temporary folder. However the run ends, by Ctrl-C too, this
 * stops every server, browser and PostgreSQL that it started and removes the folder.
 * @param {(folder: string) => string[]} argumentsFor the program and its arguments
 * @param {(folder: string) => void} [onFinished] reads what the program has written, unless it was interrupted
 * @param {{ signal?: AbortSignal, niceness?: number }} [options] the signal interrupts the program; more niceness leaves
 *   more of the processor to others
 * @returns {Promise<number>} the exit status
 */
export async function runInGroup(argumentsFor, onFinished = () => {}, { signal, niceness = 0 } = {}) {
  const folder = mkdtempSync(join(findTemporaryFolder(), 'keyturn-run-'));
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(folder, 0o711);
  const hasProcessGroups = process.platform !== 'win32';
  const program = spawn(process.execPath, argumentsFor(folder), {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
    detached: hasProcessGroups,
  });
  if (niceness > 0 && program.pid) setPriority(program.pid, niceness);
  const killAll = () => {
    try {
      process.kill(hasProcessGroups ? -(program.pid ?? 0) : (program.pid ?? 0), 'SIGKILL');
    } catch {
      // All processes have ended.
    }
  };
  let interrupted = 0;
  const interrupt = (/** @type {number} */ status) => {
    interrupted = status;
    killAll();
  };
  const onInterrupt = () => interrupt(interruptedStatus);
  const onTerminate = () => interrupt(terminatedStatus);
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  signal?.addEventListener('abort', () => interrupt(1));
  const status = await new Promise((resolve) => {
    program.once('error', () => resolve(1));
    program.once('exit', (code) => resolve(code ?? 1));
  });
  try {
    if (interrupted === 0) onFinished(folder);
  } finally {
    killAll();
    await stopDatabases(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onTerminate);
  }
  return interrupted || status;
}

/**
 * Runs one step after the other, also after one that fails. A signal ends all of them.
 * @param {(() => Promise<number>)[]} steps each resolves to an exit status of `runInGroup`
 * @returns {Promise<number>} 0, or the first other status
 */
export async function runSteps(steps) {
  let first = 0;
  for (const run of steps) {
    const status = await run();
    if (status === interruptedStatus || status === terminatedStatus) return status;
    first ||= status;
  }
  return first;
}

/**
 * In memory, where there is plenty: tests copy many databases, which takes several times as long on a disk.
 * @returns the folder for temporary files
 */
function findTemporaryFolder() {
  const memory = '/dev/shm';
  const enough = 8e9;
  if (process.env.TMPDIR || freemem() < enough) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize < enough ? tmpdir() : memory;
  } catch {
    return tmpdir();
  }
}

/**
 * Stops the PostgreSQL servers below a folder. They run in separate sessions, so a signal to the process group does
 * not reach them.
 * @param {string} folder
 */
async function stopDatabases(folder) {
  // A server that was just starting writes its pid a moment later, so two checks in a row must find none.
  for (let clearLooks = 0; clearLooks < 2; await pause(150)) {
    const running = findDatabases(folder).filter(isAlive);
    clearLooks = running.length === 0 ? clearLooks + 1 : 0;
    for (const pid of running) {
      try {
        process.kill(pid, 'SIGQUIT');
      } catch {
        // The process has just ended.
      }
    }
  }
}

/**
 * @param {string} folder
 * @returns {number[]} the process ids in the `postmaster.pid` files of the data directories in the folder
 */
function findDatabases(folder, depth = 3) {
  const pid = Number(readFirstLine(join(folder, 'postgres', 'postmaster.pid')));
  if (pid > 1) return [pid];
  if (depth === 0) return [];
  return listFolders(folder).flatMap((name) => findDatabases(join(folder, name), depth - 1));
}

/** @param {string} file */
function readFirstLine(file) {
  try {
    return readFileSync(file, 'utf8').split('\n')[0];
  } catch {
    return '';
  }
}

/** @param {string} folder */
function listFolders(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

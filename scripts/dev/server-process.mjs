// @ts-check
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../set-up.mjs';
import { formatLogLine } from './format-log-line.mjs';

/**
 * Runs the built server as a child process, which each build replaces. The next process is already there and has loaded
 * the npm packages.
 * @param {object} options
 * @param {string} options.folder of the build
 * @param {NodeJS.ProcessEnv} options.env
 * @param {(line: string) => string} options.replaceAddresses puts the address of the dashboard into a line of the welcome
 */
export function createServerProcess({ folder, env, replaceAddresses }) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let current;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let next;
  let isStopping = false;
  let starts = 0;
  let changedAt = Date.now();
  let settling = createSettling();
  /** One restart at a time, in the order of the builds. */
  let queue = Promise.resolve();

  const expectRestart = () => {
    if (!settling.isSettled()) return;
    changedAt = Date.now();
    settling = createSettling();
  };

  const prepareNext = () => {
    if (isStopping) return;
    next = fork(join(import.meta.dirname, 'run-server.mjs'), [folder], {
      cwd: root,
      env,
      execArgv: ['--enable-source-maps', '--disable-warning=DEP0040'],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      // Ctrl-C must not reach it twice, from the terminal and from this process: the second signal ends it at once.
      detached: process.platform !== 'win32',
    });
  };

  const start = () => {
    if (!next || !isRunning(next)) prepareNext();
    const started = next;
    if (!started?.stdout) return;
    next = undefined;
    current = started;
    starts += 1;
    const isFirst = starts === 1;
    createInterface({ input: started.stdout }).on('line', (line) => {
      if (line.includes('ready at')) {
        settling.settle(null);
        if (!isFirst) console.log(`Server restarted in ${Date.now() - changedAt} ms.`);
        prepareNext();
      }
      if (line.startsWith('{')) console.log(formatLogLine(line));
      // The welcome is printed once.
      else if (isFirst) console.log(replaceAddresses(line));
    });
    started.once('exit', (code) => {
      if (isStopping || current !== started) return;
      current = undefined;
      fail(`The server stopped with status ${code}. It starts again after the next change.`);
    });
    started.send('start');
  };

  /** @param {string} problem */
  const fail = (problem) => {
    console.error(problem);
    // The last server that could be built still answers.
    settling.settle(current ? null : problem);
  };

  const endCurrent = async () => {
    const ending = current;
    current = undefined;
    if (ending) await end(ending);
  };

  return {
    /** Resolves when the server answers, with null, or with the reason why it does not. */
    whenSettled: () => settling.promise,
    expectRestart,
    fail,
    restart: () => {
      queue = queue.then(async () => {
        if (isStopping) return;
        await endCurrent();
        expectRestart();
        start();
      });
      return queue;
    },
    stop: async () => {
      isStopping = true;
      settling.settle('The server is being stopped.');
      await queue;
      await Promise.all([endCurrent(), next && end(next)]);
    },
  };
}

/** @param {import('node:child_process').ChildProcess} child */
const isRunning = ({ exitCode, signalCode }) => exitCode === null && signalCode === null;

/**
 * Ends a process and waits for it. The server limits the time that its stop takes, and stops its PostgreSQL.
 * @param {import('node:child_process').ChildProcess} child
 */
async function end(child) {
  if (!isRunning(child)) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}

/** A promise of the server's state that can be settled from outside. */
function createSettling() {
  let isSettled = false;
  /** @type {(problem: string | null) => void} */
  let resolve = () => {};
  /** @type {Promise<string | null>} */
  const promise = new Promise((done) => (resolve = done));
  return {
    promise,
    isSettled: () => isSettled,
    /** @param {string | null} problem */
    settle: (problem) => {
      isSettled = true;
      resolve(problem);
    },
  };
}

// @ts-check
import { fork, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { root } from '../scripts/set-up.mjs';

/* Starts the processes of bench/channel.mjs and reads their measurements. */

export const app = { key: 'bench', secret: 'the-secret-of-the-benchmark', appId: 'bench' };

/** @type {import('node:child_process').ChildProcess[]} */
const started = [];

export async function stopAll() {
  for (const child of started.reverse()) await stop(child);
}

/**
 * @typedef {{ child: import('node:child_process').ChildProcess, url: string, socketUrl: string }} Server
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [probe] a file of this folder that is loaded into the server, and answers messages
 * @param {(line: string) => void} [onLine] called for each line of the server's log, which is otherwise not read
 * @returns {Promise<Server>}
 */
export async function startKeyturn(env, probe = 'channel-memory.mjs', onLine) {
  const port = await freePort();
  const { BENCH_PROFILE: profile, BENCH_SOKETI: _, ...environment } = process.env;
  const child = spawn(
    process.execPath,
    [
      ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []),
      ...[
        '--expose-gc',
        '--import',
        new URL(probe, import.meta.url).href,
        join(root, 'apps/server/dist/main.js'),
      ],
    ],
    {
      env: {
        ...environment,
        PORT: String(port),
        // As in production.
        LOG_LEVEL: 'info',
        KEYTURN_REALTIME_KEY: app.key,
        KEYTURN_REALTIME_SECRET: app.secret,
        KEYTURN_REALTIME_APP_ID: app.appId,
        // The clients claim many IP addresses.
        KEYTURN_TRUSTED_PROXIES: '1',
        ...env,
      },
      stdio: ['ignore', onLine ? 'pipe' : 'ignore', 'inherit', 'ipc'],
    },
  );
  started.push(child);
  if (onLine && child.stdout) createInterface(child.stdout).on('line', onLine);
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(`${url}/readyz`, child);
  return { child, url, socketUrl: `ws://127.0.0.1:${port}/app/${app.key}?protocol=7` };
}

/** Starts the baseline. @returns {Promise<Server>} */
export async function startBare() {
  const port = await freePort();
  const child = await startProcess('channel-bare-server.mjs', [String(port)]);
  return { child, url: `http://127.0.0.1:${port}`, socketUrl: `ws://127.0.0.1:${port}/` };
}

/**
 * Starts soketi, if `BENCH_SOKETI` names its `bin/server.js`: it needs packages from outside the npm registry.
 * @returns {Promise<Server | null>}
 */
export async function startSoketi() {
  const program = process.env.BENCH_SOKETI;
  if (!program) return null;
  const port = await freePort();
  const metricsPort = await freePort();
  const child = spawn(process.execPath, [program, 'start'], {
    env: {
      ...process.env,
      SOKETI_PORT: String(port),
      SOKETI_METRICS_SERVER_PORT: String(metricsPort),
      SOKETI_DEFAULT_APP_ID: app.appId,
      SOKETI_DEFAULT_APP_KEY: app.key,
      SOKETI_DEFAULT_APP_SECRET: app.secret,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  started.push(child);
  await untilAnswers(`http://127.0.0.1:${port}/ready`, child);
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    socketUrl: `ws://127.0.0.1:${port}/app/${app.key}?protocol=7`,
  };
}

/** Starts a program of this folder, and waits for its first message. @param {string} file @param {string[]} parameters */
export async function startProcess(file, parameters) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), parameters);
  started.push(child);
  await nextMessage(child);
  return child;
}

/** @param {string} url @param {import('node:child_process').ChildProcess} child */
async function untilAnswers(url, child) {
  for (let attempt = 0; ; attempt++) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (child.exitCode !== null || attempt > 600) throw new Error('a server did not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * Resolves with the next message of a process.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<any>}
 */
export function nextMessage(child) {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('a benchmark process has exited'));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message);
    });
  });
}

/** Sends a message to a process. @param {import('node:child_process').ChildProcess} child @param {any} message */
export function ask(child, message) {
  const answer = nextMessage(child);
  child.send(message);
  return answer;
}

/** Reads the CPU time of a process in seconds (Linux). @param {number | undefined} pid */
export function readCpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

/** @param {import('node:child_process').ChildProcess} child */
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await exited;
}

/** @param {number[]} numbers */
export const median = (numbers) => quantile(numbers, 0.5);

/** @param {number[]} numbers @param {number} share */
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
}

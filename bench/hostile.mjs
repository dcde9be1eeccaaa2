// @ts-check
import { fork, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build, install, requireNode, root } from '../scripts/set-up.mjs';
import { endProcesses } from './end-processes.mjs';

/*
 * Measures how long a client waits for her case while others send 20,000 hostile requests at 150 a second: bodies,
 * paths and headers that are expensive to search. Prints her p99 without and with them, and fails if it grows more than
 * fivefold. `--short` sends 3,000. The server, the attackers and the client share this machine.
 */

const isShort = process.argv.includes('--short');
const hostileRequests = isShort ? 3_000 : 20_000;
const perSecond = 150;
const quietSeconds = isShort ? 15 : 60;
/** Milliseconds between two reads of the case. */
const readEvery = 500;
const maxRatio = 5;

const calls = ['/client', '/case-searches', '/milestones', '/documents', '/case-history'];

requireNode();
install();
build();

const folder = mkdtempSync(join(tmpdir(), 'keyturn-bench-'));
/** @type {import('node:child_process').ChildProcess[]} */
const started = [];
let isSlow = false;
try {
  const url = await startServer();
  const token = await signIn(url, 'amelia@example.test');
  const attacker = await signIn(url, 'priya@example.test');
  await readCase(url, token, 3);

  const quiet = await readCase(url, token, quietSeconds);
  print('quiet', quiet);

  const attack = fork(fileURLToPath(new URL('hostile-requests.mjs', import.meta.url)), [
    url,
    attacker,
    String(hostileRequests),
    String(perSecond),
  ]);
  started.push(attack);
  /** @type {Promise<{ sent: number, seconds: number, statuses: Record<string, number> }>} */
  const attacked = new Promise((resolve, reject) => {
    attack.once('message', (/** @type {any} */ result) => resolve(result));
    attack.once('exit', (code) => reject(new Error(`the attackers ended with ${code}`)));
  });
  const busy = await readCase(url, token, attacked);
  print('under attack', busy);
  const { sent, seconds, statuses } = await attacked;
  console.log(
    `${sent} hostile requests in ${seconds.toFixed(0)} s, answered with ${JSON.stringify(statuses)}`,
  );

  const ratio = percentile(busy, 0.99) / percentile(quiet, 0.99);
  console.log(`p99 under attack / quiet: ${ratio.toFixed(2)} (at most ${maxRatio})`);
  isSlow = ratio > maxRatio;
} finally {
  await endProcesses(started, folder);
}
process.exit(isSlow ? 1 : 0);

/** Starts the built server with the demonstration firm. @returns {Promise<string>} its address */
function startServer() {
  const child = spawn(process.execPath, [join(root, 'apps/server/dist/main.js')], {
    env: {
      ...process.env,
      PORT: '0',
      LOG_LEVEL: 'info',
      KEYTURN_DATA_DIR: folder,
      // Requests come from different addresses, as from a botnet.
      KEYTURN_TRUSTED_PROXIES: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (part) => {
      output = `${output}${part}`.slice(-10_000);
      const address = / is ready at (http:\S+)/.exec(output)?.[1];
      if (address) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

/**
 * @param {string} url
 * @param {string} email
 * @returns {Promise<string>} the token
 */
async function signIn(url, email) {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'turn-the-key-2026' }),
  });
  const { data } = /** @type {{ data: { access_token: string } }} */ (await response.json());
  return data.access_token;
}

/**
 * Reads the case repeatedly, as an open dashboard does.
 * @param {string} url
 * @param {string} token
 * @param {number | Promise<unknown>} until seconds, or a promise that resolves at the end
 * @returns {Promise<number[]>} the milliseconds of each request
 */
async function readCase(url, token, until) {
  let isOver = false;
  const end = typeof until === 'number' ? pause(until * 1_000) : until;
  void Promise.resolve(end).then(() => {
    isOver = true;
  });
  /** @type {number[]} */
  const times = [];
  while (!isOver) {
    const next = pause(readEvery);
    await Promise.all(
      calls.map(async (path) => {
        const before = performance.now();
        const response = await fetch(`${url}/api${path}`, {
          headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': '192.0.2.1' },
        });
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`);
        times.push(performance.now() - before);
      }),
    );
    await next;
  }
  return times;
}

/**
 * @param {string} when
 * @param {number[]} times
 */
function print(when, times) {
  const [median, p99, max] = [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(1));
  console.log(`${when}: median ${median} ms, p99 ${p99} ms, max ${max} ms of ${times.length} requests`);
}

/**
 * @param {number[]} times
 * @param {number} share
 */
function percentile(times, share) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

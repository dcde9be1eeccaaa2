// @ts-check
import { fork, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build, install, requireNode, root } from '../scripts/set-up.mjs';
import { endProcesses } from './end-processes.mjs';

/*
 * Measures how long a client waits for her case while others send 20,000 hostile requests at 150 a second: bodies,
 * paths and headers that are expensive to search, pipelined requests whose connection breaks, requests that never
 * arrive completely, and bytes that are not HTTP, signed in and not. Quiet and hostile periods alternate, because other
 * work on this machine changes both. Prints her p99 in each, and fails if it grows more than fivefold, or if the
 * server's open files and connections do not return to where they were, or its memory not nearly. `--short` sends
 * 3,000. The server, the attackers and the client share this machine.
 */

const isShort = process.argv.includes('--short');
const hostileRequests = isShort ? 3_000 : 20_000;
const perSecond = 150;
const rounds = isShort ? 2 : 5;
const quietSeconds = 15;
/** Milliseconds between two reads of the case. */
const readEvery = 500;
const maxRatio = 5;
/** Connections to the database that the pool may have opened, and those of this client. */
const spareFiles = 20;
/** Of the memory after the first round, which fills caches and pools. */
const maxMemoryGrowth = 1.25;

const calls = ['/client', '/case-searches', '/milestones', '/documents', '/case-history'];

requireNode();
install();
build();

const folder = mkdtempSync(join(tmpdir(), 'keyturn-bench-'));
/** @type {import('node:child_process').ChildProcess[]} */
const started = [];
const faults = [];
try {
  const { url, pid } = await startServer();
  const token = await signIn(url, 'amelia@example.test');
  const attacker = await signIn(url, 'priya@example.test');
  await readCase(url, token, 3);

  const quiet = [];
  const busy = [];
  /** @type {Record<string, number>} */
  const statuses = {};
  let sent = 0;
  /** @type {ReturnType<typeof readResources> | undefined} */
  let afterFirst;
  const before = readResources(pid);
  for (let round = 0; round < rounds; round += 1) {
    quiet.push(...(await readCase(url, token, quietSeconds)));
    const attacked = attack(url, attacker, hostileRequests / rounds);
    busy.push(...(await readCase(url, token, attacked)));
    const result = await attacked;
    sent += result.sent;
    for (const [status, count] of Object.entries(result.statuses))
      statuses[status] = (statuses[status] ?? 0) + count;
    afterFirst ??= await waitForResources(pid, before);
  }
  print('quiet', quiet);
  print('under attack', busy);
  console.log(`${sent} hostile requests, answered with ${JSON.stringify(statuses)}`);
  const ratio = percentile(busy, 0.99) / percentile(quiet, 0.99);
  console.log(`p99 under attack / quiet: ${ratio.toFixed(2)} (at most ${maxRatio})`);
  if (ratio > maxRatio) faults.push('the client waits too long');

  const after = await waitForResources(pid, before);
  const describe = (/** @type {ReturnType<typeof readResources>} */ { files, sockets, memory }) =>
    `${files} open files, of which ${sockets} are sockets, ${Math.round(memory / 1e6)} MB`;
  console.log(`before: ${describe(before)}`);
  console.log(`after the first round: ${describe(afterFirst ?? after)}`);
  console.log(`after the last round: ${describe(after)}`);
  if (after.files > before.files + spareFiles) faults.push('files or connections stay open');
  if (after.memory > (afterFirst ?? after).memory * maxMemoryGrowth) faults.push('memory grows');
  for (const fault of faults) console.error(fault);
} finally {
  await endProcesses(started, folder);
}
process.exit(faults.length > 0 ? 1 : 0);

/**
 * Starts the built server with the demonstration firm.
 * @returns {Promise<{ url: string, pid: number }>}
 */
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
      if (address) resolve({ url: address, pid: child.pid ?? 0 });
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

/**
 * Sends hostile requests from a separate process.
 * @param {string} url
 * @param {string} token
 * @param {number} count
 * @returns {Promise<{ sent: number, statuses: Record<string, number> }>} once all are answered or refused
 */
function attack(url, token, count) {
  const child = fork(fileURLToPath(new URL('hostile-requests.mjs', import.meta.url)), [
    url,
    token,
    String(count),
    String(perSecond),
  ]);
  started.push(child);
  return new Promise((resolve, reject) => {
    child.once('message', (/** @type {any} */ result) => resolve(result));
    child.once('exit', (code) => reject(new Error(`the attackers ended with ${code}`)));
  });
}

/**
 * Reads what a process has open, and its memory. Linux only.
 * @param {number} pid
 */
function readResources(pid) {
  const links = readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${name}`)];
    } catch {
      return [];
    }
  });
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return {
    files: links.length,
    sockets: links.filter((link) => link.startsWith('socket:')).length,
    memory: Number(kilobytes) * 1_024,
  };
}

/**
 * Waits until a process has as much open as before, but not for longer than a minute.
 * @param {number} pid
 * @param {ReturnType<typeof readResources>} before
 */
async function waitForResources(pid, before) {
  const end = performance.now() + 60_000;
  while (readResources(pid).files > before.files + spareFiles && performance.now() < end) await pause(500);
  return readResources(pid);
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

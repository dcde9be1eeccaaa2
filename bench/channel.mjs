// @ts-check
import { fork, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, install, requireNode, root } from '../scripts/set-up.mjs';

/*
 * The real-time channel of one server with 5,000 clients: memory for a connection, the time from a publish to the
 * last of 1,000 subscribers, and how many messages a second they get; beside it a bare `ws` server that sends the
 * same bytes. And the time from a request at one server to the client at another one. Fails where our rate is less
 * than 60 % of the bare one. Clients are processes of their own, but share the machine.
 */

const clients = 5_000;
const processes = 5;
const subscribers = 1_000;
const publishes = 60;
const bursts = 5;
const inBurst = 200;
const changes = 30;
const least = 0.6;

requireNode();
install();
build();

const Pusher = createRequire(join(root, 'apps/server/package.json'))('pusher');
const app = { key: 'bench', secret: 'the-secret-of-the-bench', appId: 'bench' };
const folder = mkdtempSync(join(tmpdir(), 'keyturn-bench-'));
/** @type {import('node:child_process').ChildProcess[]} */
const started = [];
let isSlow = false;
try {
  const ours = await startKeyturn({ KEYTURN_DATA_DIR: folder });
  const bare = await startBare();
  const payload = JSON.stringify({ version: 123_456, ids: ['0b54b3ac-6d51-4b0e-b1c5-6f4d1b1c2d3e'] });
  const events = (/** @type {number} */ count) =>
    Array.from({ length: count }, () => ({
      channel: 'bench',
      name: 'App\\Events\\CaseUpdated',
      data: payload,
    }));

  const before = await memoryOf(ours.child);
  const crowd = await openCrowd(`ws://127.0.0.1:${ours.port}/app/${app.key}?protocol=7`);
  const after = await memoryOf(ours.child);
  const pusher = new Pusher({ ...app, host: '127.0.0.1', port: String(ours.port), useTLS: false });
  const publish = (/** @type {number} */ count) =>
    count === 1 ? pusher.trigger('bench', events(1)[0]?.name, payload) : pusher.triggerBatch(events(count));

  const bareCrowd = await openCrowd(`ws://127.0.0.1:${bare.port}/`, subscribers);
  const publishBare = (/** @type {number} */ count) =>
    fetch(`http://127.0.0.1:${bare.port}/`, {
      method: 'POST',
      body: JSON.stringify({ batch: events(count) }),
    });

  // By turns, so that what else the machine does falls on both.
  const times = { ours: /** @type {number[]} */ ([]), bare: /** @type {number[]} */ ([]) };
  const rates = { ours: /** @type {number[]} */ ([]), bare: /** @type {number[]} */ ([]) };
  for (let number = 0; number < publishes; number++) {
    times.ours.push(await timeOf(crowd, publish, 1));
    times.bare.push(await timeOf(bareCrowd, publishBare, 1));
  }
  const cpuBefore = [cpuOf(ours.child), cpuOf(bare.child)];
  for (let number = 0; number < bursts; number++) {
    const delivered = inBurst * subscribers * 1_000;
    rates.ours.push(delivered / (await timeOf(crowd, publish, inBurst)));
    rates.bare.push(delivered / (await timeOf(bareCrowd, publishBare, inBurst)));
  }
  const millions = (bursts * inBurst * subscribers) / 1_000_000;
  const cpu = [ours, bare].map(({ child }, at) => (cpuOf(child) - (cpuBefore[at] ?? 0)) / millions);
  crowd.close();
  bareCrowd.close();
  const across = await timeAcrossServers(ours);

  const share = middle(rates.ours) / middle(rates.bare);
  isSlow = share < least;
  const ms = (/** @type {number} */ time) => `${time.toFixed(1)} ms`.padStart(9);
  const each = (/** @type {'used' | 'rss'} */ kind) =>
    `${((after[kind] - before[kind]) / clients / 1024).toFixed(1)} KB`;
  console.log(`${clients} connections  ${each('used')} of memory in use each, ${each('rss')} of the process`);
  for (const [name, taken] of Object.entries(times)) {
    console.log(
      `publish to the last of ${subscribers}, ${name}:  median ${ms(middle(taken))}, p99 ${ms(quantile(taken, 0.99))}`,
    );
  }
  console.log(
    `messages a second  ${Math.round(middle(rates.ours))}, bare ws ${Math.round(middle(rates.bare))}: ${(share * 100).toFixed(0)} %, ${isSlow ? 'UNDER' : 'above'} ${least * 100} %`,
  );
  console.log(`CPU of the server for a million messages  ${cpu[0]} s, bare ws ${cpu[1]} s`);
  console.log(
    `change at one server to the client at another  median ${ms(middle(across))}, p99 ${ms(quantile(across, 0.99))}`,
  );
} finally {
  for (const child of started.reverse()) await stop(child);
  rmSync(folder, { recursive: true, force: true });
}
process.exit(isSlow ? 1 : 0);

/** @param {NodeJS.ProcessEnv} env */
async function startKeyturn(env) {
  const port = await freePort();
  const memory = new URL('channel-memory.mjs', import.meta.url).href;
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', memory, join(root, 'apps/server/dist/main.js')],
    {
      env: {
        ...process.env,
        PORT: String(port),
        LOG_LEVEL: 'error',
        KEYTURN_REALTIME_KEY: app.key,
        KEYTURN_REALTIME_SECRET: app.secret,
        KEYTURN_REALTIME_APP_ID: app.appId,
        // The clients say that they come from many addresses.
        KEYTURN_TRUSTED_PROXIES: '1',
        ...env,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  started.push(child);
  const url = `http://127.0.0.1:${port}`;
  for (let waited = 0; ; waited++) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return { child, port, url };
    if (child.exitCode !== null || waited > 600) throw new Error('the server does not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A server that does nothing but send what it is told to everybody. */
async function startBare() {
  const port = await freePort();
  const child = fork(fileURLToPath(new URL('channel-bare-server.mjs', import.meta.url)), [String(port)]);
  started.push(child);
  await wordOf(child);
  return { child, port };
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * Clients of which `subscribers` listen, in processes of their own.
 * @param {string} address
 */
async function openCrowd(address, count = clients) {
  const children = Array.from({ length: processes }, (_, number) =>
    fork(fileURLToPath(new URL('channel-clients.mjs', import.meta.url)), [
      address,
      String(count / processes),
      String(subscribers / processes),
      String(number),
    ]),
  );
  started.push(...children);
  await Promise.all(children.map(wordOf));
  return {
    /** @param {number} messages @returns resolves when all subscribers have so many more */
    heard: (messages) =>
      Promise.all(
        children.map((child) => {
          child.send(messages);
          return wordOf(child);
        }),
      ),
    close: () => {
      for (const child of children) child.kill();
    },
  };
}

/**
 * Milliseconds until everybody has so many messages; ten go in one request, as the protocol allows.
 * @param {Awaited<ReturnType<typeof openCrowd>>} crowd
 * @param {(count: number) => Promise<unknown>} publish
 * @param {number} count
 */
async function timeOf(crowd, publish, count) {
  const heard = crowd.heard(count);
  const began = performance.now();
  for (let left = count; left > 0; left -= 10) await publish(Math.min(left, 10));
  await heard;
  return performance.now() - began;
}

/**
 * A client of the firm changes something at one server, and listens at another one.
 * @param {{ url: string, port: number }} one
 */
async function timeAcrossServers(one) {
  const { WebSocket } = createRequire(join(root, 'apps/server/package.json'))('ws');
  const password = readFileSync(join(folder, 'postgres-password'), 'utf8').trim();
  const port = readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[3];
  const two = await startKeyturn({
    DATABASE_URL: `postgres://keyturn:${password}@127.0.0.1:${port}/keyturn`,
    KEYTURN_DATA_DIR: join(folder, 'two'),
  });
  /**
   * @param {string} path
   * @param {RequestInit & { at?: string, token?: string }} options
   * @returns {Promise<any>}
   */
  const ask = async (path, { at = one.url, token, ...options }) => {
    const answer = await fetch(at + path, {
      ...options,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    });
    return answer.json();
  };
  const { data: signedIn } = await ask('/api/login', {
    method: 'POST',
    body: JSON.stringify({ email: 'george@example.test', password: 'turn-the-key-2026' }),
  });
  const token = signedIn.access_token;
  const { data: client } = await ask('/api/client', { token });
  const channel = `private-client.${client.id}`;
  const socket = new WebSocket(`ws://127.0.0.1:${two.port}/app/${app.key}?protocol=7`);
  /** @type {(event: string) => void} */
  let onEvent = () => {};
  const next = (/** @type {string} */ wanted) =>
    new Promise((resolve) => {
      onEvent = (event) => event === wanted && resolve(performance.now());
    });
  await new Promise((resolve) =>
    socket.on('message', async (/** @type {Buffer} */ text) => {
      const { event, data } = JSON.parse(String(text));
      onEvent(event);
      if (event === 'pusher:ping') socket.send('{"event":"pusher:pong"}');
      if (event === 'pusher_internal:subscription_succeeded') resolve(undefined);
      if (event !== 'pusher:connection_established') return;
      const { socket_id } = JSON.parse(data);
      const body = JSON.stringify({ socket_id, channel_name: channel });
      const { auth } = await ask('/broadcasting/auth', { method: 'POST', token, at: two.url, body });
      socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel, auth } }));
    }),
  );
  const times = [];
  const cases = client.cases.map((/** @type {{ id: string }} */ { id }) => id);
  if (cases.length < 2) throw new Error('the client of the demonstration has but one case');
  for (let number = 0; number < changes; number++) {
    const heard = next('App\\Events\\CaseUpdated');
    const began = performance.now();
    const body = JSON.stringify({ id: cases[(number + 1) % 2] });
    await Promise.all([ask('/api/client/active-case', { method: 'PUT', token, body }), heard]);
    times.push(Number(await heard) - began);
  }
  socket.terminate();
  return times;
}

/** Resolves with its next message. @param {import('node:child_process').ChildProcess} child */
function wordOf(child) {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('a process of the bench has ended'));
    child.once('exit', onExit);
    child.once('message', (word) => {
      child.off('exit', onExit);
      resolve(word);
    });
  });
}

/**
 * Bytes: what is in use, and what the process has of the system.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<{ used: number, rss: number }>}
 */
async function memoryOf(child) {
  child.send('memory');
  return /** @type {any} */ (await wordOf(child));
}

/** Seconds. @param {import('node:child_process').ChildProcess} child */
function cpuOf({ pid }) {
  const { stdout } = spawnSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' });
  const [minutes = 0, seconds = 0] = stdout.trim().split(':').slice(-2).map(Number);
  return minutes * 60 + seconds;
}

/** @param {import('node:child_process').ChildProcess} child */
function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return undefined;
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill();
  });
}

/** @param {number[]} numbers */
function middle(numbers) {
  return quantile(numbers, 0.5);
}

/** @param {number[]} numbers @param {number} share */
function quantile(numbers, share) {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
}

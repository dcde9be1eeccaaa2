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
 * Measures the real-time channel of one server with 5,000 clients: memory per connection, the time from a publish to
 * the last of 1,000 subscribers, and messages per second, compared with a bare `ws` server that sends the same bytes.
 * Also measures the time from a request on one server to a client of another. Fails if the rate is below 60 % of the
 * bare server's. Clients run in separate processes on the same machine.
 */

const clients = 5_000;
const clientProcesses = 5;
const subscribers = 1_000;
const publishes = 60;
const bursts = 5;
const messagesPerBurst = 200;
const changes = 30;
const minShare = 0.6;

requireNode();
install();
build();

const Pusher = createRequire(join(root, 'apps/server/package.json'))('pusher');
const app = { key: 'bench', secret: 'the-secret-of-the-benchmark', appId: 'bench' };
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

  const before = await readMemory(ours.child);
  const keyturnClients = await openClients(`ws://127.0.0.1:${ours.port}/app/${app.key}?protocol=7`);
  const after = await readMemory(ours.child);
  const pusher = new Pusher({ ...app, host: '127.0.0.1', port: String(ours.port), useTLS: false });
  const publish = (/** @type {number} */ count) =>
    count === 1 ? pusher.trigger('bench', events(1)[0]?.name, payload) : pusher.triggerBatch(events(count));

  const bareClients = await openClients(`ws://127.0.0.1:${bare.port}/`, subscribers);
  const publishBare = (/** @type {number} */ count) =>
    fetch(`http://127.0.0.1:${bare.port}/`, {
      method: 'POST',
      body: JSON.stringify({ batch: events(count) }),
    });

  // Alternate, so that other load on the machine affects both.
  const times = { ours: /** @type {number[]} */ ([]), bare: /** @type {number[]} */ ([]) };
  const rates = { ours: /** @type {number[]} */ ([]), bare: /** @type {number[]} */ ([]) };
  for (let number = 0; number < publishes; number++) {
    times.ours.push(await measureDelivery(keyturnClients, publish, 1));
    times.bare.push(await measureDelivery(bareClients, publishBare, 1));
  }
  const cpuBefore = [readCpuSeconds(ours.child), readCpuSeconds(bare.child)];
  for (let number = 0; number < bursts; number++) {
    const delivered = messagesPerBurst * subscribers * 1_000;
    rates.ours.push(delivered / (await measureDelivery(keyturnClients, publish, messagesPerBurst)));
    rates.bare.push(delivered / (await measureDelivery(bareClients, publishBare, messagesPerBurst)));
  }
  const millions = (bursts * messagesPerBurst * subscribers) / 1_000_000;
  const cpu = [ours, bare].map(({ child }, at) => (readCpuSeconds(child) - (cpuBefore[at] ?? 0)) / millions);
  keyturnClients.close();
  bareClients.close();
  const across = await timeAcrossServers(ours);

  const share = median(rates.ours) / median(rates.bare);
  isSlow = share < minShare;
  const ms = (/** @type {number} */ time) => `${time.toFixed(1)} ms`.padStart(9);
  const perConnection = (/** @type {'used' | 'rss'} */ kind) =>
    `${((after[kind] - before[kind]) / clients / 1024).toFixed(1)} KB`;
  console.log(
    `${clients} connections  ${perConnection('used')} heap each, ${perConnection('rss')} resident memory each`,
  );
  for (const [name, taken] of Object.entries(times)) {
    console.log(
      `publish to the last of ${subscribers} subscribers, ${name}:  median ${ms(median(taken))}, p99 ${ms(quantile(taken, 0.99))}`,
    );
  }
  console.log(
    `messages per second  ${Math.round(median(rates.ours))}, bare ws ${Math.round(median(rates.bare))}: ${(share * 100).toFixed(0)} %, ${isSlow ? 'BELOW' : 'above'} ${minShare * 100} %`,
  );
  console.log(`server CPU for a million messages  ${cpu[0]} s, bare ws ${cpu[1]} s`);
  console.log(
    `change on one server to a client of another  median ${ms(median(across))}, p99 ${ms(quantile(across, 0.99))}`,
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
        // The clients claim many IP addresses.
        KEYTURN_TRUSTED_PROXIES: '1',
        ...env,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  started.push(child);
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt++) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return { child, port, url };
    if (child.exitCode !== null || attempt > 600) throw new Error('the server did not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Starts a server that only sends every message to all clients. */
async function startBare() {
  const port = await freePort();
  const child = fork(fileURLToPath(new URL('channel-bare-server.mjs', import.meta.url)), [String(port)]);
  started.push(child);
  await nextMessage(child);
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
 * Opens clients in separate processes; `subscribers` of them subscribe.
 * @param {string} address
 */
async function openClients(address, count = clients) {
  const children = Array.from({ length: clientProcesses }, (_, number) =>
    fork(fileURLToPath(new URL('channel-clients.mjs', import.meta.url)), [
      address,
      String(count / clientProcesses),
      String(subscribers / clientProcesses),
      String(number),
    ]),
  );
  started.push(...children);
  await Promise.all(children.map(nextMessage));
  return {
    /** @param {number} messages @returns resolves when all subscribers have received this many more */
    received: (messages) =>
      Promise.all(
        children.map((child) => {
          child.send(messages);
          return nextMessage(child);
        }),
      ),
    close: () => {
      for (const child of children) child.kill();
    },
  };
}

/**
 * Publishes messages, ten in a request, and measures the milliseconds until all subscribers have received them.
 * @param {Awaited<ReturnType<typeof openClients>>} group
 * @param {(count: number) => Promise<unknown>} publish
 * @param {number} count
 */
async function measureDelivery(group, publish, count) {
  const received = group.received(count);
  const startedAt = performance.now();
  for (let left = count; left > 0; left -= 10) await publish(Math.min(left, 10));
  await received;
  return performance.now() - startedAt;
}

/**
 * Measures the time from a change on one server to a client of a second one.
 * @param {{ url: string, port: number }} first
 */
async function timeAcrossServers(first) {
  const { WebSocket } = createRequire(join(root, 'apps/server/package.json'))('ws');
  const password = readFileSync(join(folder, 'postgres-password'), 'utf8').trim();
  const port = readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[3];
  const second = await startKeyturn({
    DATABASE_URL: `postgres://keyturn:${password}@127.0.0.1:${port}/keyturn`,
    KEYTURN_DATA_DIR: join(folder, 'second'),
  });
  /**
   * @param {string} path
   * @param {RequestInit & { server?: string, token?: string }} options
   * @returns {Promise<any>}
   */
  const callApi = async (path, { server = first.url, token, ...options }) => {
    const answer = await fetch(server + path, {
      ...options,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    });
    return answer.json();
  };
  const { data: signedIn } = await callApi('/api/login', {
    method: 'POST',
    body: JSON.stringify({ email: 'george@example.test', password: 'turn-the-key-2026' }),
  });
  const token = signedIn.access_token;
  const { data: client } = await callApi('/api/client', { token });
  const channel = `private-client.${client.id}`;
  const socket = new WebSocket(`ws://127.0.0.1:${second.port}/app/${app.key}?protocol=7`);
  /** @type {(event: string) => void} */
  let onEvent = () => {};
  const waitFor = (/** @type {string} */ wanted) =>
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
      const { auth } = await callApi('/broadcasting/auth', {
        method: 'POST',
        token,
        server: second.url,
        body,
      });
      socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel, auth } }));
    }),
  );
  const times = [];
  const cases = client.cases.map((/** @type {{ id: string }} */ { id }) => id);
  if (cases.length < 2) throw new Error('the demonstration client has only one case');
  for (let number = 0; number < changes; number++) {
    const received = waitFor('App\\Events\\CaseUpdated');
    const startedAt = performance.now();
    const body = JSON.stringify({ id: cases[(number + 1) % 2] });
    await Promise.all([callApi('/api/client/active-case', { method: 'PUT', token, body }), received]);
    times.push(Number(await received) - startedAt);
  }
  socket.terminate();
  return times;
}

/** Resolves with the next message of a process. @param {import('node:child_process').ChildProcess} child */
function nextMessage(child) {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('a benchmark process has exited'));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message);
    });
  });
}

/**
 * Reads the heap in use and the resident memory of a process, in bytes.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<{ used: number, rss: number }>}
 */
async function readMemory(child) {
  child.send('memory');
  return /** @type {any} */ (await nextMessage(child));
}

/** Reads the CPU time of a process in seconds. @param {import('node:child_process').ChildProcess} child */
function readCpuSeconds({ pid }) {
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
function median(numbers) {
  return quantile(numbers, 0.5);
}

/** @param {number[]} numbers @param {number} share */
function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
}

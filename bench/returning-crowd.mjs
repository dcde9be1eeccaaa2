// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build, install, requireNode } from '../scripts/set-up.mjs';
import { app, ask, quantile, startKeyturn, startProcess, stopAll } from './channel-processes.mjs';
import { connect, copyCases, databaseOfServer, shareDocuments } from './copied-cases.mjs';
import { loadCpuTime } from './read-cpu-time.mjs';

/*
 * Kills a server with 2,000 clients while another server runs on the same database. Measures the time until all
 * clients are live again, the processor time this costs, and the latency of other clients' requests meanwhile. Then
 * the connection on which the other server listens to PostgreSQL is cut while every case changes: every client must
 * receive its event once, on the same connection. Fails beyond the limits below.
 */

const crowd = Number(process.env.BENCH_CROWD ?? 2_000);
const limits = { liveWithin: 10_000, apiP99: 500 };
/** Other clients, whose requests are measured. */
const otherClients = 50;
/** The interval between their requests, in milliseconds. */
const requestEvery = 50;
const paths = ['/api/client', '/api/case-searches', '/api/milestones', '/api/case-history?limit=5'];
/** Milliseconds for which the listening connection is cut. */
const gap = 3_000;

requireNode();
install();
build();

const { readCpuTime, readPostmaster } = await loadCpuTime();

/**
 * The data folders of the servers. PostgreSQL runs as another user, which could not enter a folder inside a temporary
 * one.
 */
const folders = { first: newFolder(), second: newFolder() };
/** @type {string[]} */
const failures = [];
try {
  // The second server keeps the database that both use.
  const second = await startServer(folders.second, {});
  const databaseUrl = databaseOfServer(folders.second);
  const clients = await copyCases(databaseUrl, crowd + otherClients);
  shareDocuments(folders.first, folders.second);
  const first = await startServer(folders.first, { DATABASE_URL: databaseUrl });
  const crowdProcess = await startProcess('returning-clients.mjs', []);
  const servers = [first, second].map(({ url }) => ({ url, key: app.key }));
  await ask(crowdProcess, { servers, clients: clients.slice(0, crowd) });

  await measureReturn({
    first,
    second,
    crowdProcess,
    others: clients.slice(crowd).map(({ token }) => ({ token, agent: new Agent({ keepAlive: true }) })),
  });
  await measureGap(crowdProcess, databaseUrl);
} finally {
  await stopAll();
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);

function newFolder() {
  return mkdtempSync(join(tmpdir(), 'keyturn-bench-'));
}

/** @param {string} folder @param {NodeJS.ProcessEnv} env */
function startServer(folder, env) {
  return startKeyturn({ KEYTURN_DATA_DIR: folder, KEYTURN_ENVIRONMENT: 'local', ...env });
}

/**
 * A client with an open dashboard. Its browser keeps its connections.
 * @typedef {{ token: string, agent: Agent }} OtherClient
 */

/**
 * @typedef {import('./channel-processes.mjs').Server} Server
 * @param {{ first: Server, second: Server, crowdProcess: import('node:child_process').ChildProcess, others: OtherClient[] }} parts
 */
async function measureReturn({ first, second, crowdProcess, others }) {
  const postgres = { pid: readPostmaster(join(folders.second, 'postgres')), withChildren: true };
  const readCosts = () => ({
    server: readCpuTime({ pid: Number(second.child.pid), withChildren: false }),
    database: readCpuTime(postgres),
  });
  const idle = readCosts();
  const quiet = await measureRequests(second, others, async () => await pause(5_000));
  const before = readCosts();
  await ask(crowdProcess, 'lose');
  first.child.kill('SIGKILL');
  const startedAt = performance.now();
  const busy = await measureRequests(second, others, async () => {
    for (;;) {
      const { times } = await ask(crowdProcess, 'report');
      if (times.fetched.length >= crowd || performance.now() - startedAt > 90_000) return;
      await pause(250);
    }
  });
  const { live, failed, times } = await ask(crowdProcess, 'report');
  const after = readCosts();
  const costOf = (/** @type {'server' | 'database'} */ part) => {
    const ofRequests = ((before[part] - idle[part]) / quiet.times.length) * busy.times.length;
    return (after[part] - before[part] - ofRequests) / crowd;
  };
  const at = (/** @type {number[]} */ list, /** @type {number} */ share) =>
    `${(quantile(list, share) / 1_000).toFixed(1)} s`;
  console.log(`${crowd} clients of a killed server:`);
  console.log(`  live again after      median ${at(times.live, 0.5)}, last ${at(times.live, 1)}`);
  console.log(`  data fetched after    median ${at(times.fetched, 0.5)}, last ${at(times.fetched, 1)}`);
  console.log(
    `  processor time each   ${costOf('server').toFixed(1)} ms of the server, ${costOf('database').toFixed(1)} ms of PostgreSQL`,
  );
  console.log(`  other requests        ${describeTimes(busy)}; before ${describeTimes(quiet)}`);
  if (live < crowd) failures.push(`${crowd - live} of ${crowd} clients are not live again`);
  const last = quantile(times.live, 1);
  if (!(last <= limits.liveWithin))
    failures.push(
      `the last client was live again after ${(last / 1_000).toFixed(1)} s, ${limits.liveWithin / 1_000} s are allowed`,
    );
  const p99 = quantile(busy.times, 0.99);
  if (p99 > limits.apiP99)
    failures.push(`the p99 of other requests was ${p99.toFixed(0)} ms, ${limits.apiP99} ms are allowed`);
  for (const { agent } of others) agent.destroy();
  reportFailed([...failed, ...busy.failed, ...quiet.failed]);
}

/**
 * Sends a request of another client every few milliseconds while `work` runs, however long the answers take.
 * @param {Server} server @param {OtherClient[]} clients @param {() => Promise<void>} work
 */
async function measureRequests({ url }, clients, work) {
  /** @type {number[]} */
  const times = [];
  /** @type {string[]} */
  const failed = [];
  let number = 0;
  let open = 0;
  const send = () => {
    const path = paths[number % paths.length] ?? '';
    const { token, agent } = /** @type {OtherClient} */ (clients[number % clients.length]);
    const headers = {
      authorization: `Bearer ${token}`,
      'x-forwarded-for': `11.0.0.${number % 250}`,
    };
    number++;
    open++;
    const sentAt = performance.now();
    const finish = (/** @type {number | string | undefined} */ status) => {
      open--;
      times.push(performance.now() - sentAt);
      if (status !== 200) failed.push(`other client, ${path}: ${status}`);
    };
    get(`${url}${path}`, { agent, headers }, (response) => {
      response.resume();
      response.on('end', () => finish(response.statusCode));
    }).on('error', (error) => finish(error.message));
  };
  const timer = setInterval(send, requestEvery);
  await work();
  clearInterval(timer);
  while (open > 0) await pause(50);
  return { times, failed };
}

/** @param {{ times: number[] }} measured */
function describeTimes({ times }) {
  return `p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`;
}

/** @param {string[]} failed */
function reportFailed(failed) {
  if (failed.length === 0) return;
  failures.push(
    `${failed.length} requests or connections failed, such as ${[...new Set(failed)].slice(0, 5).join('; ')}`,
  );
}

/** @param {import('node:child_process').ChildProcess} crowdProcess @param {string} databaseUrl */
async function measureGap(crowdProcess, databaseUrl) {
  const before = await ask(crowdProcess, 'report');
  const database = await connect(databaseUrl);
  const cutUntil = performance.now() + gap;
  const { rows } = await database.query('select id from conveyancing_cases order by id');
  const batches = Array.from({ length: 20 }, (_, index) =>
    rows.filter((/** @type {unknown} */ _row, /** @type {number} */ at) => at % 20 === index),
  );
  let cuts = 0;
  while (performance.now() < cutUntil || batches.length > 0) {
    const cut = await database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'keyturn listen'",
    );
    cuts += cut.rowCount ?? 0;
    const ids = (batches.pop() ?? []).map((/** @type {{ id: string }} */ { id }) => id);
    await database.query("update conveyancing_cases set title = title || ' ' where id = any($1)", [ids]);
    await pause(50);
  }
  await database.end();
  await pause(5_000);
  const after = await ask(crowdProcess, 'report');
  const counts = after.received.map(
    (/** @type {number} */ count, /** @type {number} */ index) => count - before.received[index],
  );
  const missed = counts.filter((/** @type {number} */ count) => count < 1).length;
  const repeated = counts.filter((/** @type {number} */ count) => count > 1).length;
  const closed = after.closed - before.closed;
  console.log(
    `a gap of ${gap / 1_000} s in LISTEN (${cuts} cuts) while ${rows.length} cases changed: ${missed} clients missed their event, ${repeated} received it twice, ${closed} reconnected`,
  );
  if (missed + repeated + closed > 0)
    failures.push('a gap in LISTEN lost or repeated events, or closed connections');
}

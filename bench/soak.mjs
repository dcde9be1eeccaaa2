// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { addOffice } from '../e2e/rolling/office-work.mjs';
import { build, install, requireNode } from '../scripts/set-up.mjs';
import { app, ask, quantile, startKeyturn, startProcess, stopAll } from './channel-processes.mjs';
import { connect, copyCases, databaseOfServer } from './copied-cases.mjs';

/*
 * Uses one server for ten minutes as people do: clients read, download, sign in, pay and sign, with real-time connections that
 * stay or come and go; a member of staff works at the desk, and the feed changes cases. Fails if the server keeps more and more
 * memory, resources, files or connections, if its event loop is delayed, if a request fails, or if the server logs a warning or
 * an error. Exits with 2 if the machine was too busy to tell. `BENCH_SOAK_SECONDS` sets another duration.
 */

const seconds = Number(process.env.BENCH_SOAK_SECONDS ?? 600);
const samples = 24;
const limits = {
  /** Megabytes that the memory may grow between the second and the last quarter. */
  memory: 5,
  /** The same for the resident memory, which also grows while allocators keep freed pages. */
  rss: 40,
  /** The same for the numbers of active resources, open files and database connections. */
  count: 10,
  /** Milliseconds. */
  delayP99: 50,
  /** Milliseconds by which this process, which waits most of the time, may be delayed before the machine counts as too busy. */
  calmP99: 20,
};
const openDashboards = 200;

requireNode();
install();
build();

const folder = mkdtempSync(join(tmpdir(), 'keyturn-bench-'));
/** @type {string[]} */
const failures = [];
/** What the machine did not allow to measure. @type {string[]} */
const unmeasured = [];
/** The warnings and errors in the server's log. @type {string[]} */
const logged = [];
try {
  const server = await startKeyturn(
    { KEYTURN_DATA_DIR: folder, KEYTURN_ENVIRONMENT: 'local', ...unlimited() },
    'soak/probe.mjs',
    (line) => {
      if (/^\{"level":[456]0,/.test(line)) logged.push(line);
    },
  );
  const databaseUrl = databaseOfServer(folder);
  const clients = await copyCases(databaseUrl, openDashboards + 50);
  const dashboards = await startProcess('returning-clients.mjs', []);
  const servers = [{ url: server.url, key: app.key }];
  await ask(dashboards, { servers, clients: clients.slice(0, openDashboards) });
  const database = await connect(databaseUrl);
  const tokens = clients.slice(openDashboards).map(({ token }) => token);
  const callers = JSON.stringify({ tokens, office: await addOffice(database) });
  const others = await startProcess('soak/clients.mjs', [server.url, server.socketUrl, callers]);
  const measured = await sample(server.child, database);
  report(measured, await ask(others, 'report'), await ask(dashboards, 'report'));
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`FAILED: ${failure}`);
for (const reason of unmeasured) console.error(`NOT MEASURED: ${reason}`);
process.exit(failures.length > 0 ? 1 : unmeasured.length > 0 ? 2 : 0);

/** The clients share one address, and pay more often than people do. */
function unlimited() {
  const names = [
    'REQUESTS_PER_ADDRESS',
    'READS_PER_CLIENT',
    'CHANGES_PER_CLIENT',
    'PAYMENT_STARTS_PER_CLIENT',
    'PAYMENT_STARTS_PER_ADDRESS',
  ];
  return Object.fromEntries(names.map((name) => [`KEYTURN_${name}`, '1000000']));
}

/**
 * @typedef {object} Sample
 * @property {number} delayP99 since the last sample
 * @property {number} totalDelayP99 since the start
 * @property {number} ownDelayP99 of this process since the start
 * @property {number} memory
 * @property {number} rss
 * @property {number} resources
 * @property {number | null} files
 * @property {number} connections
 *
 * @param {import('node:child_process').ChildProcess} server
 * @param {Awaited<ReturnType<typeof connect>>} database
 * @returns {Promise<Sample[]>}
 */
async function sample(server, database) {
  const measured = [];
  const ownTotal = monitorEventLoopDelay({ resolution: 10 });
  ownTotal.enable();
  const until = performance.now() + seconds * 1_000;
  const every = (seconds * 1_000) / samples;
  let sampleAt = performance.now() + every;
  while (performance.now() < until) {
    await pause(250);
    await changeCases(database);
    if (performance.now() < sampleAt) continue;
    sampleAt += every;
    const kept = await ask(server, 'sample');
    const connections = await countConnections(database);
    measured.push({ ...kept, ownDelayP99: ownTotal.percentile(99) / 1e6, connections });
  }
  await database.end();
  return measured;
}

/** Changes two cases, which notifies their clients. @param {Awaited<ReturnType<typeof connect>>} database */
async function changeCases(database) {
  await database.query(
    `update conveyancing_cases set title = case when title like '% ' then rtrim(title) else title || ' ' end
     where id in (select id from conveyancing_cases order by random() limit 2)`,
  );
}

/** @param {Awaited<ReturnType<typeof connect>>} database @returns {Promise<number>} */
async function countConnections(database) {
  const { rows } = await database.query(
    "select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  return rows[0].count;
}

/**
 * @param {Sample[]} measured
 * @param {{ requests: number, connections: number, signed: number, feedChanges: number, failed: string[] }} others
 * @param {{ live: number, closed: number, failed: string[], received: number[] }} dashboards
 */
function report(measured, others, dashboards) {
  const events = dashboards.received.reduce((sum, count) => sum + count, 0);
  console.log(
    `${seconds} s: ${others.requests} requests, ${others.connections} short connections, ${openDashboards} open dashboards, ${events} events received, ${others.signed} documents shared and signed, ${others.feedChanges} changes by the feed`,
  );
  for (const name of /** @type {const} */ (['memory', 'rss', 'resources', 'files', 'connections']))
    reportGrowth(
      name,
      measured.map((each) => each[name]),
    );
  reportDelay(measured);
  if (logged.length > 0)
    failures.push(
      `the server logged ${logged.length} warnings or errors, such as ${logged.slice(0, 3).join('; ').slice(0, 600)}`,
    );
  if (others.signed === 0 || others.feedChanges === 0) failures.push('the office did no work');
  if (events === 0) failures.push('no open dashboard received an event');
  if (dashboards.live < openDashboards || dashboards.closed > 0)
    failures.push(`${dashboards.closed} open dashboards were disconnected`);
  const failed = [...others.failed, ...dashboards.failed];
  if (failed.length > 0)
    failures.push(
      `${failed.length} requests or connections failed, such as ${failed.slice(0, 3).join('; ')}`,
    );
}

/**
 * @param {'memory' | 'rss' | 'resources' | 'files' | 'connections'} name
 * @param {(number | null)[]} values
 */
function reportGrowth(name, values) {
  const known = values.filter((value) => value !== null);
  if (known.length < values.length) {
    console.log(`${name.padEnd(12)} not listed on this system`);
    return;
  }
  const quarter = Math.floor(known.length / 4);
  const [early = 0, late = 0] = [known.slice(quarter, 2 * quarter), known.slice(-quarter)].map((part) =>
    quantile(part, 0.5),
  );
  console.log(`${name.padEnd(12)} ${early.toFixed(1)} to ${late.toFixed(1)}`);
  const limit = name === 'memory' || name === 'rss' ? limits[name] : limits.count;
  // Also fails if nothing was measured.
  if (!(late - early <= limit))
    failures.push(`${name} grew by ${(late - early).toFixed(1)}, ${limit} are allowed`);
}

/** @param {Sample[]} measured */
function reportDelay(measured) {
  const { totalDelayP99 = Number.NaN, ownDelayP99 = Number.NaN } = measured.at(-1) ?? {};
  const slowest = Math.max(...measured.map(({ delayP99 }) => delayP99));
  console.log(
    `event loop   delayed by ${totalDelayP99.toFixed(1)} ms at the p99 of the whole time, by ${slowest.toFixed(1)} ms at that of the slowest sample; an idle process by ${ownDelayP99.toFixed(1)} ms`,
  );
  if (totalDelayP99 <= limits.delayP99) return;
  const delay = `the event loop was delayed by ${totalDelayP99.toFixed(0)} ms, ${limits.delayP99} ms are allowed`;
  if (ownDelayP99 > limits.calmP99)
    unmeasured.push(
      `${delay}, but the machine was too busy to measure it: an idle process was delayed by ${ownDelayP99.toFixed(0)} ms`,
    );
  else failures.push(delay);
}

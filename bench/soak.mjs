// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { build, install, requireNode } from '../scripts/set-up.mjs';
import { app, ask, quantile, startKeyturn, startProcess, stopAll } from './channel-processes.mjs';
import { connect, copyCases, databaseOfServer } from './copied-cases.mjs';

/*
 * Uses one server for ten minutes as clients do: reads, downloads, sign-ins, payments, changes of cases, and real-time
 * connections that stay or come and go. Fails if the server keeps more and more memory, resources, files or connections, if
 * its event loop is delayed, if a request fails, or if the server logs a warning or an error. `BENCH_SOAK_SECONDS` sets another duration.
 */

const seconds = Number(process.env.BENCH_SOAK_SECONDS ?? 600);
const samples = 24;
const limits = {
  /** Megabytes that the memory may grow between the second and the last quarter. */
  memory: 5,
  /** The same for the numbers of active resources, open files and database connections. */
  count: 10,
  /** Milliseconds, in addition to the delay of this process, which waits most of the time. */
  delayP99: 50,
};
const openDashboards = 200;

requireNode();
install();
build();

const folder = mkdtempSync(join(tmpdir(), 'keyturn-bench-'));
/** @type {string[]} */
const failures = [];
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
  const tokens = JSON.stringify(clients.slice(openDashboards).map(({ token }) => token));
  const others = await startProcess('soak/clients.mjs', [server.url, server.socketUrl, tokens]);
  const measured = await sample(server.child, await connect(databaseUrl));
  report(measured, await ask(others, 'report'), await ask(dashboards, 'report'));
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);

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
 * @typedef {{ delayP99: number, totalDelayP99: number, memory: number, resources: number, files: number, connections: number }} Sample
 * @param {import('node:child_process').ChildProcess} server
 * @param {Awaited<ReturnType<typeof connect>>} database
 * @returns {Promise<Sample[]>}
 */
async function sample(server, database) {
  const measured = [];
  const own = monitorEventLoopDelay({ resolution: 10 });
  own.enable();
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
    const { delayP99, totalDelayP99, ...kept } = await ask(server, 'sample');
    const ownDelay = own.percentile(99) / 1e6;
    own.reset();
    const connections = await countConnections(database);
    measured.push({
      ...kept,
      delayP99: Math.max(0, delayP99 - ownDelay),
      totalDelayP99: Math.max(0, totalDelayP99 - ownTotal.percentile(99) / 1e6),
      connections,
    });
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
 * @param {{ requests: number, connections: number, failed: string[] }} others
 * @param {{ live: number, closed: number, failed: string[], received: number[] }} dashboards
 */
function report(measured, others, dashboards) {
  const events = dashboards.received.reduce((sum, count) => sum + count, 0);
  console.log(
    `${seconds} s: ${others.requests} requests, ${others.connections} short connections, ${openDashboards} open dashboards, ${events} events received`,
  );
  const quarter = Math.floor(measured.length / 4);
  for (const name of /** @type {const} */ (['memory', 'resources', 'files', 'connections'])) {
    const values = measured.map((each) => each[name]);
    const [early, late] = [values.slice(quarter, 2 * quarter), values.slice(-quarter)].map((part) =>
      quantile(part, 0.5),
    );
    const growth = Number(late) - Number(early);
    console.log(`${name.padEnd(12)} ${Number(early).toFixed(1)} to ${Number(late).toFixed(1)}`);
    const limit = name === 'memory' ? limits.memory : limits.count;
    if (growth > limit) failures.push(`${name} grew by ${growth.toFixed(1)}, ${limit} are allowed`);
  }
  const delay = measured.at(-1)?.totalDelayP99 ?? 0;
  const slowest = Math.max(...measured.map(({ delayP99 }) => delayP99));
  console.log(
    `event loop   delayed by ${delay.toFixed(1)} ms more than an idle one at the p99 of the whole time, by ${slowest.toFixed(1)} ms at that of the slowest sample`,
  );
  if (delay > limits.delayP99)
    failures.push(`the event loop was delayed by ${delay.toFixed(0)} ms, ${limits.delayP99} ms are allowed`);
  if (logged.length > 0)
    failures.push(
      `the server logged ${logged.length} warnings or errors, such as ${logged.slice(0, 3).join('; ').slice(0, 600)}`,
    );
  if (events === 0) failures.push('no open dashboard received an event');
  if (dashboards.live < openDashboards || dashboards.closed > 0)
    failures.push(`${dashboards.closed} open dashboards were disconnected`);
  const failed = [...others.failed, ...dashboards.failed];
  if (failed.length > 0)
    failures.push(
      `${failed.length} requests or connections failed, such as ${failed.slice(0, 3).join('; ')}`,
    );
}

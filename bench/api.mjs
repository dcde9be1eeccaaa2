// @ts-check
import { deepEqual } from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build, install, requireNode, root } from '../scripts/set-up.mjs';
import { copyCases, databaseOfServer } from './copied-cases.mjs';
import { endProcesses } from './end-processes.mjs';
import { loadCpuTime } from './read-cpu-time.mjs';

/*
 * Requests per second of the calls that the dashboard makes most, next to a floor on the same PostgreSQL: `node:http` and
 * `pg` alone, with one prepared statement that checks the session and assembles the whole answer. Rounds of both alternate.
 * Fails if the server is too slow compared with it. `--large` measures with ten times as many cases.
 */

const cases = process.argv.includes('--large') ? 2_000 : 200;
const clients = 32;
const rounds = 5;
/** The duration of each measurement, in milliseconds. */
const duration = 3_000;
const paths = ['/api/client', '/api/case-searches', '/api/milestones', '/api/case-history?limit=5'];
/** The fields of a milestone that the floor leaves out. */
const computed = new Set(['waiting_for', 'waiting_since', 'also_waiting', 'usually_between']);
/** The required share of the floor's rate for these calls, and their maximum p99 as a multiple of the floor's. */
const required = { paths: ['/api/client', '/api/case-searches'], share: 0.6, p99: 3 };

requireNode();
install();
build();

const { readCpuTime, readPostmaster } = await loadCpuTime();

const folder = mkdtempSync(join(tmpdir(), 'keyturn-bench-'));
/** @type {import('node:child_process').ChildProcess[]} */
const started = [];
let isFastEnough = false;
try {
  const server = await startServer();
  const databaseUrl = databaseOfServer(folder);
  const tokens = (await copyCases(databaseUrl, cases)).map(({ token }) => token);
  const floor = await startFloor(databaseUrl);
  await compareAnswers(server.port, floor.port, tokens);
  console.log(
    `${cpus().length} cores, ${cpus()[0]?.model ?? ''}, Node ${process.versions.node}, load before the run ${loadavg()[0]?.toFixed(1)}`,
  );
  console.log(`${cases} cases, ${clients} clients at once, medians of ${rounds} rounds`);
  isFastEnough = await measureAll(server, floor, tokens);
} finally {
  await endProcesses(started, folder);
}
process.exit(isFastEnough ? 0 : 1);

/** @typedef {{ port: number, pid: number }} Measured */

/** Starts the built server with the demonstration firm and its own PostgreSQL. @returns {Promise<Measured>} */
async function startServer() {
  const log = join(folder, 'server.log');
  const child = spawn(process.execPath, [join(root, 'apps/server/dist/main.js')], {
    env: {
      ...process.env,
      PORT: '0',
      LOG_LEVEL: 'info',
      // Turns off the checks of development.
      KEYTURN_ENVIRONMENT: 'local',
      KEYTURN_DATA_DIR: folder,
      // All clients have the same address.
      KEYTURN_REQUESTS_PER_ADDRESS: '1000000',
      KEYTURN_READS_PER_CLIENT: '1000000',
    },
    stdio: ['ignore', openSync(log, 'w'), 'inherit'],
  });
  started.push(child);
  for (;;) {
    const port = / is ready at http:\S+:(\d+)/.exec(readFileSync(log, 'utf8'))?.[1];
    if (port) return { port: Number(port), pid: child.pid ?? 0 };
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await pause(100);
  }
}

/** @param {string} databaseUrl @returns {Promise<Measured>} */
async function startFloor(databaseUrl) {
  const child = fork(fileURLToPath(new URL('api-floor.mjs', import.meta.url)), {
    env: { ...process.env, DATABASE_URL: databaseUrl, POOL_SIZE: '20' },
  });
  started.push(child);
  const [{ port }] = await once(child, 'message');
  return { port, pid: child.pid ?? 0 };
}

/**
 * Checks that the server and the floor give the same answers.
 * @param {number} serverPort
 * @param {number} floorPort
 * @param {string[]} tokens
 */
async function compareAnswers(serverPort, floorPort, tokens) {
  for (const token of tokens.slice(0, 50)) {
    for (const path of paths) {
      const [answer, expected] = await Promise.all(
        [serverPort, floorPort].map(async (port) => {
          const headers = { authorization: `Bearer ${token}` };
          const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
          const text = await response.text();
          return JSON.parse(text, (name, value) => (computed.has(name) ? undefined : value));
        }),
      );
      deepEqual(answer, expected);
    }
  }
}

/**
 * @param {Measured} server
 * @param {Measured} floor
 * @param {string[]} tokens
 * @returns {Promise<boolean>} whether the server is fast enough
 */
async function measureAll(server, floor, tokens) {
  const load = fork(fileURLToPath(new URL('api-clients.mjs', import.meta.url)));
  started.push(load);
  const postgres = { pid: readPostmaster(join(folder, 'postgres')), withChildren: true };
  const measure = async (
    /** @type {Measured} */ { port, pid },
    /** @type {string} */ path,
    time = duration,
  ) => {
    const cpuTime = () => ({
      own: readCpuTime({ pid, withChildren: false }),
      database: readCpuTime(postgres),
    });
    const before = cpuTime();
    load.send({ port, path, tokens, clients, duration: time });
    const [result] = await once(load, 'message');
    const after = cpuTime();
    const answered = (result.perSecond * time) / 1000;
    return {
      ...result,
      own: (after.own - before.own) / answered,
      database: (after.database - before.database) / answered,
    };
  };
  let passes = true;
  console.log(
    '                                                                   CPU ms of server + PostgreSQL',
  );
  console.log(
    'call                        per s   floor  share  p50 ms  floor  p99 ms  floor       call        floor',
  );
  for (const path of paths) {
    for (const each of [server, floor]) await measure(each, path);
    /** @type {any[]} */
    const runs = [];
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? [server, floor] : [floor, server];
      const measured = [];
      for (const each of order) measured.push(await measure(each, path));
      runs.push(round % 2 === 0 ? measured : measured.reverse());
    }
    const median = (/** @type {(run: any) => number} */ read) =>
      runs.map(read).sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0;
    const share = median(([call, bare]) => call.perSecond / bare.perSecond);
    const p99 = median(([call, bare]) => call.p99 / bare.p99);
    const number = (/** @type {number} */ which, /** @type {string} */ name, digits = 1) =>
      median((run) => run[which][name]).toFixed(digits);
    console.log(
      [
        path.padEnd(25),
        number(0, 'perSecond', 0).padStart(6),
        number(1, 'perSecond', 0).padStart(6),
        `${(100 * share).toFixed(0)} %`.padStart(5),
        number(0, 'median').padStart(6),
        number(1, 'median').padStart(5),
        number(0, 'p99').padStart(6),
        number(1, 'p99').padStart(5),
        `${number(0, 'own', 2)} + ${number(0, 'database', 2)}`.padStart(12),
        `${number(1, 'own', 2)} + ${number(1, 'database', 2)}`.padStart(11),
      ].join('  '),
    );
    if (required.paths.includes(path) && (share < required.share || p99 > required.p99)) {
      console.error(
        `${path} reaches ${(100 * share).toFixed(0)} % of the floor's rate with a p99 of ${p99.toFixed(1)} times the floor's; at least ${100 * required.share} % and at most ${required.p99} times are required. Run it on an idle machine.`,
      );
      passes = false;
    }
  }
  return passes;
}

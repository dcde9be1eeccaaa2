// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, install, requireNode } from '../../scripts/set-up.mjs';
import {
  ask,
  freePort,
  quantile,
  readCpuSeconds,
  startKeyturn,
  startProcess,
  stopAll,
} from '../channel-processes.mjs';
import { connect, copyCases, databaseOfServer, shareDocuments } from '../copied-cases.mjs';

/*
 * Measures how soon an event reaches the connections of several servers, from before its transaction commits: with the
 * servers connected by PostgreSQL, and by Redis (`redis-server` or `valkey-server` of this machine). Each case has a
 * connection on each server. Rounds alternate between the two. Fails if the last connection is later than the limit,
 * or if one misses an event.
 */

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: '3' },
    sockets: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '20' },
  },
});
const servers = Number(values.servers);
const cases = Math.floor(Number(values.sockets) / servers);
const rounds = Number(values.rounds);
/** Milliseconds. */
const limit = 500;

/** @typedef {{ name: string, events: string, of: 'all' | 'one case', text: string }} Change */
/** @type {Change[]} */
const changes = [
  {
    name: 'one case changes',
    events: 'CaseUpdated',
    of: 'one case',
    text: "update conveyancing_cases set title = title || ' ' where id = $1",
  },
  {
    name: 'every case changes in one transaction',
    events: 'CaseUpdated',
    of: 'all',
    text: "update conveyancing_cases set title = title || ' ' where id = any($1)",
  },
  {
    name: 'an event for everyone',
    events: 'MaintenanceChanged',
    of: 'all',
    text: "select broadcast('status', 'MaintenanceChanged', '{}')",
  },
];

requireNode();
install();
build();

/** @type {string[]} */
const folders = [];
/** @type {string[]} */
const failures = [];
const redis = await startRedis();
try {
  const groups = [await startGroup('PostgreSQL', {})];
  if (redis) groups.push(await startGroup('Redis', { KEYTURN_REALTIME_REDIS_URL: redis.url }));
  else failures.push('Redis was not measured: install redis-server or valkey-server');
  console.log(`${servers} servers, ${cases * servers} connections, ${cases} cases, ${rounds} rounds:`);
  for (const change of changes) await compare(groups, change);
} finally {
  await stopAll();
  redis?.child.kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);

/** @typedef {Awaited<ReturnType<typeof startGroup>>} Group */

/**
 * Starts servers on a separate database, and opens their connections.
 * @param {string} name @param {NodeJS.ProcessEnv} env
 */
async function startGroup(name, env) {
  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'keyturn-bench-'));
    folders.push(folder);
    return folder;
  };
  const shared = { KEYTURN_ENVIRONMENT: 'local', ...env };
  const owner = newFolder();
  const started = [await startKeyturn({ KEYTURN_DATA_DIR: owner, ...shared })];
  const databaseUrl = databaseOfServer(owner);
  const clients = await copyCases(databaseUrl, cases);
  const caseIds = clients.map(({ caseId }) => caseId);
  while (started.length < servers) {
    const folder = newFolder();
    shareDocuments(folder, owner);
    started.push(await startKeyturn({ KEYTURN_DATA_DIR: folder, DATABASE_URL: databaseUrl, ...shared }));
  }
  const client = await startProcess('servers/fan-out-clients.mjs', []);
  await ask(client, { open: started.map(({ socketUrl }) => socketUrl), caseIds });
  const database = await connect(databaseUrl);
  // The database ends before this connection.
  database.on('error', () => {});
  return { name, servers: started, client, caseIds, database };
}

/** @param {Group[]} groups @param {Change} change */
async function compare(groups, change) {
  /** Milliseconds of each connection. @type {Map<Group, number[]>} */
  const times = new Map(groups.map((group) => [group, []]));
  /** Milliseconds of the last connection in each round. @type {Map<Group, number[]>} */
  const last = new Map(groups.map((group) => [group, []]));
  const cpu = new Map(groups.map((group) => [group, 0]));
  for (let round = 0; round < rounds; round++) {
    for (const group of groups) {
      const before = cpuOf(group);
      const measured = await measure(group, change, round);
      cpu.set(group, (cpu.get(group) ?? 0) + cpuOf(group) - before);
      times.get(group)?.push(...measured);
      last.get(group)?.push(Math.max(...measured));
    }
  }
  console.log(`\n${change.name}`);
  for (const group of groups) {
    const all = times.get(group) ?? [];
    const latest = last.get(group) ?? [];
    const ms = (/** @type {number} */ value) => `${value.toFixed(1)} ms`;
    console.log(
      `  ${group.name.padEnd(10)} p50 ${ms(quantile(all, 0.5))}, p99 ${ms(quantile(all, 0.99))}; last connection: median ${ms(quantile(latest, 0.5))}, slowest round ${ms(Math.max(...latest))}; ${(((cpu.get(group) ?? 0) / rounds) * 1_000).toFixed(1)} ms of processor time of all servers in a round`,
    );
    if (Math.max(...latest) > limit)
      failures.push(`${change.name}, ${group.name}: ${ms(Math.max(...latest))}, ${limit} ms are allowed`);
  }
}

/**
 * Makes a change, and waits until every connection that it concerns has its event.
 * @param {Group} group @param {Change} change @param {number} round
 * @returns {Promise<number[]>} the milliseconds of each connection
 */
async function measure({ client, caseIds, database }, { events, of, text }, round) {
  const count = of === 'all' ? caseIds.length * servers : servers;
  await ask(client, { expect: events, count });
  const caseId = caseIds[(round * 37) % caseIds.length];
  const parameters = text.includes('$1') ? [of === 'all' ? caseIds : caseId] : [];
  const arrived = ask(client, { wait: true });
  await database.query('begin');
  await database.query(text, parameters);
  const startedAt = process.hrtime.bigint();
  await database.query('commit');
  const { times } = await arrived;
  if (times.length < count)
    throw new Error(`${count - times.length} of ${count} connections missed ${events}`);
  return times.map((/** @type {string} */ time) => Number(BigInt(time) - startedAt) / 1e6);
}

/** @param {Group} group */
function cpuOf({ servers: running }) {
  return running.reduce((total, { child }) => total + readCpuSeconds(child.pid), 0);
}

/** Starts the Redis server of this machine; null if there is none. */
async function startRedis() {
  const program = ['redis-server', 'valkey-server'].find(
    (name) => spawnSync(name, ['--version']).status === 0,
  );
  if (!program) return null;
  const port = await freePort();
  const parameters = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(program, parameters, { stdio: 'ignore' });
  return { child, url: `redis://127.0.0.1:${port}` };
}

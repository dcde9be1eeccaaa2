// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, install, requireNode } from '../scripts/set-up.mjs';
import {
  app,
  ask,
  median,
  quantile,
  readCpuSeconds,
  startBare,
  startKeyturn,
  startProcess,
  startSoketi,
  stop,
  stopAll,
} from './channel-processes.mjs';

/*
 * Measures publishing over the HTTP API of one server, compared with a bare `node:http` and `ws` server that sends
 * the same bytes, and with soketi if `BENCH_SOKETI` names it: publishes a second to 1, 100 and 1,000 subscribers, and
 * the time to the last of 1,000. Also measures the memory of 5,000 connections. Fails below the required shares of
 * the bare server's rate. Rounds alternate between the servers, so that other load on the machine affects all. Then
 * bench/returning-crowd.mjs measures clients that return.
 */

const connections = 5_000;
const rounds = 3;
const secondsPerRound = 3;
const singlePublishes = 150;
/** The share of the bare server's rate that is required with this many subscribers. */
const required = [
  { subscribers: 1, share: 0.65 },
  { subscribers: 100, share: 0.8 },
  { subscribers: 1_000, share: 0.9 },
];
const maxLatencyRatio = 1.5;
/** A server that has received no message from another server for this many milliseconds hands nothing over. */
const untilAlone = 36_000;

requireNode();
install();
build();

const folder = mkdtempSync(join(tmpdir(), 'keyturn-bench-'));
/** @type {string[]} */
const failures = [];
try {
  const keyturn = await startKeyturn({ KEYTURN_DATA_DIR: folder });
  const startedAt = performance.now();
  await measureMemory(keyturn);
  const soketi = await startSoketi();
  const servers = { keyturn, ...(soketi ? { soketi } : {}), bare: await startBare() };
  const left = untilAlone - (performance.now() - startedAt);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, left)));

  console.log('publishes/s  subscribers  server CPU per publish  share of bare');
  for (const { subscribers, share } of required) await compareRates(servers, subscribers, share);
  await compareLatencies(servers, 1_000);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`TOO SLOW: ${failure}`);
const crowd = fileURLToPath(new URL('returning-crowd.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [crowd], { stdio: 'inherit' });
process.exit(failures.length > 0 ? 1 : (status ?? 1));

/** @param {import('./channel-processes.mjs').Server} server */
async function measureMemory({ child, socketUrl }) {
  const before = await ask(child, 'memory');
  const groups = await Promise.all(
    Array.from({ length: 5 }, (_, number) =>
      startProcess('channel-clients.mjs', [socketUrl, String(connections / 5), String(number), '']),
    ),
  );
  const after = await ask(child, 'memory');
  await Promise.all(groups.map(stop));
  const each = (/** @type {'used' | 'rss'} */ kind) =>
    `${((after[kind] - before[kind]) / connections / 1024).toFixed(1)} KB`;
  console.log(`${connections} connections: ${each('used')} heap each, ${each('rss')} resident memory each`);
}

/**
 * @typedef {Record<string, import('./channel-processes.mjs').Server>} Servers
 * @param {Servers} servers @param {number} subscribers @param {number} share
 */
async function compareRates(servers, subscribers, share) {
  const groups = await openGroups(servers, subscribers);
  const rates = listsFor(servers);
  const cpu = listsFor(servers);
  for (let round = 0; round < rounds; round++) {
    for (const { name, server, publisher, clients } of groups) {
      // The first run of a round warms up.
      await ask(publisher, { channel: channelOf(subscribers), seconds: round === 0 ? 1.5 : 0.3 });
      for (const client of clients) client.send(-1);
      const before = readCpuSeconds(server.child.pid);
      const { published, seconds } = await ask(publisher, {
        channel: channelOf(subscribers),
        seconds: secondsPerRound,
      });
      rates[name]?.push(published / seconds);
      cpu[name]?.push((readCpuSeconds(server.child.pid) - before) / published);
    }
  }
  await closeGroups(groups);
  const bare = median(rates.bare ?? []);
  for (const [name, measured] of Object.entries(rates)) {
    console.log(
      `${median(measured).toFixed(0).padStart(11)}  ${String(subscribers).padStart(11)}  ${(median(cpu[name] ?? []) * 1e6).toFixed(0).padStart(19)} µs  ${((median(measured) / bare) * 100).toFixed(0).padStart(11)} %  ${name}`,
    );
  }
  const ours = median(rates.keyturn ?? []);
  if (ours < share * bare) {
    failures.push(
      `${((ours / bare) * 100).toFixed(0)} % of the bare server’s rate to ${subscribers} subscribers, ${share * 100} % are required`,
    );
  }
  if (rates.soketi && ours < median(rates.soketi))
    failures.push(`fewer publishes than soketi to ${subscribers} subscribers`);
}

/** @param {Servers} servers @param {number} subscribers */
async function compareLatencies(servers, subscribers) {
  const groups = await openGroups(servers, subscribers);
  const times = listsFor(servers);
  for (let number = 0; number < singlePublishes; number++) {
    for (const { name, publisher, clients } of groups) {
      const startedAt = performance.now();
      await Promise.all([
        ...clients.map((client) => ask(client, 1)),
        ask(publisher, { channel: channelOf(subscribers), count: 1 }),
      ]);
      if (number >= 20) times[name]?.push(performance.now() - startedAt);
    }
  }
  await closeGroups(groups);
  const p99 = (/** @type {string} */ name) => quantile(times[name] ?? [], 0.99);
  for (const [name, measured] of Object.entries(times)) {
    console.log(
      `publish to the last of ${subscribers} subscribers: median ${median(measured).toFixed(1)} ms, p99 ${p99(name).toFixed(1)} ms, ${(p99(name) / p99('bare')).toFixed(2)} times bare  ${name}`,
    );
  }
  if (p99('keyturn') > maxLatencyRatio * p99('bare')) {
    failures.push(
      `p99 to the last of ${subscribers} is more than ${maxLatencyRatio} times that of the bare server`,
    );
  }
}

/** @param {number} subscribers */
function channelOf(subscribers) {
  return `bench-${subscribers}`;
}

/** @param {Servers} servers @param {number} subscribers */
function openGroups(servers, subscribers) {
  const processes = subscribers > 100 ? 2 : 1;
  return Promise.all(
    Object.entries(servers).map(async ([name, server]) => ({
      name,
      server,
      publisher: await startProcess('channel-publisher.mjs', [server.url, JSON.stringify(app)]),
      clients: await Promise.all(
        Array.from({ length: processes }, (_, number) =>
          startProcess('channel-clients.mjs', [
            server.socketUrl,
            String(subscribers / processes),
            String(number),
            channelOf(subscribers),
          ]),
        ),
      ),
    })),
  );
}

/** @param {Awaited<ReturnType<typeof openGroups>>} groups */
async function closeGroups(groups) {
  await Promise.all(groups.flatMap(({ publisher, clients }) => [publisher, ...clients].map(stop)));
}

/** @param {Servers} servers @returns {Record<string, number[]>} */
function listsFor(servers) {
  return Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
}

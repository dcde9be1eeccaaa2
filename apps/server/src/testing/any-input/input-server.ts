import { setTimeout as pause } from 'node:timers/promises';
import { buildCase, buildFirm, createTestServer, type TestServer } from '@keyturn/testkit';
import { heapUsed } from '@keyturn/testkit/heap-used.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { testAppEnv } from '../real-time/channel-test-clients.ts';
import { type Answer, findFaults, type JudgedRoute } from './check-answer.ts';
import { isLongRun, repeatCommand, seed } from './input-plan.ts';
import { buildInputRecords, type InputRecords } from './input-records.ts';
import { createReadingClient, percentile, type ReadingClient } from './reading-client.ts';
import { unexpectedTraces } from './unexpected-traces.ts';
import { type WatchedTables, watchTables } from './watch-tables.ts';

/** A server that gets bad input, while a client uses it as usual. */
export interface InputServer extends TestServer {
  records: InputRecords;
  /** Returns the headers of a signed-in sender. */
  headersOf(sender: string): Promise<Record<string, string>>;
  /**
   * Finds the faults of an answer, and the errors and changed rows that its request has caused.
   * @param sent the method and the URL of the request
   */
  judge(answer: Answer, route: JudgedRoute, sent: { method: string; url: string }): Promise<string[]>;
  /** Sends inputs while the client reads their case. */
  whileClientReads(sending: Promise<unknown>): Promise<void>;
}

/** After this many accepted changes, the records are built again. */
const maxAccepted = 40;

/** Starts a server for all tests of a file, and reports at the end how it answered. */
export function withInputServer(): InputServer {
  const server = {} as InputServer;
  const statuses: Record<string, number> = {};
  const quiet: number[] = [];
  const busy: number[] = [];
  const errors: string[] = [];
  let watched: WatchedTables;
  let client: ReadingClient;
  let internalNames = new Set<string>();
  let accepted = 0;
  let heapBefore = 0;
  const signedIn = new Map<string, Record<string, string>>();

  const rebuild = async () => {
    server.records = await buildInputRecords(server);
    signedIn.clear();
    accepted = 0;
    await watched.take();
  };
  // An accepted change can end sessions, or disable people and keys.
  const onAccepted = async () => {
    accepted += 1;
    signedIn.clear();
    if (accepted >= maxAccepted) await rebuild();
  };

  beforeAll(async () => {
    Object.assign(server, await createTestServer(optionsOf(errors)), {
      headersOf: async (sender: string) => {
        const known = signedIn.get(sender) ?? (await server.records.signIn(sender));
        if (!signedIn.has(sender)) await watched.take();
        signedIn.set(sender, known);
        return known;
      },
      judge: async (answer: Answer, route: JudgedRoute, { method, url }: { method: string; url: string }) => {
        const { status, body } = answer;
        statuses[status] = (statuses[status] ?? 0) + 1;
        const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method);
        const outcome = status >= 400 ? 'rejected' : isRead ? 'read' : 'changed';
        const traces = { errors: errors.splice(0), changes: await watched.take() };
        if (outcome === 'changed') await onAccepted();
        return [...findFaults(answer, route, internalNames), ...unexpectedTraces(traces, { outcome })].map(
          (fault) => `${fault}\n${method} ${url} answered ${status}: ${body.slice(0, 500)}`,
        );
      },
      whileClientReads: async (sending: Promise<unknown>) => {
        const { times } = await client.readDuring(sending);
        busy.push(...times);
      },
    });
    await buildFirm(server.database);
    const { clientId } = await buildCase(server.database);
    client = await createReadingClient(server.url, await server.signInAs(clientId), isLongRun ? 100 : 20);
    internalNames = await readInternalNames(server);
    watched = await watchTables(server.pool);
    await rebuild();
    if (isLongRun) quiet.push(...(await client.readDuring(pause(quietTime))).times);
    heapBefore = heapUsed();
  });
  afterAll(async () => {
    try {
      report({ statuses, quiet, busy, heapGrowth: heapUsed() - heapBefore });
    } finally {
      await server.stop();
    }
  });
  return server;
}

const optionsOf = (errors: string[]) => ({
  env: {
    LOG_LEVEL: 'info',
    KEYTURN_SECURITY_CONTACT: 'security@example.test',
    // Each input comes from another address.
    KEYTURN_TRUSTED_PROXIES: '1',
    ...testAppEnv,
  },
  logTo: {
    write: (line: string) => {
      if (/"level":[56]0/.test(line)) errors.push(line);
    },
  },
});

async function readInternalNames({ pool }: TestServer): Promise<Set<string>> {
  const { rows } = await pool.query(
    `select conname as name from pg_constraint where connamespace = 'public'::regnamespace
     union select indexname from pg_indexes where schemaname = 'public'`,
  );
  return new Set(rows.map(({ name }) => name as string));
}

/** Milliseconds for which a long run first measures the client’s reads without bad input. */
const quietTime = 10_000;

/** Limits of a long run: how many times longer the client’s reads may take, and the bytes by which the heap may grow. */
const limits = { ratio: 20, heapGrowth: 150_000_000 };

interface Observed {
  /** Answers by status; 101 for frames of sockets, 499 for connections that ended without one. */
  statuses: Record<string, number>;
  /** Milliseconds. */
  quiet: number[];
  busy: number[];
  heapGrowth: number;
}

function report({ statuses, quiet, busy, heapGrowth }: Observed): void {
  const inputs = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const [before, during] = [percentile(quiet, 0.99), percentile(busy, 0.99)];
  const alone = isLongRun ? ` (${before.toFixed(1)} ms alone)` : '';
  console.log(
    `${inputs} inputs (seed ${seed}), answered with ${JSON.stringify(statuses)}. A client meanwhile waited ` +
      `${during.toFixed(1)} ms at p99 of ${busy.length} reads${alone}. The heap grew by ${Math.round(heapGrowth / 1e6)} MB.`,
  );
  if (!isLongRun) return;
  expect(during / before, repeatCommand()).toBeLessThan(limits.ratio);
  expect(heapGrowth, repeatCommand()).toBeLessThan(limits.heapGrowth);
}

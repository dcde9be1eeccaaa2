import { buildCase, buildFirm, createTestServer, type TestServer } from '@keyturn/testkit';
import { heapUsed } from '@keyturn/testkit/heap-used.ts';
import { runSeed } from '@keyturn/testkit/random/run-seed.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { testAppEnv } from '../real-time/channel-test-clients.ts';
import { type Answer, findFaults, type JudgedRoute } from './check-answer.ts';
import { isLongRun, repeatCommand } from './input-plan.ts';
import { buildInputRecords, type InputRecords } from './input-records.ts';
import type { HttpParts } from './raw-requests.ts';
import { createReadingClient, type ReadingClient } from './reading-client.ts';
import { partsOf, type SentRequest } from './request-parts.ts';
import { unexpectedTraces } from './unexpected-traces.ts';
import { type RowChange, type WatchedTables, watchTables } from './watch-tables.ts';

/** A server that gets bad input, while a client uses it as usual. */
export interface InputServer extends TestServer {
  records: InputRecords;
  /** Returns the parts of a request, with the headers of its signed-in sender. */
  partsOf(request: SentRequest): Promise<HttpParts>;
  /**
   * Finds the faults of an answer, and the errors and changed rows that its request has caused.
   * @param answer null if the connection ended without one
   */
  judge(answer: Answer | null, route: JudgedRoute, sent: JudgedRequest): Promise<string[]>;
  /** Sends inputs while the client reads their case. */
  whileClientReads(sending: Promise<unknown>): Promise<void>;
}

interface JudgedRequest {
  method: string;
  url: string;
  sender: string;
}

/** After this many accepted changes, the records are built again. */
const maxAccepted = 40;

/** Starts a server for all tests of a file, and reports at the end how it answered. */
export function withInputServer(): InputServer {
  const server = {} as InputServer;
  const statuses: Record<string, number> = {};
  const errors: string[] = [];
  let watched: WatchedTables;
  let client: ReadingClient;
  let readersIds: string[] = [];
  let internalNames = new Set<string>();
  let accepted = 0;
  let heapBefore = 0;
  const signedIn = new Map<string, Record<string, string>>();

  const idsOfChanges = async () => (await watched.take()).flatMap(({ ids }) => ids);
  const rebuild = async () => {
    server.records = await buildInputRecords(server, idsOfChanges);
    signedIn.clear();
    accepted = 0;
    await watched.take();
  };
  // An accepted change can end sessions, or disable people and keys. A disabled client cannot sign in.
  const onAccepted = async (changes: RowChange[]) => {
    accepted += 1;
    signedIn.clear();
    const isDisabled = changes.some(({ columns }) => columns.includes('disabled_at'));
    if (isDisabled || accepted >= maxAccepted) await rebuild();
  };
  const headersOf = async (sender: string) => {
    const known = signedIn.get(sender) ?? (await server.records.signIn(sender));
    if (!signedIn.has(sender)) await watched.take();
    signedIn.set(sender, known);
    return known;
  };

  const added: Omit<InputServer, keyof TestServer | 'records'> = {
    partsOf: async (request) => partsOf(request, await headersOf(request.sender), server.records),
    judge: async (found, route, { method, url, sender }) => {
      const answer = found ?? noAnswer;
      const { status, body } = answer;
      statuses[status] = (statuses[status] ?? 0) + 1;
      const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method);
      const outcome = status >= 400 ? 'rejected' : isRead ? 'read' : 'changed';
      const traces = { errors: errors.splice(0), changes: await watched.take() };
      const othersIds = new Set([...readersIds, ...server.records.othersIds(sender)]);
      const faults = [
        ...findFaults(answer, route, internalNames),
        ...unexpectedTraces(traces, { outcome, othersIds }),
      ].map((fault) => `${fault}\n${method} ${url} of ${sender} answered ${status}: ${body.slice(0, 500)}`);
      if (outcome === 'changed') await onAccepted(traces.changes);
      return faults;
    },
    whileClientReads: (sending) => client.readDuring(sending),
  };
  beforeAll(async () => {
    Object.assign(server, await createTestServer(optionsOf(errors)), added);
    await buildFirm(server.database);
    internalNames = await readInternalNames(server);
    await skipScheduledJobs(server.pool);
    watched = await watchTables(server.pool);
    const { clientId } = await buildCase(server.database);
    readersIds = await idsOfChanges();
    client = await createReadingClient(server.url, await server.signInAs(clientId));
    await rebuild();
    heapBefore = heapUsed();
  });
  afterAll(async () => {
    try {
      report({ statuses, heapGrowth: heapUsed() - heapBefore });
    } finally {
      await server.stop();
    }
  });
  return server;
}

const noAnswer: Answer = { status: 499, headers: {}, body: '' };

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

/** Lets no job run because of the time, so that each changed row is the work of a request. */
const skipScheduledJobs = (pool: TestServer['pool']) =>
  pool.query(`
    create function skip_job() returns trigger language plpgsql as 'begin return null; end';
    create trigger skip_scheduled_jobs before insert on graphile_worker._private_jobs
      for each row when (new.payload::jsonb ? '_cron') execute function skip_job();`);

async function readInternalNames({ pool }: TestServer): Promise<Set<string>> {
  const { rows } = await pool.query(
    `select conname as name from pg_constraint where connamespace = 'public'::regnamespace
     union select indexname from pg_indexes where schemaname = 'public'`,
  );
  return new Set(rows.map(({ name }) => name as string));
}

/** Bytes by which the heap may grow in a long run. */
const maxHeapGrowth = 150_000_000;

interface Observed {
  /** Answers by status; 101 for frames of sockets, 499 for connections that ended without one. */
  statuses: Record<string, number>;
  heapGrowth: number;
}

function report({ statuses, heapGrowth }: Observed): void {
  const inputs = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  console.log(
    `${inputs} inputs (seed ${runSeed}), answered with ${JSON.stringify(statuses)}. The heap grew by ${Math.round(heapGrowth / 1e6)} MB.`,
  );
  if (isLongRun) expect(heapGrowth, repeatCommand()).toBeLessThan(maxHeapGrowth);
}

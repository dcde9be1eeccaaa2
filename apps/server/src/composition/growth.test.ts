import {
  createTestDatabase,
  createTestServer,
  generateCases,
  ownCard,
  recordStatements,
  runLength,
  type SentStatement,
  type TestDatabase,
  type TestServer,
} from '@keyturn/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toCursor } from '../case-file/case-list/case-cursor.ts';
import { payableSearches } from '../case-file/searches/payable-searches.ts';
import { deleteOldBroadcasts } from '../live/channels/events-store.ts';
import { migrate } from '../schema/migrate.ts';
import { buildStaff, startStaffSession } from '../testing/serve-staff.ts';

/*
 * Generates a database, lets a client read every screen, sign in and start a payment, and staff read their lists, and
 * explains each statement. With ten times the data, no statement may read a whole table, or noticeably more pages
 * than before.
 */

const cases = runLength({ short: 150, long: 10_000 });
const growth = 10;
const isLong = runLength({ short: false, long: true });
const timeout = runLength({ short: 120_000, long: 3_600_000 });

let testDatabase: TestDatabase;
let server: TestServer;
let adminId: string;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  server = await createTestServer({ database: testDatabase });
  adminId = (await buildStaff(testDatabase, { role: 'admin' })).id;
});
afterAll(async () => {
  await server.stop();
  await testDatabase.drop();
});

interface Action {
  name: string;
  isRead: boolean;
  run(): Promise<unknown>;
}

/**
 * Lists the most frequent actions of a client, and of staff.
 * @param position the position of a search of the client without a payment
 */
async function listActions(client: number, position: number): Promise<Action[]> {
  const { rows } = await testDatabase.pool.query(
    `select client.id as client, search.id as search,
       (select id from documents where matter_id = search.matter_id limit 1) as document,
       (select id from payments where client_id = client.id order by created_at limit 1) as payment
     from case_searches search, clients client where search.reference = $1 and client.reference = $2`,
    [`M${client}-${position}`, `C${client}`],
  );
  const [ids] = rows;
  const ofClient = await server.signInAs(ids.client);
  const ofStaff = await startStaffSession(testDatabase, adminId);
  const action = (
    name: string,
    {
      status = 200,
      payload,
      headers = ofClient,
    }: { status?: number; payload?: object; headers?: Record<string, string> } = {},
  ) => {
    const [method, path = ''] = name.split(' ') as ['GET' | 'POST', string];
    const url = `/api${path.replace(/\{(\w+)\}/, (_braces, record: string) => ids[record])}`;
    const run = async () => {
      const answer = await server.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
      expect({ name, status: answer.statusCode }).toEqual({ name, status });
    };
    return { name, isRead: method === 'GET', run };
  };
  return [
    action('GET /client'),
    action('GET /case-searches'),
    action('GET /case-searches/{search}'),
    action('GET /milestones'),
    action('GET /case-history'),
    action('GET /case-history?category=case&limit=5'),
    action('GET /documents'),
    action('GET /documents/{document}'),
    action('GET /bills'),
    action('GET /payments'),
    action('GET /payments/{payment}'),
    action('POST /documents/{document}/read'),
    action('POST /case-searches/{search}/payments', { payload: ownCard }),
    {
      name: 'marking a search as paid',
      isRead: false,
      // Rolled back: the list of today would have another item.
      run: () =>
        expect(
          testDatabase.database.transaction(async (transaction) => {
            await payableSearches.markPaid(transaction, ids.search, new Date());
            transaction.rollback();
          }),
        ).rejects.toThrow('Rollback'),
    },
    action('POST /login', {
      payload: { email: `c${client}@example.test`, password: 'wrong password' },
      status: 401,
    }),
    ...[
      'GET /staff/today',
      // Each list returns one case: with a page of 50, each case would be looked up in five indexes that become
      // deeper.
      `GET /staff/next-case?after=${toCursor('promise', { value: 'infinity', reference: 'K' })}`,
      'GET /staff/next-case?handler=s@example.test&step=exchanged&sort=reference',
      `GET /staff/cases?status=open&q=K${client}+nobody&sort=-last_update`,
      'GET /staff/case-filters',
    ].map((name) => action(name, { headers: ofStaff })),
  ];
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: Plan[];
}

/**
 * Explains a statement: with the generic plan if it is prepared, otherwise with the plan for its values.
 * @returns the number of pages that it reads, and the growing tables that it reads completely
 */
async function explain({ name, text, values }: SentStatement) {
  const client = await testDatabase.pool.connect();
  const literals = values.map((value) => (value === null ? 'null' : client.escapeLiteral(asText(value))));
  await client.query('begin');
  try {
    await client.query(`set local plan_cache_mode = force_${name ? 'generic' : 'custom'}_plan`);
    await client.query(`prepare explained as ${text}`);
    const parameters = literals.length > 0 ? `(${literals.join()})` : '';
    // A change cannot be repeated, so it is explained without being executed.
    const options = /\b(insert into|delete from|update \S+ set)\b/i.test(text)
      ? ''
      : 'analyze, buffers, timing off, ';
    const { rows } = await client.query(`explain (${options}format json) execute explained${parameters}`);
    const [{ Plan: root }] = rows[0]['QUERY PLAN'] as [{ Plan: Plan }];
    const all: Plan[] = [root];
    for (const plan of all) all.push(...(plan.Plans ?? []));
    const scanned = all.flatMap((plan) =>
      plan['Node Type'] === 'Seq Scan' ? (plan['Relation Name'] ?? []) : [],
    );
    return {
      pages: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
      scanned: scanned.filter((table) => growing.has(table)),
    };
  } finally {
    await client.query('rollback');
    // Closing the connection also drops the prepared statement.
    client.release(true);
  }
}

/** Writes a value as PostgreSQL reads it. */
function asText(value: unknown): string {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value)
    ? `{${value.map((member) => JSON.stringify(asText(member))).join()}}`
    : String(value);
}

/** Tables that grow with the firm. All others have only a few rows. */
const growing = new Set(
  `clients conveyancing_cases case_clients matters milestones documents document_reads case_searches tasks bills
  history_entries payments payment_changes payment_mails sessions login_failures broadcast_events case_summaries`.split(
    /\s+/,
  ),
);

/** Explains the statements of each action, and measures how long the reads take. */
async function measure(client: number, position: number) {
  const measured = new Map<string, { pages: number; scanned: string[]; milliseconds: number }>();
  for (const { name, isRead, run } of await listActions(client, position)) {
    const sent = await recordStatements(run);
    const statements = sent.filter(({ text }) => /^\s*(select|with|insert|update|delete)/i.test(text));
    expect(statements, name).not.toEqual([]);
    let pages = 0;
    const scanned: string[] = [];
    for (const statement of statements) {
      const explained = await explain(statement);
      pages += explained.pages;
      scanned.push(...explained.scanned.map((table) => `${table}: ${statement.name ?? statement.text}`));
    }
    measured.set(name, { pages, scanned, milliseconds: isLong && isRead ? await medianTime(run) : 0 });
  }
  return measured;
}

async function medianTime(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 51; round += 1) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[25] ?? 0;
}

const secondsOf = async (work: () => Promise<unknown>) => {
  const started = performance.now();
  await work();
  return ((performance.now() - started) / 1_000).toFixed(1);
};

test('no action reads noticeably more pages with ten times the data, and no statement reads a whole table', {
  timeout,
}, async () => {
  await generateCases(testDatabase.url, 1, cases);
  const before = await measure(100, 1);
  const generating = await secondsOf(() => generateCases(testDatabase.url, cases + 1, cases * growth));
  const after = await measure(100, 2);
  for (const [name, { pages, scanned, milliseconds }] of after) {
    const earlier = before.get(name) ?? expect.fail(name);
    expect.soft({ name, scanned }).toEqual({ name, scanned: [] });
    // An index can become one level deeper, which costs one page for each lookup.
    expect.soft(pages, `${name}: before ${earlier.pages}`).toBeLessThanOrEqual(1.3 * earlier.pages + 12);
    if (isLong) {
      const times = `${earlier.milliseconds.toFixed(1)} → ${milliseconds.toFixed(1)} ms`;
      console.log(`${name}: ${earlier.pages} → ${pages} pages, ${times}`);
    }
  }
  if (isLong) await measureStart(generating);
});

/** Prints how long it takes to migrate a full database, to start a server on it, and to delete its expired rows. */
async function measureStart(generating: string) {
  const { rows } = await testDatabase.pool.query(
    'select pg_size_pretty(pg_database_size(current_database())) size',
  );
  console.log(`generated in ${generating} s, ${rows[0].size}`);
  console.log(`checking for migrations: ${await secondsOf(() => migrate(testDatabase.url))} s`);
  const started = await secondsOf(async () => {
    const another = await createTestServer({ database: testDatabase });
    await another.stop();
  });
  console.log(`starting a server: ${started} s`);
  for (let batch = 0; batch < 20; batch += 1) {
    await testDatabase.pool.query(`insert into broadcast_events (channel, event, ids, created_at)
      select 'private-case.' || n, 'CaseUpdated', '{}', now() - interval '1 day' from generate_series(1, 10000) n`);
  }
  const deleting = await secondsOf(() => deleteOldBroadcasts(testDatabase.database, 3_600_000));
  console.log(`deleting 200,000 expired events: ${deleting} s`);
}
